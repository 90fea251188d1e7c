"""JSON that a component wrote, read back with care: the file may be a stranger's by now."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from kgpath.io.plain_data import from_json

#: A file larger than this is refused: the words of three million vectors need about 60 MB.
MOST_BYTES = 256 * 2**20

Kind = TypeVar("Kind")


def read_json(path: Path, kind: type[Kind], most: int = MOST_BYTES) -> Kind:
    """What a file holds, which has to be of this kind; OSError or ValueError if it cannot be read.

    Numbers are finite, no key stands twice, and nothing is nested beyond the limit.
    """
    return parse_json(read_regular(path, most), kind)


def read_regular(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, which is no device or pipe that might never end."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it is larger than {most:,} bytes")
    return content


def open_regular(path: Path) -> BinaryIO:
    """A file to read from; ValueError if it is a folder, a device or a pipe."""
    # Opening a pipe would wait for somebody to write.
    file = open(path, "rb", opener=_at_once)  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError("it is not a file")
    return file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def parse_json(content: bytes | str, kind: type[Kind]) -> Kind:
    """The same of what was read already."""
    found = from_json(content, keys_once=True)
    if not isinstance(found, kind):
        raise ValueError(f"it holds {_NAMES.get(type(found), 'a number')}, not {_NAMES[kind]}")
    return found


def finite(value: Any, name: str) -> float:
    """A number that is one; ValueError if it is not."""
    number = float(value) if isinstance(value, int | float) and abs(value) < _LARGEST else None
    if number is None or isinstance(value, bool):
        raise ValueError(f"{name} is not a finite number")
    return number


_LARGEST = 1e300
_NAMES: dict[type, str] = {
    dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"
}  # fmt: skip
