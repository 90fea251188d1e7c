"""What may connect two things, fetched from an endpoint into a graph file for one query."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kgpath.io.progress import Progress, silent
from kgpath.kg_build.build import build
from kgpath.kg_build.filters import Filters
from kgpath.kg_build.sparql.source import LiveSource


class Fetched(NamedTuple):
    """A temporary graph file, and the IRIs of the two things in it."""

    path: str
    head: str
    tail: str


@contextmanager
def fetched_graph(
    live: LiveSource, ends: tuple[str, str], filters: Filters, progress: Progress = silent
) -> Iterator[Fetched]:
    """Fetch what may connect two things, by name or IRI; the file goes when the block ends."""
    with TemporaryDirectory(prefix="kgpath-") as folder:
        output = Path(folder) / "fetched.kg"
        head, tail = live.find_ends(ends, filters)
        build((), output, filters=filters, live=live, progress=progress)
        yield Fetched(str(output), head, tail)
