"""The lines of a text file, plain or compressed, or of standard input."""

from __future__ import annotations

import bz2
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from kgpath.errors import BadSource


def read_lines(path: str | FilePath) -> Iterator[str]:
    """The lines of a UTF-8 file, ``.gz`` and ``.bz2`` unpacked; ``-`` is standard input."""
    file = FilePath(path)
    opened: Any = {".gz": gzip.open, ".bz2": bz2.open}.get(file.suffix, open)
    try:
        # A mark at the beginning belongs to the encoding, not to the first line.
        if str(path) == "-":
            yield from io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
            return
        with opened(file, "rt", encoding="utf-8-sig") as lines:
            yield from lines
    except FileNotFoundError:
        raise BadSource(f"There is no file {path}.") from None
    except UnicodeDecodeError as error:
        raise BadSource(
            f"{path} is not UTF-8 text ({error.reason}). Convert it with iconv."
        ) from error
    except (EOFError, OSError, zlib.error) as error:
        if getattr(error, "errno", None) is not None:
            raise  # the system says what is wrong
        raise BadSource(f"{path} is damaged ({error}). Fetch it again.") from error
