"""What is fuzzed: good files, a way to spoil them, and the commands that read them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from fuzz.base import Base
from fuzz.mutators import json_text, lines, packed, raw
from fuzz.seeds import Files


@dataclass(frozen=True)
class Mutant:
    """Spoiled files; ``main`` is the one that the command is given."""

    files: Files
    main: str
    must_refuse: bool = False


Mutate = Callable[[Random, Files], Mutant]


@dataclass(frozen=True)
class Target:
    """A reader, or a kind of file, with the commands that read it.

    In a command ``{input}`` is the name of the spoiled file, ``{text}`` its content, ``{base}`` the
    folder of what is whole, ``{url}`` where files are served as answers of an endpoint. Outputs
    go into ``out/``. ``then`` are commands for what was written there: their exit code is 0.
    ``same`` says that whatever is answered has to be the answer for the good files. ``ceiling`` is
    how many MiB a command may take. ``covers`` names entries of registries.
    """

    name: str
    group: str
    seeds: Callable[[Base], list[Files]]
    mutate: Mutate
    commands: tuple[str, ...]
    covers: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    same: bool = False
    ceiling: int = 512
    env: dict[str, str] = field(default_factory=dict)
    main: str = ""  # what a command is given, if it is not the first file
    share: int = 1  # how many inputs it gets, as a multiple of others

    def argv(self, number: int, mutant: Mutant, places: dict[str, str]) -> list[str]:
        """The command for the n-th input."""
        parts = shlex.split(self.commands[number % len(self.commands)])
        return filled(parts, mutant, places)

    def mutants(self, base: Base, seed: int) -> Iterator[Mutant]:
        """Spoiled inputs without an end; the same seed gives the same ones."""
        good = self.seeds(base)
        number = 0
        while True:
            rng = Random(f"{seed}/{self.name}/{number}")
            yield self.mutate(rng, dict(rng.choice(good)))
            number += 1


def filled(parts: Sequence[str], mutant: Mutant, places: dict[str, str]) -> list[str]:
    """The words of a command with what they stand for."""
    content = mutant.files.get(mutant.main, b"")[:100_000]
    # No argument can hold a zero byte; what is no UTF-8 comes as a shell would pass it.
    text = content.replace(b"\0", b"").decode("utf-8", "surrogateescape")
    known = {"{input}": mutant.main, "{text}": text, **places}
    return [_replaced(part, known) for part in parts]


def _replaced(part: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        if name in part:
            return part.replace(name, value)
    return part


def text(*tokens: bytes, pack: bool = True, numbers: bool = False) -> Mutate:
    """Spoils one of the files: as bytes, as lines, as JSON if it is JSON, or by packing it.

    With ``numbers`` half of the changes are to a number alone.
    """

    def mutate(rng: Random, files: Files) -> Mutant:
        main = next(iter(files))
        name = rng.choice(list(files))
        if numbers and rng.random() < 0.5:
            data = raw.change_number(rng, files[name])
        else:
            data = _spoiled(rng, files[name], tokens)
        new = name
        if pack and rng.random() < 0.1:
            new, data = packed.mutated(rng, name, data)
        changed = {new if one == name else one: files[one] for one in files}
        changed[new] = data
        return Mutant(changed, new if name == main else main)

    return mutate


def _spoiled(rng: Random, data: bytes, tokens: tuple[bytes, ...]) -> bytes:
    if data[:1] in (b"{", b"[") and rng.random() < 0.6:
        return json_text.mutated(rng, data) or data
    if rng.random() < 0.25:
        return lines.mutated(rng, data)
    return raw.mutated(rng, data, tokens)
