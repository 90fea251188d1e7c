"""Single turns, each with its own history: post, response, knowledge, one label."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgpath.dialogue.formats.knowledge import candidates_of, text_of, texts_of, with_gold
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.dialogue.titles import clean_title

NAME = "single"
LINE = "a list of single turns with post, knowledge and labels (one number)"


def fits(item: dict[str, Any]) -> bool:
    return isinstance(item.get("post"), str) and isinstance(item.get("knowledge"), list)


def dialogue_of(item: dict[str, Any], number: int) -> Dialogue:
    """A dialogue of one turn; its source is the last wizard's title where known, else the topic."""
    name = str(item.get("id") or f"turn {number}")
    topic = text_of(item, "topic")
    turn = Turn(
        text_of(item, "post") or topic,
        candidates_of(item["knowledge"]),
        topic,
        response=text_of(item, "response"),
        history=tuple(texts_of(item, "history")),
        source=clean_title(text_of(item, "source") or text_of(item, "last_title")),
        id=name,
    )
    turn = with_gold(turn, item.get("labels", item.get("label")))
    if turn.gold is None and (sentence := text_of(item, "gold_sentence")):
        turn = replace(turn, gold_sentence=sentence, grounded=True)
    return Dialogue(name, (turn,), topic)
