"""Results on standard output: whole, or with a word on why they are not."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kgpath.errors import NotWritable
from kgpath.io.clean_text import ESCAPED, unescaped


def write_data(chunks: Iterable[str]) -> None:
    """Write text that has a format of its own: for programs as it is, and in UTF-8.

    On a terminal it is escaped like everything else: there, nothing may do harm.
    """
    out = unescaped(sys.stdout)
    if out.isatty() or not hasattr(out, "buffer"):
        sys.stdout.writelines(chunks)
        return
    with output_explained():
        out.flush()
    for chunk in chunks:
        data = chunk.encode("utf-8", ESCAPED)
        with output_explained():
            out.buffer.write(data)
    with output_explained():
        out.buffer.flush()


@contextmanager
def output_explained() -> Iterator[None]:
    """Say what happened where standard output is closed or full; a reader that left is no loss."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NotWritable(
            f"Standard output cannot be written: {error.strerror}. Results are missing there."
        ) from error
