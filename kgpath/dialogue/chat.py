"""A dialogue that goes on turn by turn: typed by a person, or as lines of a program."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from kgpath.dialogue.formats import jsonl
from kgpath.dialogue.generator import Generator, copy
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector
from kgpath.errors import BadSource
from kgpath.io.plain_data import from_json


class Reply(NamedTuple):
    """What was selected for a turn, and the response made of it."""

    selection: Selection
    response: str


class Chat:
    """Answers one turn after the other, and knows what was said so far.

    ``about`` is a dialogue whose candidates can be talked about; without one, every turn is a JSON
    line that brings its own.
    """

    def __init__(
        self, selector: Selector, generator: Generator = copy, about: Dialogue | None = None
    ) -> None:
        self._selector, self._generator, self._about = selector, generator, about
        turns = about.turns if about else ()
        self._candidates = tuple(dict.fromkeys(c for turn in turns for c in turn.candidates))
        self._history: tuple[str, ...] = ()
        self._made: list[Selection] = []

    def reply(self, line: str) -> Reply:
        """Select for what was just said, and answer."""
        name = f"turn {len(self._made) + 1}"
        turn = self._turn_of(line, name) if self._about is None else self._said(line, name)
        selection = self._selector.select(turn, self._made)
        self._made.append(selection)
        response = self._generator(selection)
        self._history = (*self._history, turn.query, response)
        return Reply(selection, response)

    def _said(self, text: str, name: str) -> Turn:
        """The turn that answers a text."""
        assert self._about is not None
        topic = self._about.topic
        return Turn(text, self._candidates, topic, history=self._history, id=name)

    def _turn_of(self, line: str, name: str) -> Turn:
        """The turn in a JSON line, which brings its own candidates."""
        number = len(self._made) + 1
        try:
            data = from_json(line)
            if not isinstance(data, dict) or "candidates" not in data:
                raise ValueError("not an object with query and candidates")
            whole = {"topic": data.get("topic"), "turns": [data]}
            (turn,) = jsonl.dialogue_of(whole, number).turns
            if not turn.query:
                raise ValueError("no query and no topic to ask with")
        except ValueError as error:
            raise BadSource(f"line {number}: {error}") from None
        turn = replace(turn, id=str(data.get("id") or name))
        return turn if turn.history else replace(turn, history=self._history)
