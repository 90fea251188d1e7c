"""How much a stranger's file may ask for: unpacked bytes, length of a line, depth of nesting.

The defaults are far above what real dumps need. Who needs more says so before the command
(``kgpath --max-line 1G build …``), in the environment (``KGPATH_MAX_LINE=1G``), or in Python:

    with kgpath.limited(line="1G"):
        kgpath.build(["long-lines.nt"], "film.kg")
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from functools import cache

from kgpath.errors import BadOption, BadSource

#: What is packed may unpack to so many times its size, whatever the limit: real dumps reach 30.
MOST_PACKED = 100
#: Beyond this depth the parsers we rely on may overflow the stack of a thread.
DEEPEST = 5_000
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d{1,15})\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_LARGEST = 1 << 60


@dataclass(frozen=True)
class Limits:
    """Sizes are in bytes; each has an option of the command line, ``--max-`` and its name."""

    unpacked: int = 1 << 25  # of a packed file, where it is more than MOST_PACKED times its size
    line: int = 1 << 26  # one line, one XML element's text, one page of a dump
    file: int = 1 << 30  # a file that is held in memory as a whole
    nesting: int = 500  # JSON, TOML, XML elements, quoted triples, brackets of Turtle

    def longest(self, usual: int) -> int:
        """The longest line of a format that ``usual``ly has shorter ones, if nobody said else."""
        return usual if self.line == Limits.line else self.line

    def changed(self, **values: int | str | None) -> Limits:
        """The same with some of them raised or lowered; None leaves one as it is."""
        given = {name: value for name, value in values.items() if value is not None}
        return replace(self, **{name: _value(name, value) for name, value in given.items()})


def limits() -> Limits:
    """The limits in force."""
    return _IN_FORCE.get() or _of_environment()


@contextmanager
def limited(
    *,
    unpacked: int | str | None = None,
    line: int | str | None = None,
    file: int | str | None = None,
    nesting: int | str | None = None,
) -> Iterator[Limits]:
    """Other limits for what is read within the block; sizes in bytes, or such as "64M".

    >>> with limited(line="64K") as changed:
    ...     print(changed.line, limits() == changed)
    65536 True
    """
    changed = limits().changed(unpacked=unpacked, line=line, file=file, nesting=nesting)
    token = _IN_FORCE.set(changed)
    try:
        yield changed
    finally:
        _IN_FORCE.reset(token)


def too_much(what: str, limit: str, name: str = "") -> BadSource:
    """The error for something beyond a limit; it says how to raise it."""
    return BadSource(f"{name}: {beyond(what, limit)}" if name else beyond(what, limit))


def beyond(what: str, limit: str, value: int | None = None) -> str:
    """What is beyond a limit, or a lower ``value``, and how to raise it, as a sentence.

    >>> beyond("a line of", "line")
    'a line of over 64 MB. If it is meant to be so: kgpath --max-line 128M …'
    """
    value = value or int(getattr(limits(), limit))
    if limit == "nesting":
        shown, more = f"{value:,} deep", f"{2 * value}"
        if value >= DEEPEST:
            return f"{what} over {shown}, which nothing can read"
    else:
        shown, more = shown_size(value), written_size(2 * value)
    return f"{what} over {shown}. If it is meant to be so: kgpath --max-{limit} {more} …"


def shown_size(size: int) -> str:
    """A size for people.

    >>> shown_size(1 << 28), shown_size(1500)
    ('256 MB', '1,500 bytes')
    """
    for unit in ("T", "G", "M", "K"):
        if size >= _UNITS[unit] and size % _UNITS[unit] == 0:
            return f"{size // _UNITS[unit]:,} {unit}B"
    return f"{size:,} bytes"


def written_size(size: int) -> str:
    """A size as the options take it."""
    shown = shown_size(size)
    return str(size) if shown.endswith("bytes") else shown.replace(",", "").replace(" ", "")[:-1]


def _value(name: str, given: int | str) -> int:
    match = _SIZE.fullmatch(str(given).strip())
    known = [one.name for one in fields(Limits)]
    if name not in known:
        raise BadOption(f"There is no limit {name!r}. Known: {', '.join(known)}.")
    value = int(match[1]) * _UNITS[match[2].upper()] if match else 0
    if name == "nesting" and not 1 <= value <= DEEPEST:
        raise BadOption(f"--max-nesting is {str(given)[:40]}; it can be 1 to {DEEPEST:,}.")
    if not 1 <= value <= _LARGEST:
        raise BadOption(
            f"--max-{name} is {str(given)[:40]}; it can be a number of bytes, or such as 64M or 2G."
        )
    return value


@cache
def _of_environment() -> Limits:
    """The defaults, changed by KGPATH_MAX_LINE and the like, as they are at the first use."""
    given = {one.name: os.environ.get(f"KGPATH_MAX_{one.name.upper()}") for one in fields(Limits)}
    return Limits().changed(**{name: value or None for name, value in given.items()})


_IN_FORCE: ContextVar[Limits | None] = ContextVar("kgpath limits", default=None)
