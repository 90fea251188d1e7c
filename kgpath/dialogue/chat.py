"""Turns that come one by one: typed by a person, or as lines of a program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgpath.dialogue.forms import jsonl
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.errors import BadSource


def turns_to_say(about: Dialogue, lines: Iterable[str]) -> Iterator[Turn]:
    """A turn for each line said; all candidates of a dialogue can be talked about."""
    everything = (candidate for turn in about.turns for candidate in turn.candidates)
    candidates = tuple(dict.fromkeys(everything))
    history: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        yield Turn(line, candidates, about.topic, history=history, id=f"turn {number}")
        history = (*history, line)


def turns_from_lines(lines: Iterable[str]) -> Iterator[Turn]:
    """A turn from each JSON line, as soon as it comes; the history is what came before."""
    history: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if not isinstance(data, dict) or "candidates" not in data:
                raise ValueError("not an object with query and candidates")
            given = {"topic": data.get("topic"), "turns": [data]}
            (turn,) = jsonl.dialogue_of(given, number).turns
            if not turn.query:
                raise ValueError("no query and no topic to ask with")
        except (ValueError, RecursionError) as error:
            raise BadSource(f"line {number}: {error}") from None
        turn = replace(turn, id=data.get("id") or f"turn {number}")
        yield turn if turn.history else replace(turn, history=history)
        history = (*history, turn.query)
