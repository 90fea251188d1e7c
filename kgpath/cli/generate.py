"""kgpath generate: a synthetic dataset of texts, pairs and true paths from any graph."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import (
    interruptible,
    note,
    print_json,
    print_table,
    progress,
    resumable,
)
from kgpath.cli.own_input import READS, READS_FILE, WRITES


def generate(
    recipe: Annotated[
        str,
        typer.Argument(metavar="RECIPE", help="A TOML file, or one that ships: synthetic-s."),
        READS_FILE,
    ],
    graph: Annotated[
        str, typer.Option("--graph", "-g", help="A graph file, such as film.kg."), READS
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The folder of the dataset."), WRITES
    ],
    seed: Annotated[int | None, typer.Option(min=0, help="Instead of the recipe's own.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    json: opt.AsJson = False,
) -> None:
    """Make a dataset of texts, pairs and true paths from a graph.

    The same recipe, graph and seed give the same bytes, whatever the number of workers. An
    interrupted run goes on where it was when the same command is given again.

    Example: kgpath generate synthetic-s --graph film.kg -o synthetic-s
    """
    import kgpath
    from kgpath.datasets.synthetic.generate import generate as make
    from kgpath.datasets.synthetic.recipe import read_recipe

    chosen = read_recipe(recipe, **({} if seed is None else {"seed": seed}))
    with (
        interruptible(resumable(output)),
        kgpath.open(graph) as kg,
        progress("documents") as report,
    ):
        made = make(kg, chosen, output, workers=workers, progress=report)
    if made.resumed:
        note(f"{made.resumed:,} documents were there from an earlier run.")
    for said in made.notes:
        note(said)
    if json:
        print_json({**made._asdict(), "path": str(made.path)})
        return
    show(made.figures)
    note(f"{made.path}: README.md there says more.")
    note(f"Measure on it: kgpath evaluate {graph} {output}/test.jsonl --candidates given")


def show(figures: dict[str, dict[str, Any]]) -> None:
    """Print Table 2, the whole first."""
    from kgpath.datasets.statistics import table

    ordered = {"all": figures["all"], **{k: v for k, v in figures.items() if k != "all"}}
    columns = tuple(ordered)
    print_table(("", *columns), table(ordered), right=columns)


COMMANDS = (generate,)
