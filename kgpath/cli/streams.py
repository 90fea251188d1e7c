"""Standard output and error of a command: nothing harmful gets through, and no loss is silent."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from kgpath.io.clean_text import ESCAPED, CleanStream, Stream
from kgpath.io.standard_output import output_explained


@contextmanager
def clean_streams() -> Iterator[None]:
    """Within the block both streams are clean, whatever their encoding; then they are as before."""
    given = sys.stdin, sys.stdout, sys.stderr
    _fill_closed_descriptors()
    with _escaping(sys.stdout), _escaping(sys.stderr), open(os.devnull) as nothing:
        sys.stdin = sys.stdin or nothing
        sys.stdout = _clean(_Results(sys.stdout or cast(TextIO, _Closed())))
        sys.stderr = _clean(_Notes(sys.stderr or io.StringIO()))
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = given
            for stream in filter(None, given[1:]):
                _flush_or_drop(stream)


def keep_clean() -> None:
    """Clean the streams again that a progress bar has put in the place of ours."""
    sys.stdout, sys.stderr = _clean(sys.stdout), _clean(sys.stderr)


def _clean(stream: TextIO | Stream) -> TextIO:
    return cast(TextIO, stream if isinstance(stream, CleanStream) else CleanStream(stream))


class _Results(Stream):
    """Standard output: what cannot be written ends the command, a closed pipe does so quietly."""

    def write(self, text: str) -> int:
        with output_explained():
            return super().write(text)

    def flush(self) -> None:
        with output_explained():
            super().flush()


class _Notes(Stream):
    """Standard error: there is no place left to say that it cannot be written."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


class _Closed(io.TextIOBase):
    """Standard output where there is none, after ``>&-``."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


@contextmanager
def _escaping(stream: Any) -> Iterator[None]:
    """Let a stream escape what its encoding does not have."""
    if not isinstance(stream, io.TextIOWrapper):
        yield
        return
    errors = stream.errors
    stream.reconfigure(errors=ESCAPED)
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            stream.reconfigure(errors=errors)


def _fill_closed_descriptors() -> None:
    """No file that we open gets the number of a standard stream that was closed."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _flush_or_drop(stream: TextIO) -> None:
    """Python flushes once more when it ends: what failed before must not fail again, aloud."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, stream.fileno())
            os.close(nothing)
