"""A dialogue that goes on turn by turn: typed by a person, or as lines of a program."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from kgpath.dialogue.forms import jsonl
from kgpath.dialogue.records import Candidate, Turn
from kgpath.errors import BadSource


class Conversation:
    """What was said so far, and the candidates that can be talked about."""

    def __init__(self, candidates: Iterable[Candidate] = (), topic: str = "") -> None:
        self.candidates = tuple(dict.fromkeys(candidates))
        self.topic = topic
        self._history: tuple[str, ...] = ()
        self._turns = 0

    def say(self, text: str) -> Turn:
        """The turn that answers a text."""
        self._turns += 1
        name = f"turn {self._turns}"
        return Turn(text, self.candidates, self.topic, history=self._history, id=name)

    def given(self, line: str) -> Turn:
        """The turn in a JSON line, which brings its own candidates."""
        self._turns += 1
        try:
            data = json.loads(line)
            if not isinstance(data, dict) or "candidates" not in data:
                raise ValueError("not an object with query and candidates")
            whole = {"topic": data.get("topic"), "turns": [data]}
            (turn,) = jsonl.dialogue_of(whole, self._turns).turns
            if not turn.query:
                raise ValueError("no query and no topic to ask with")
        except (ValueError, RecursionError) as error:
            raise BadSource(f"line {self._turns}: {error}") from None
        turn = replace(turn, id=data.get("id") or f"turn {self._turns}")
        return turn if turn.history else replace(turn, history=self._history)

    def answered(self, turn: Turn, response: str) -> None:
        """Remember what was said and what was answered."""
        self._history = (*self._history, turn.query, response)
