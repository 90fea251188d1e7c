"""The lines of a text file, plain or compressed, or of standard input; all of it as one text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath

from kgpath.errors import BadSource
from kgpath.io.limits import beyond, limits, too_much
from kgpath.io.streams import name_of, open_bytes, read_whole


def read_lines(
    path: str | FilePath, bad: Callable[[int, str], object] | None = None
) -> Iterator[str]:
    """The lines of a UTF-8 file, unpacked; ``-`` is standard input.

    A line that is too long is an error; or, where lines that cannot be used are counted, ``bad``
    is told its number and the reason, and an empty line stands for it.
    """
    longest = limits().line
    number = 0
    try:
        with open_bytes(path) as stream:
            # A mark at the beginning belongs to the encoding, not to the first line.
            text = io.TextIOWrapper(stream, encoding="utf-8-sig")
            try:
                while line := text.readline(longest + 1):
                    number += 1
                    if len(line) > longest and not line.endswith("\n"):
                        if bad is None:
                            raise too_much("a line of", "line", f"{name_of(path)}:{number}")
                        while line and not line.endswith("\n"):
                            line = text.readline(longest)
                        bad(number, beyond("a line of", "line"))
                        line = "\n"
                    yield line
            finally:
                if not text.closed:
                    text.detach()  # standard input stays open
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from error


def read_text(path: str | FilePath) -> str:
    """A UTF-8 file as one text; its line ends are as they stand."""
    try:
        return read_whole(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from error


def _not_utf8(path: str | FilePath, error: UnicodeDecodeError) -> BadSource:
    return BadSource(f"{path} is not UTF-8 text ({error.reason}). Convert it with iconv.")
