"""kgpath export: a graph for other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, progress
from kgpath.cli.own_input import WRITES


def export(
    graph: opt.GraphFile,
    output: Annotated[
        str,
        typer.Option("-o", "--output", help="x.nt, x.graphml or x.tsv, .gz allowed; - stdout."),
        WRITES,
    ],
    format: Annotated[
        str | None, typer.Option(help="nt, graphml or tsv, if the name does not tell.")
    ] = None,
) -> None:
    """Write a graph as N-Triples, GraphML or a table.

    Example: kgpath export film.kg -o film.graphml
    """
    import kgpath
    from kgpath.storage.export import write_graph

    with kgpath.open(graph) as kg, progress() as report:
        write_graph(kg.store, output, format, report)
    if output != "-":
        note(f"{output} written")


COMMANDS = (export,)
