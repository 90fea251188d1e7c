"""Queries from other datasets, and the card beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.datasets.conversion import Conversion, write_conversion
from kgpath.errors import NotWritable

RECORD = {"document": "A met B.", "head": "a", "tail": "b", "path": ["a", "met", "b"]}


def test_a_card_replaces_a_card_and_nothing_else(tmp_path: Path) -> None:
    made = Conversion("opendialkg", [RECORD])
    output, card = tmp_path / "q.jsonl", tmp_path / "q.md"
    card.write_text("# My notes\n")
    with pytest.raises(NotWritable) as refused:
        write_conversion(made, output)
    assert str(refused.value) == (
        f"{card} is there already and is no card of a dataset, which would go there. Move it, or "
        "choose another -o."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["q.md"]
    card.unlink()
    assert write_conversion(made, output) == write_conversion(made, output) == card
    assert "| queries | 1 |" in card.read_text()
