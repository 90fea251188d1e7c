"""Whole dialogues with the true sentence of each turn but no candidates: meta and dialogue.

Enough to train and measure the evidence detector; nothing can be selected from it.
"""

from __future__ import annotations

from typing import Any

from kgpath.dialogue.records import Dialogue, Turn

NAME = "gold"
LINE = "a list of dialogues with meta (true sentences) and dialogue (pairs of post and response)"


def fits(item: dict[str, Any]) -> bool:
    return isinstance(item.get("meta"), list) and isinstance(item.get("dialogue"), list)


def dialogue_of(item: dict[str, Any], number: int) -> Dialogue:
    """A dialogue from plain data; ValueError says what is wrong with it."""
    meta, pairs = item["meta"], item["dialogue"]
    if len(meta) != len(pairs):
        raise ValueError(f"{len(meta)} entries in meta, but {len(pairs)} in dialogue")
    name = str(item.get("id") or f"dialogue {number}")
    history: list[str] = []
    turns = []
    for at, (gold, pair) in enumerate(zip(meta, pairs, strict=True), 1):
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_is_text, pair)):
            raise ValueError(f"turn {at}: dialogue holds something that is no pair of texts")
        if not isinstance(gold, list) or not all(map(_is_text, gold)):
            raise ValueError(f"turn {at}: meta holds something that is no list of sentences")
        turns.append(
            Turn(
                pair[0], (), gold_sentence=gold[0] if gold else "", grounded=bool(gold),
                response=pair[1], history=tuple(history), id=f"{name}, turn {at}",
            )
        )  # fmt: skip
        history += pair
    return Dialogue(name, tuple(turns))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
