"""Other people's datasets as queries for evaluation and training, with a card beside them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgpath.errors import BadSource, NotWritable
from kgpath.io.atomic import open_text, replacing

_CARDS = Path(__file__).parent / "cards"
_FIGURES = "## What is in this file"


@dataclass(frozen=True)
class Conversion:
    """Queries as plain records, what could not be used, and the card of the dataset."""

    card: str
    records: list[dict[str, Any]]
    problems: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def figures(self) -> dict[str, int]:
        """What there is of each."""
        paths = [path for record in self.records for path in _paths_of(record)]
        lengths = Counter(len(path) // 2 for path in paths)
        return {
            "queries": len(self.records),
            "documents": len({record["document"] for record in self.records}),
            "entities": len({name for path in paths for name in path[::2]}),
            "relations": len({name.removeprefix("^") for path in paths for name in path[1::2]}),
            **{f"paths of {hops} hop{'s' * (hops > 1)}": lengths[hops] for hops in sorted(lengths)},
            **{f"left out: {reason}": count for reason, count in sorted(self.left_out.items())},
        }


def _paths_of(record: dict[str, Any]) -> list[list[str]]:
    """The true paths of a record."""
    return record["paths"] if "paths" in record else [record["path"]]


def write_conversion(made: Conversion, output: str | Path) -> Path:
    """Write the queries as JSON lines and the card beside them; returns where the card is."""
    output = Path(output)
    card = output.with_suffix(".md")
    if output.is_dir():
        raise NotWritable(f"{output} is a folder. Name a file in it: -o {output / 'queries.jsonl'}")
    if card == output:
        raise NotWritable(f"{output} is where the card goes. Name a file such as queries.jsonl.")
    if not made.records:
        first = f" First problem: {made.problems[0]}" if made.problems else ""
        raise BadSource(f"There is no query with a true path in it.{first}")
    _refuse_other_card(card)
    with replacing(card) as card_file, replacing(output) as query_file:
        card_file.write_text(_card_text(made), encoding="utf-8")
        with open_text(query_file) as lines:
            for record in made.records:
                lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    return card


def _refuse_other_card(card: Path) -> None:
    """The card goes where nobody named it: only another card may be lost there."""
    if card.is_file() and _FIGURES not in card.read_text(encoding="utf-8", errors="replace"):
        raise NotWritable(
            f"{card} is there already and is no card of a dataset, which would go there. Move it, "
            "or choose another -o."
        )


def _card_text(made: Conversion) -> str:
    """The card of the dataset, with what was made of it."""
    text = (_CARDS / f"{made.card}.md").read_text(encoding="utf-8")
    rows = "\n".join(f"| {what} | {count:,} |" for what, count in made.figures().items())
    return f"{text.rstrip()}\n\n{_FIGURES}\n\n| | |\n|---|---|\n{rows}\n"
