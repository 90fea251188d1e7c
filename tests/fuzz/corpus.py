"""Every past failure: files of ``corpus/`` by target, those made when needed, altered folders."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from fuzz.altered_folders import ALTERED
from fuzz.base import Base
from fuzz.big_inputs import BIG
from fuzz.seeds import Files
from fuzz.target import Mutant, Target
from fuzz.targets import TARGETS

FOLDER = Path(__file__).parent / "corpus"
#: MiB that a reader may take for what is large when unpacked, or endless; see SECURITY.md.
CEILING = 2048


class Entry(NamedTuple):
    """An input that once did harm, and the target that reads it."""

    name: str
    target: Target
    mutant: Mutant


def folder_of(target: Target) -> Path:
    """Where the files for a target lie."""
    return FOLDER / re.sub("[^a-z]+", "-", target.name).strip("-")


def entries(target: Target, base: Base) -> Iterator[Entry]:
    """All that is kept for a target."""
    folder = folder_of(target)
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        for number, files in enumerate(target.seeds(base)[:2] if file.suffix == ".sql" else [{}]):
            name = f"{file.name} {number}" if number else file.name
            yield Entry(name, target, _mutant(target, base, file, files))
    large = replace(target, ceiling=max(CEILING, target.ceiling))
    for name, make in BIG.get(target.name, {}).items():
        yield Entry(name, large, given(target, base, name, make()))
    for name, alter in ALTERED.get(target.name, {}).items():
        good = target.seeds(base)[0]
        main = target.main or next(iter(good))
        extra = name == "extra-file"
        yield Entry(name, target, Mutant(alter(dict(good)), main, must_refuse=extra))


def unknown_folders() -> set[str]:
    """Folders of the corpus that no target reads."""
    known = {folder_of(target).name for target in TARGETS}
    return {path.name for path in FOLDER.iterdir() if path.is_dir()} - known


def _mutant(target: Target, base: Base, file: Path, files: Files) -> Mutant:
    if file.suffix != ".sql":
        return given(target, base, file.name, file.read_bytes())
    main = next(iter(files))
    return Mutant({**files, main: changed_by(files[main], file.read_text(encoding="utf-8"))}, main)


def given(target: Target, base: Base, name: str, data: bytes) -> Mutant:
    """The file among those that the commands of the target also need.

    Where a command names its files itself, it takes the place of the one that its name begins
    with, or that ends alike.
    """
    good = target.seeds(base)[0]
    if any("{input}" in command or "{text}" in command for command in target.commands):
        first = next(iter(good))
        return Mutant({name: data, **{n: d for n, d in good.items() if n != first}}, name)
    by_name = [file for file in good if name.startswith(Path(file).stem)]
    alike = [file for file in good if Path(file).suffix == Path(name).suffix]
    place = (by_name or alike)[0]
    return Mutant({**good, place: data}, next(iter(good)))


def changed_by(graph: bytes, statements: str) -> bytes:
    """A graph file after some SQL."""
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(graph)
        db.executescript(statements)
        return db.serialize()
    finally:
        db.close()
