"""kgpath export: a graph for other programs."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli.output import GraphFile, note, progress

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.io.progress import Progress


def export(
    graph: GraphFile,
    output: Annotated[
        str, typer.Option("-o", "--output", help="x.nt, x.graphml or x.tsv, .gz allowed; - stdout.")
    ],
    format: Annotated[
        str | None, typer.Option(help="nt, graphml or tsv, if the name does not tell.")
    ] = None,
) -> None:
    """Write a graph as N-Triples, GraphML or a table.

    Example: kgpath export film.kg -o film.graphml
    """
    import kgpath
    from kgpath.io.atomic import replacing
    from kgpath.storage.export import lines

    name = output.removesuffix(".gz")
    chosen = format or ("nt" if output == "-" else Path(name).suffix.lstrip("."))
    with kgpath.open(graph) as kg:
        pieces = lines(kg.store, chosen)
        if output == "-":
            with closing(pieces):  # before the file is, also when the reader of the pipe has gone
                sys.stdout.writelines(pieces)
            return
        with progress() as report, replacing(Path(output)) as temporary:
            pieces = _counted(pieces, report, f"writing {Path(output).name}", kg)
            if output.endswith(".gz"):
                # No time stamp: the same graph gives the same bytes.
                with (
                    temporary.open("wb") as raw,
                    gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
                ):
                    packed.writelines(piece.encode() for piece in pieces)
            else:
                with temporary.open("w", encoding="utf-8", newline="") as file:
                    file.writelines(pieces)
    note(f"{output} written")


def _counted(
    pieces: Generator[str, None, None], report: Progress, what: str, kg: Graph
) -> Generator[str, None, None]:
    """Passes the pieces on; their number is about that of edges, names and types."""
    total = sum(
        kg.store.one(f"SELECT count(*) FROM {table}")[0]
        for table in ("edge", "name", "entity_type")
    )
    for number, piece in enumerate(pieces):
        if number % 10_000 == 0:
            report(what, min(number, total), total)
        yield piece


COMMANDS = (export,)
