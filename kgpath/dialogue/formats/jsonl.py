"""Dialogues in kgpath's own format: one JSON object a line, which stays as it is between versions.

    {"id": "…", "topic": "…", "turns": [
        {"query": "…", "candidates": [["TITLE", "SENTENCE"], …], "label": 3, "gold": "…",
         "grounded": true, "response": "…", "history": ["…"], "source": "…", "path": ["…"]}, …]}

Only query and candidates must be there; a label of null says that the true one is not among them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kgpath.dialogue.formats.knowledge import text_of, texts_of, with_gold
from kgpath.dialogue.records import Candidate, Dialogue, Turn
from kgpath.dialogue.titles import clean_title
from kgpath.io.atomic import open_text, replacing

NAME = "kgpath"
LINE = "kgpath's own JSON lines: a dialogue each, with turns of query and candidates"


def fits(item: dict[str, Any]) -> bool:
    turns = item.get("turns")
    return isinstance(turns, list) and all(
        isinstance(turn, dict) and "candidates" in turn for turn in turns
    )


def dialogue_of(item: dict[str, Any], number: int) -> Dialogue:
    """A dialogue from plain data; ValueError says what is wrong with it."""
    name = str(item.get("id") or f"dialogue {number}")
    topic = text_of(item, "topic")
    return Dialogue(name, tuple(_turns(item["turns"], name, topic)), topic)


def _turns(turns: list[dict[str, Any]], name: str, topic: str) -> Iterator[Turn]:
    for at, data in enumerate(turns, 1):
        try:
            turn = Turn(
                text_of(data, "query") or topic,
                _candidates(data["candidates"]),
                topic,
                gold_sentence=text_of(data, "gold"),
                grounded=data.get("grounded"),
                response=text_of(data, "response"),
                history=tuple(texts_of(data, "history")),
                source=text_of(data, "source"),
                path=tuple(texts_of(data, "path")),
                id=text_of(data, "id") or f"{name}, turn {at}",
            )
            turn = with_gold(turn, data.get("label"))
        except ValueError as error:
            raise ValueError(f"turn {at}: {error}") from None
        yield replace(turn, grounded=bool(turn.gold_sentence)) if _unsaid(turn) else turn


def _unsaid(turn: Turn) -> bool:
    return turn.grounded is None and bool(turn.gold_sentence)


def _candidates(candidates: Any) -> tuple[Candidate, ...]:
    if not isinstance(candidates, list):
        raise ValueError("candidates is not a list")
    for at, pair in enumerate(candidates):
        whole = isinstance(pair, list) and len(pair) == 2 and all(isinstance(p, str) for p in pair)
        if not whole or not pair[0].strip():
            raise ValueError(f"candidate {at} is not a pair of title and sentence")
    return tuple(Candidate(clean_title(title), sentence) for title, sentence in candidates)


def write(dialogues: Iterable[Dialogue], path: str | Path) -> None:
    """Write dialogues to a file, which appears whole or not at all."""
    with replacing(Path(path)) as temporary, open_text(temporary) as lines:
        lines.writelines(lines_of(dialogues))


def lines_of(dialogues: Iterable[Dialogue]) -> Iterator[str]:
    """Dialogues as lines of this format."""
    for dialogue in dialogues:
        turns = [_turn_data(turn) for turn in dialogue.turns]
        data = {"id": dialogue.id, "topic": dialogue.topic, "turns": turns}
        yield json.dumps(data, ensure_ascii=False) + "\n"


def _turn_data(turn: Turn) -> dict[str, Any]:
    return {
        "id": turn.id,
        "query": turn.query,
        "candidates": [list(candidate) for candidate in turn.candidates],
        "label": turn.gold,
        "gold": turn.gold_sentence,
        "grounded": turn.grounded,
        "response": turn.response,
        "history": list(turn.history),
        "source": turn.source,
        "path": list(turn.path),
    }
