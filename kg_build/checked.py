"""Streams whose bytes are checked before a parser sees them: parsers in C and Rust may not survive.

A check is given what comes next, and says how much of it may be handed on.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Any

from kgpath.errors import BadSource
from kgpath.io.limits import limits, too_much

#: Takes the bytes that wait, and whether they are the last; gives how many are found good.
Check = Callable[[bytes, bool], int]
_BLOCK = 1 << 20
#: Where the parsers of RDF give up; what waits longer would be checked again and again in vain.
PARSER_GIVES_UP = 1 << 24


class _Checked(io.RawIOBase):
    def __init__(self, stream: IO[bytes], check: Check, name: str) -> None:
        self._stream, self._check, self._name = stream, check, name
        self._longest = limits().line
        self._waiting = self._good = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._good and not self._ended:
            block = self._stream.read(_BLOCK)
            self._ended = not block
            self._waiting += block
            count = self._check(self._waiting, self._ended)
            self._good, self._waiting = self._waiting[:count], self._waiting[count:]
            if len(self._waiting) > self._longest:
                raise too_much("a line or a text of", "line", self._name)
            if len(self._waiting) > PARSER_GIVES_UP:
                raise BadSource(f"{self._name} cannot be read: a statement is over 16 MB.")
        size = min(len(buffer), len(self._good))
        buffer[:size] = self._good[:size]
        self._good = self._good[size:]
        return size


def checked(stream: IO[bytes], check: Check, name: str) -> io.BufferedReader:
    """The same bytes, no farther than the check has found them good."""
    return io.BufferedReader(_Checked(stream, check, name), _BLOCK)
