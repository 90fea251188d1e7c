"""Dialogues from a file, in whichever of the known formats it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path as FilePath
from types import ModuleType
from typing import Any

from kgpath.dialogue.formats import collected, gold, jsonl, opendialkg, parlai, single
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.errors import BadOption, BadSource
from kgpath.io.lines import read_text
from kgpath.io.plain_data import check_texts, from_json

#: Tried in this order; the first that fits the first dialogue is the format of the file.
FORMATS: tuple[ModuleType, ...] = (jsonl, collected, single, parlai, gold)
#: Nothing can be selected from these as they are.
WITHOUT_CANDIDATES = (gold, opendialkg)


class DialogueFile:
    """The dialogues of a file. ``problems`` names those that could not be used, and why."""

    def __init__(self, path: str | FilePath) -> None:
        self.name = "standard input" if str(path) == "-" else FilePath(path).name
        self.problems: list[str] = []
        text = read_text(path)
        if opendialkg.fits_text(text):
            self.format: ModuleType = opendialkg
            self.dialogues, self.problems = opendialkg.dialogues_of(text, self.name)
        else:
            items = self._items(text)
            self.format = self._format(items)
            self.dialogues = list(self._read(items))
        if not self.dialogues:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(f"{self.name} holds no dialogue that can be read.{first}")

    @property
    def turns(self) -> list[Turn]:
        """All turns of all dialogues, in order."""
        return [turn for dialogue in self.dialogues for turn in dialogue.turns]

    def dialogue(self, number: int) -> Dialogue:
        """One of the dialogues, counted from 1."""
        if not 1 <= number <= len(self.dialogues):
            raise BadOption(f"--dialogue is {number}, but {self.name} has {len(self.dialogues):,}.")
        return self.dialogues[number - 1]

    def _read(self, items: list[Any]) -> Iterator[Dialogue]:
        for number, item in enumerate(items, 1):
            try:
                if not isinstance(item, dict) or not self.format.fits(item):
                    raise ValueError(f"not in the format of the first one ({self.format.NAME})")
                check_texts(item)
                yield self._checked(self.format.dialogue_of(item, number))
            except ValueError as error:
                self.problems.append(f"{self.name}, dialogue {number}: {error}")

    def _checked(self, dialogue: Dialogue) -> Dialogue:
        if not dialogue.turns:
            raise ValueError("it has no turns")
        for at, turn in enumerate(dialogue.turns, 1):
            if not turn.query:
                raise ValueError(f"turn {at} has no text and no topic to ask with")
            if not turn.candidates and self.format not in WITHOUT_CANDIDATES:
                raise ValueError(f"turn {at} has no candidates to choose from")
        return dialogue

    def _items(self, text: str) -> list[Any]:
        """The objects of a JSON list, or of JSON lines."""
        try:
            if text.lstrip().startswith("["):
                items: list[Any] = from_json(text, whole_texts=False)
                return items
            # Not str.splitlines: a text may hold other signs that it takes for the end of a line.
            lines = (line for line in re.split("\r\n|\r|\n", text) if line.strip())
            return [from_json(line, whole_texts=False) for line in lines]
        except ValueError as error:
            raise BadSource(f"{self.name} is not JSON ({error}). {_known()}") from None

    def _format(self, items: list[Any]) -> ModuleType:
        if not items:
            raise BadSource(f"{self.name} is empty. {_known()}")
        first = items[0]
        for one in FORMATS:
            if isinstance(first, dict) and one.fits(first):
                return one
        if isinstance(first, dict):
            saw = f"an object with {', '.join(map(str, list(first)[:12])) or 'nothing in it'}"
        else:
            saw = f"a {type(first).__name__}"
        raise BadSource(
            f"{self.name} is in none of the known formats: it begins with {saw}. {_known()}"
        )


def _known() -> str:
    formats = "\n".join(f"  {one.NAME:<10} {one.LINE}" for one in (*FORMATS, opendialkg))
    return f"Known formats:\n{formats}"
