"""kgpath describe: the figures of a dataset of contextual paths."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.generate import show
from kgpath.cli.output import note, print_json, progress, show_problems
from kgpath.cli.own_input import READS, Writes


def describe(
    dataset: Annotated[
        str,
        typer.Argument(metavar="DATASET", help="A folder of JSON lines, or one such file."),
        READS,
    ],
    graph: Annotated[
        str | None,
        typer.Option("--graph", "-g", help="Count its entities and relations too."),
        READS,
    ] = None,
    picture: Annotated[
        str | None,
        typer.Option(help="Draw histograms of lengths and candidates: a .png or .svg."),
        Writes("--picture"),
    ] = None,
    results: Annotated[
        list[str] | None,
        typer.Option(help="Put into the card what evaluate --json printed; again for each."),
        READS,
    ] = None,
    json: opt.AsJson = False,
) -> None:
    """Say what a dataset holds: texts, pairs, paths, candidates.

    The rows are those of Table 2 of Lo & Lim (2023), for datasets of kgpath generate and for
    any JSON lines with document, head, tail and path.

    Example: kgpath describe synthetic-s --picture synthetic-s.png
    """
    from kgpath.datasets.description import describe as described
    from kgpath.datasets.synthetic.card import add_results

    if results:
        add_results(Path(dataset), map(Path, results))
        note(f"{dataset}/README.md: results written")
    with progress("pairs") as report:
        figures, problems = described(dataset, graph, report)
    if picture:
        from kgpath.datasets.histograms import draw

        draw(figures["all"], Path(dataset).name, Path(picture))
        note(f"{picture} written")
    show_problems("Lines left out", problems)
    if json:
        print_json({"dataset": dataset, "figures": figures, "problems": problems})
    else:
        show(figures)


COMMANDS = (describe,)
