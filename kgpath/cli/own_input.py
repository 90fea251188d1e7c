"""No command destroys what it reads: an output that is also an input is refused before any work.

Every parameter that is a file says so in its annotation, by ``READS`` or ``WRITES``.
"""

from __future__ import annotations

import inspect
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from kgpath.errors import NotWritable


@dataclass(frozen=True)
class Reads:
    """A parameter that names a file or folder to read; ``-`` is standard input."""

    folders: bool = True  # else a folder of that name is not meant


@dataclass(frozen=True)
class Writes:
    """A parameter that names what to write; ``also`` gives what is written beside it."""

    option: str = "-o"
    also: Callable[[Path], Path] = lambda path: path


READS, READS_FILE, WRITES = Reads(), Reads(folders=False), Writes()
WRITES_CARD = Writes(also=lambda path: path.with_suffix(".md"))

#: What else belongs to a graph file, by its name.
_BESIDE_GRAPH = (".index", ".transe", ".transe.training")
#: A folder with one of these holds what kgpath put there, and nothing else.
_MANIFESTS = ("model.json", "SHA256SUMS")


def refuse_own_input(command: Callable[..., object], values: Mapping[str, Any]) -> None:
    """Refuse values of a command's parameters that would overwrite one by another."""
    roles = _roles(command)
    for name, role in roles.items():
        output = values.get(name)
        if isinstance(role, Writes) and isinstance(output, str) and output != "-":
            inputs = list(_inputs(roles, values))
            for place in {Path(output), role.also(Path(output))}:
                for given, status in inputs:
                    _refuse(place, given, status, role.option)


def _roles(command: Callable[..., object]) -> dict[str, Reads | Writes | None]:
    hints = get_type_hints(inspect.unwrap(command), include_extras=True)
    roles: dict[str, Reads | Writes | None] = {}
    for name, hint in hints.items():
        marks = (mark for mark in get_args(hint)[1:] if isinstance(mark, Reads | Writes))
        roles[name] = next(marks, None)
    return roles


def _inputs(
    roles: Mapping[str, Reads | Writes | None], values: Mapping[str, Any]
) -> Iterator[tuple[str, os.stat_result]]:
    """Every file and folder that is read, and what the system says of it."""
    for name, value in values.items():
        role = roles.get(name)
        for text in _texts(value):
            if isinstance(role, Reads):
                yield from _found(text, role.folders)
                if text == "-":
                    yield from _standard_input()
                for ending in _BESIDE_GRAPH:
                    yield from _found(text + ending)
            if not isinstance(role, Writes):
                # Within options, such as avg-word(vectors=glove.txt) or dev=dev.jsonl.
                for part in re.findall(r"=\s*([^,()=]+)", text):
                    yield from _found(part.strip(), folders=False)


def _texts(value: Any) -> Iterator[str]:
    """The texts of an option that is given once, several times, or several at a time."""
    if isinstance(value, list | tuple):
        yield from (text for part in value for text in _texts(part))
    elif isinstance(value, str):
        yield value


def _found(text: str, folders: bool = True) -> Iterator[tuple[str, os.stat_result]]:
    try:
        status = os.stat(text)
    except (OSError, ValueError):
        return
    if folders or not stat.S_ISDIR(status.st_mode):
        yield text, status


def _standard_input() -> Iterator[tuple[str, os.stat_result]]:
    try:
        yield "standard input", os.fstat(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):
        return  # not a file of the system


def _refuse(output: Path, given: str, status: os.stat_result, option: str) -> None:
    another = f"Choose another {option}."
    if _is(output, status):
        raise NotWritable(f"{output} is read by this command and would be lost. {another}")
    if not stat.S_ISDIR(status.st_mode):
        return
    inside = any(_is(folder, status) for folder in Path(os.path.realpath(output)).parents)
    ours = given.endswith(_BESIDE_GRAPH) or any(Path(given, name).exists() for name in _MANIFESTS)
    if inside and (ours or output.exists()):
        raise NotWritable(f"{output} lies in {given}, which is read by this command. {another}")


def _is(path: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), status)
    except (OSError, ValueError):
        return False
