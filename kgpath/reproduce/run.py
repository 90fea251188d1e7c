"""Makes what a user asks for by name, and writes each as soon as it is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from kgpath.errors import BadOption, UnknownName
from kgpath.plugins import REPRODUCTIONS
from kgpath.reproduce.report import check_folder, write_report
from kgpath.reproduction import Picture, Reproduction, Request, Table


def names_of(pattern: str) -> list[str]:
    """The reproductions of a name, or of a pattern such as ``ecpr-*``; t2 before t10."""
    if "*" not in pattern:
        return [REPRODUCTIONS.entry(pattern).name]
    found = [entry.name for entry in REPRODUCTIONS if fnmatchcase(entry.name, pattern)]
    if not found:
        raise UnknownName(f"Nothing fits {pattern!r}. See: kgpath reproduce --list")
    return sorted(found, key=lambda name: [part.zfill(4) for part in re.findall(r"\d+|\D+", name)])


def options_of(texts: Iterable[str]) -> dict[str, str]:
    """Options from ``NAME=VALUE`` each."""
    options = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"Cannot read --set {text}. Write it like: --set alpha=0.5")
        options[key.strip()] = value.strip()
    return options


def reproduce(names: Sequence[str], request: Request) -> tuple[list[Table], list[Picture]]:
    """Make these; with an output folder, what is made is written at once and survives a stop."""
    if request.output is not None:
        check_folder(request.output)
    tables: list[Table] = []
    pictures: list[Picture] = []
    for name in names:
        make: Reproduction = REPRODUCTIONS.load(name)
        made = list(make(request))
        if request.output is not None:
            write_report(request.output, made)
        tables += [one for one in made if isinstance(one, Table)]
        pictures += [one for one in made if isinstance(one, Picture)]
    if pictures and not tables and request.output is None:
        raise BadOption(f"{pictures[0].name} is a picture: say where to write it, -o FOLDER.")
    return tables, pictures
