"""Files as streams of bytes: plain, gzip, bzip2 or standard input, unpacked within limits."""

from __future__ import annotations

import bz2
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from kgpath.errors import BadSource
from kgpath.io.limits import MOST_PACKED, beyond, limits, too_much

_GZIP = re.compile(rb"\x1f\x8b")
# A text may begin with BZ, too: what follows in a packed file is a block, or the end.
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_BLOCK = 1 << 20


class MissingFile(BadSource):
    """There is no such file."""


class Counted(io.RawIOBase):
    """Passes bytes through and counts them as they lie on disk."""

    def __init__(self, raw: IO[bytes]) -> None:
        self.raw = raw
        self.bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.raw.read(len(buffer))
        size = len(data)
        buffer[:size] = data
        self.bytes += size
        self.passed(data)
        return size

    def passed(self, data: bytes) -> None:
        """Called with all that is read."""


class _Unpacked(io.RawIOBase):
    """What comes out of a packed stream, as long as it is in proportion to what went in."""

    def __init__(self, unpacking: IO[bytes], packed: Counted, name: str) -> None:
        self._unpacking, self._packed, self._name = unpacking, packed, name
        self._limit = limits().unpacked
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacking.read(len(buffer))
        size = len(data)
        self._bytes += size
        if self._bytes > max(self._limit, MOST_PACKED * self._packed.bytes):
            raise BadSource(
                f"{self._name} unpacks to "
                + beyond(f"more than {MOST_PACKED} times its size, and to", "unpacked")
            )
        buffer[:size] = data
        return size


def unpacked(packed: Counted, name: str, ending: str = "") -> io.BufferedReader:
    """The bytes of a stream; unpacked if its name's ending or else its beginning says so."""
    stream: io.BufferedReader = io.BufferedReader(packed, 1 << 18)
    start = b"" if ending in (".gz", ".bz2") else stream.peek(16)
    unpacking: Any
    if ending == ".gz" or _GZIP.match(start):
        unpacking = gzip.GzipFile(fileobj=stream)
    elif ending == ".bz2" or _BZIP2.match(start):
        unpacking = bz2.BZ2File(stream)
    else:
        return stream
    return io.BufferedReader(_Unpacked(unpacking, packed, name), _BLOCK)


@contextmanager
def open_bytes(path: str | Path) -> Iterator[io.BufferedReader]:
    """The unpacked bytes of a file; ``-`` is standard input."""
    file, standard = Path(path), str(path) == "-"
    try:
        raw: Any = sys.stdin.buffer if standard else file.open("rb")
    except FileNotFoundError:
        raise MissingFile(f"There is no file {path}.") from None
    try:
        yield unpacked(Counted(raw), name_of(path), "" if standard else file.suffix)
    except (EOFError, OSError, zlib.error) as error:
        if getattr(error, "errno", None) is not None:
            raise  # the system says what is wrong
        raise BadSource(f"{path} is damaged ({error}). Fetch it again.") from error
    finally:
        if not standard:
            raw.close()


def read_whole(path: str | Path) -> bytes:
    """All bytes of a file that has to be held in memory as a whole."""
    with open_bytes(path) as stream:
        return whole(stream, name_of(path))


def whole(stream: IO[bytes], name: str) -> bytes:
    """All that is left in a stream, if that is not too much for memory."""
    most = limits().file
    parts: list[bytes] = []
    size = 0
    while data := stream.read(_BLOCK):
        size += len(data)
        if size > most:
            raise too_much("it has to be read into memory as a whole, and is", "file", name)
        parts.append(data)
    return b"".join(parts)


def name_of(path: str | Path) -> str:
    """What messages call a file."""
    return "standard input" if str(path) == "-" else Path(path).name
