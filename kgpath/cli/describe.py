"""kgpath describe: the figures of a dataset of contextual paths."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli.generate import show
from kgpath.cli.output import AsJson, note, print_json, progress, show_problems

if TYPE_CHECKING:
    from kgpath.datasets.statistics import Tally


def describe(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="A folder of JSON lines, or one such file.")
    ],
    graph: Annotated[
        str | None, typer.Option("--graph", "-g", help="Count its entities and relations too.")
    ] = None,
    picture: Annotated[
        str | None, typer.Option(help="Draw histograms of lengths and candidates: a .png or .svg.")
    ] = None,
    results: Annotated[
        list[str] | None,
        typer.Option(help="Put into the card what evaluate --json printed; again for each."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Say what a dataset holds: texts, pairs, paths, candidates.

    The rows are those of Table 2 of Lo & Lim (2023), for datasets of kgpath generate and for
    any JSON lines with document, head, tail and path.

    Example: kgpath describe synthetic-s --picture synthetic-s.png
    """
    from kgpath.datasets.statistics import files_of
    from kgpath.datasets.synthetic.card import add_results

    files = files_of(dataset)
    if results:
        add_results(Path(dataset), map(Path, results))
        note(f"{dataset}/README.md: results written")
    problems: list[str] = []
    figures = _figures(files, problems)
    _add_graph(figures, dataset, graph)
    if picture:
        from kgpath.datasets.histograms import draw

        draw(figures["all"], Path(dataset).name, Path(picture))
        note(f"{picture} written")
    show_problems("Lines left out", problems)
    if json:
        print_json({"dataset": dataset, "figures": figures, "problems": problems})
    else:
        show(figures)


def _figures(files: dict[str, Path], problems: list[str]) -> dict[str, dict[str, Any]]:
    from kgpath.datasets.statistics import tally_of, together
    from kgpath.errors import BadSource

    tallies: dict[str, Tally] = {}
    with progress("pairs") as report:
        for name, path in files.items():
            done = 0

            def counted(start: int, query: object, record: object, name: str = name) -> None:
                nonlocal done
                done += 1
                report(f"reading {name}", done, 0)

            tallies[name] = tally_of(path, problems, counted)
    if not any(tally.pairs for tally in tallies.values()):
        first = f" First problem: {problems[0]}" if problems else ""
        raise BadSource(
            f"{', '.join(path.name for path in files.values())}: no query there. Write one JSON "
            f"object a line, with document, head, tail and path.{first}"
        )
    figures = {name: tally.figures() for name, tally in tallies.items()}
    return {"all": together(tallies.values()).figures(), **(figures if len(files) > 1 else {})}


def _add_graph(figures: dict[str, dict[str, Any]], dataset: str, graph: str | None) -> None:
    """The size of the graph: of the one named, else as the dataset's own notes say."""
    import json

    import kgpath
    from kgpath.datasets.synthetic.card import ABOUT

    if graph is not None:
        with kgpath.open(graph) as kg:
            size = {"graph_entities": len(kg), "graph_relations": len(kg.relations())}
    else:
        try:
            known = json.loads((Path(dataset) / ABOUT).read_text("utf-8"))["figures"]["all"]
            size = {key: known[key] for key in ("graph_entities", "graph_relations")}
        except (OSError, ValueError, KeyError, TypeError):
            return
    for column in figures.values():
        column.update(size)


COMMANDS = (describe,)
