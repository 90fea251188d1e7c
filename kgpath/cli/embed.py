"""kgpath embed: TransE vectors of a graph, for the encoders that need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import interruptible, note, print_json, print_table, progress

if TYPE_CHECKING:
    from pathlib import Path

    from kgpath.encoders.vectors.embedding import Embedding


def embed(
    graph: opt.GraphFile,
    configuration: Annotated[
        str, typer.Option(help="quick, or paper: 500 epochs in small steps, for hours.")
    ] = "quick",
    minutes: Annotated[
        float | None, typer.Option(help="Stop training after this time; quick: 20.")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Stop after so many epochs, whatever time they take.")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="For the same vectors again, with --epochs.")
    ] = 0,
    restart: Annotated[
        bool, typer.Option("--restart", help="Drop an interrupted training, do not resume it.")
    ] = False,
    json: opt.AsJson = False,
) -> None:
    """Train TransE vectors of a graph, for encoders that need them.

    They are written beside the graph file. A training that was interrupted goes on where it
    stopped. The figures tell how well held-out facts are found: the rank of the true entity among
    all, other true ones left out.

    Example: kgpath embed film.kg --minutes 10
    """
    import kgpath
    from kgpath.encoders.vectors.embed import embed_graph
    from kgpath.encoders.vectors.embedding import folder_of

    resumed = "The same command goes on where it stopped; --restart starts again."
    with interruptible(resumed), kgpath.open(graph) as kg, progress() as report:
        made = embed_graph(
            kg, configuration=configuration, minutes=minutes, epochs=epochs, seed=seed,
            restart=restart, progress=report,
        )  # fmt: skip
        folder = folder_of(kg)
    if json:
        print_json({"path": str(folder), "entities": len(made.entities), **made.about})
    else:
        _show(made, folder)


def _show(made: Embedding, folder: Path) -> None:
    about = made.about
    print(
        f"{folder}: {len(made.entities):,} entities, {len(made.relations):,} relations, "
        f"{made.size} dimensions"
    )
    rows = [(name, about[name]) for name in ("validation", "test") if about[name]]
    if rows:
        print_table(
            ("held out", "facts", *_FIGURES),
            [(name, row["facts"], *(f"{row[key]:.4f}" for key in _FIGURES)) for name, row in rows],
            right=("facts", *_FIGURES),
        )
    else:
        note("The graph is too small to hold out facts: there are no figures.")
    note(
        f"{about['epochs']:,} epochs in {about['seconds'] / 60:.1f} minutes, ended by "
        f"{about['stopped_by']}; the best was epoch {about['best_epoch']:,}. Ranks are filtered, "
        "both ends, among all entities; ties by the mean."
    )


_FIGURES = ("MRR", "Hits@1", "Hits@10")

COMMANDS = (embed,)
