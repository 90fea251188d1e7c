"""kgpath convert: other people's datasets as queries with known answers."""

from __future__ import annotations

from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, show_problems
from kgpath.cli.own_input import READS, WRITES_CARD


def convert(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="What the file is; see: kgpath ls datasets.")
    ],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Plain or .gz or .bz2; - for stdin."), READS
    ],
    output: Annotated[
        str,
        typer.Option("-o", "--output", help="JSON lines to write; a card goes beside them."),
        WRITES_CARD,
    ],
    json: opt.AsJson = False,
) -> None:
    """Make queries for evaluate and train from another dataset.

    Example: kgpath convert opendialkg dialogues.jsonl.gz -o queries.jsonl
    """
    from kgpath.datasets.conversion import write_conversion
    from kgpath.plugins import DATASETS

    made = DATASETS.make(dataset).convert(file)
    card = write_conversion(made, output)
    figures = made.figures()
    show_problems("Problems", made.problems)
    if json:
        print_json(
            {"path": output, "card": str(card), "figures": figures, "problems": made.problems}
        )
        return
    reasons = [f"{reason} {count:,}" for reason, count in sorted(made.left_out.items())]
    if reasons:
        note(f"Left out: {', '.join(reasons)}.")
    print(
        f"{output}: {figures['queries']:,} queries over {figures['documents']:,} documents, "
        f"{figures['entities']:,} entities, {figures['relations']:,} relations; card {card}"
    )


COMMANDS = (convert,)
