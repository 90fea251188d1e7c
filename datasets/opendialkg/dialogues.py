"""OpenDialKG: dialogues whose turns walk a graph, with the path each turn took.

Two forms are read: the CSV file that its authors publish (``Messages``, a JSON list of chat
messages and of the paths chosen before them), and JSON lines with a dialogue each (``turns`` of
``sender``, ``text`` and ``gold_paths``).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadSource
from kgpath.io.limits import limits
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json

_CHOICE = "kgwalk/choose_path"
_LONGEST_CELL = 1 << 24


class Step(NamedTuple):
    """One fact as the speaker walked it; a relation with ``^`` in front is walked backwards."""

    head: str
    relation: str
    tail: str


@dataclass(frozen=True)
class Turn:
    """What somebody said, and the path through the graph it rests on, if any.

    ``previous`` are the entities of the paths before this turn, each at its latest place, so that
    the last of them is where the dialogue stood.
    """

    speaker: str
    text: str
    path: tuple[Step, ...] = ()
    previous: tuple[str, ...] = ()

    @property
    def entities(self) -> tuple[str, ...]:
        """The entities along the path, from its head to its tail."""
        return (*(step.head for step in self.path), *(step.tail for step in self.path[-1:]))


@dataclass(frozen=True)
class Dialogue:
    """The turns of one conversation, in order."""

    id: str
    turns: tuple[Turn, ...]


class OpenDialKGFile:
    """The dialogues of a file. ``problems`` says what could not be used, where, and why."""

    def __init__(self, path: str | Path) -> None:
        self.name = "standard input" if str(path) == "-" else Path(path).name
        self.problems: list[str] = []
        self.dialogues = list(self._read(read_lines(path, self._bad)))
        if not self.dialogues:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(f"{self.name} holds no dialogue. {_FORMS}{first}")

    def _bad(self, number: int, reason: str) -> None:
        self.problems.append(f"{self.name}:{number}: {reason}")

    def _read(self, lines: Iterator[str]) -> Iterator[Dialogue]:
        first = next((line for line in lines if line.strip()), "")
        lines = chain([first], lines)
        if first.lstrip().startswith("{"):
            rows = self._json_rows(lines)
        elif "Messages" in first:
            rows = self._csv_rows(lines)
        else:
            raise BadSource(f"{self.name} begins with {first.strip()[:60]!r}. {_FORMS}")
        for number, name, messages in rows:
            turns = self._turns(messages, f"{self.name}, dialogue {name or number}")
            if turns:
                yield Dialogue(name or str(number), turns)

    def _json_rows(self, lines: Iterable[str]) -> Iterator[tuple[int, str, list[Any]]]:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                data = from_json(line)
                if not isinstance(data, dict) or "turns" not in data:
                    raise ValueError("no turns")
            except ValueError as error:
                self._bad(number, str(error))
                continue
            name = data.get("n", data.get("id", ""))
            yield number, str(name), data["turns"]

    def _csv_rows(self, lines: Iterable[str]) -> Iterator[tuple[int, str, list[Any]]]:
        csv.field_size_limit(limits().longest(_LONGEST_CELL))
        rows = csv.DictReader(lines)
        number = 0
        while True:
            number += 1
            try:
                row = next(rows)
                yield number, "", list(_with_paths(from_json(row["Messages"] or "")))
            except StopIteration:
                return
            except (ValueError, csv.Error, KeyError) as error:
                self.problems.append(f"{self.name}, dialogue {number}: {error}")

    def _turns(self, messages: Any, where: str) -> tuple[Turn, ...]:
        turns: list[Turn] = []
        seen: dict[str, None] = {}
        for number, message in enumerate(messages if isinstance(messages, list) else [], 1):
            if not isinstance(message, dict) or not isinstance(message.get("text"), str):
                self.problems.append(f"{where}, turn {number}: no text. It is left out.")
                continue
            path: tuple[Step, ...] = ()
            try:
                path = _path(message.get("gold_paths") or [])
            except ValueError as error:
                self.problems.append(f"{where}, turn {number}: {error}. The path is left out.")
            speaker = str(message.get("sender", ""))
            turns.append(Turn(speaker, message["text"].strip(), path, tuple(seen)))
            for entity in turns[-1].entities:
                seen.pop(entity, None)
                seen[entity] = None
        if not turns:
            self.problems.append(f"{where}: no turn with a text. It is left out.")
        return tuple(turns)


_FORMS = (
    "Known are the published CSV with a column Messages, and JSON lines with turns, each with "
    "sender, text and gold_paths."
)


def _with_paths(messages: Any) -> Iterator[dict[str, Any]]:
    """The chat messages of the published form, each with the paths its speaker chose before it."""
    if not isinstance(messages, list):
        raise ValueError("Messages is not a list")
    chosen: dict[str, list[Any]] = {}
    for message in messages:
        if not isinstance(message, dict):
            raise ValueError("a message is not an object")
        sender = str(message.get("sender", ""))
        if message.get("type") == "chat":
            paths = chosen.pop(sender, [])
            yield {"sender": sender, "text": message.get("message"), "gold_paths": paths}
        elif message.get("action_id") == _CHOICE:
            # Who chose twice went with the second.
            chosen[sender] = [{"triples": _chosen(message.get("metadata"))}]


def _chosen(metadata: Any) -> Any:
    """The triples of a choice: its path is a score, the triples, and the path in words."""
    path = metadata.get("path") if isinstance(metadata, dict) else None
    if not path:
        return None
    if not isinstance(path, list) or len(path) < 2:
        raise ValueError("a chosen path is not a score and its triples")
    return path[1]


def _path(paths: Any) -> tuple[Step, ...]:
    """The steps of a turn's path; of several, the first."""
    if not isinstance(paths, list) or not all(isinstance(path, dict) for path in paths):
        raise ValueError("gold_paths is not a list of objects")
    triples = (paths[0].get("triples") if paths else None) or []
    if not isinstance(triples, list):
        raise ValueError("triples is not a list")
    steps: list[Step] = []
    for triple in triples:
        if (
            not isinstance(triple, list)
            or len(triple) != 3
            or not all(isinstance(name, str) and name.strip() for name in triple)
        ):
            raise ValueError("a step of the path is not head, relation and tail")
        head, relation, tail = map(str.strip, triple)
        if steps and steps[-1].tail != head:
            raise ValueError(f"the path breaks off at {steps[-1].tail} and goes on at {head}")
        if relation.startswith("~"):
            relation = "^" + relation[1:]
        steps.append(Step(head, relation, tail))
    return tuple(steps)
