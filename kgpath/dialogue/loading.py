"""Dialogues from a file, whichever of the known forms it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path as FilePath
from types import ModuleType
from typing import Any

from kgpath.dialogue.forms import collected, gold, jsonl, opendialkg, parlai, single
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.errors import BadSource
from kgpath.io.lines import read_lines

#: Tried in this order; the first that fits the first dialogue is the form of the file.
FORMS: tuple[ModuleType, ...] = (jsonl, collected, single, parlai, gold)
#: Nothing can be selected from these as they are.
WITHOUT_CANDIDATES = (gold, opendialkg)


class DialogueFile:
    """The dialogues of a file. ``problems`` names those that could not be used, and why."""

    def __init__(self, path: str | FilePath) -> None:
        self.name = "standard input" if str(path) == "-" else FilePath(path).name
        self.problems: list[str] = []
        text = "".join(read_lines(path))
        if opendialkg.fits_text(text):
            self.form: ModuleType = opendialkg
            self.dialogues, self.problems = opendialkg.dialogues_of(text, self.name)
        else:
            items = self._items(text)
            self.form = self._form(items)
            self.dialogues = list(self._read(items))
        if not self.dialogues:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(f"{self.name} holds no dialogue that can be read.{first}")

    @property
    def turns(self) -> list[Turn]:
        """All turns of all dialogues, in order."""
        return [turn for dialogue in self.dialogues for turn in dialogue.turns]

    def _read(self, items: list[Any]) -> Iterator[Dialogue]:
        for number, item in enumerate(items, 1):
            try:
                if not isinstance(item, dict) or not self.form.fits(item):
                    raise ValueError(f"not in the form of the first one ({self.form.NAME})")
                yield self._checked(self.form.dialogue_of(item, number))
            except ValueError as error:
                self.problems.append(f"{self.name}, dialogue {number}: {error}")

    def _checked(self, dialogue: Dialogue) -> Dialogue:
        if not dialogue.turns:
            raise ValueError("it has no turns")
        for at, turn in enumerate(dialogue.turns, 1):
            if not turn.query:
                raise ValueError(f"turn {at} has no text and no topic to ask with")
            if not turn.candidates and self.form not in WITHOUT_CANDIDATES:
                raise ValueError(f"turn {at} has no candidates to choose from")
        return dialogue

    def _items(self, text: str) -> list[Any]:
        """The objects of a JSON list, or of JSON lines."""
        try:
            if text.lstrip().startswith("["):
                items: list[Any] = json.loads(text)
                return items
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            raise BadSource(f"{self.name} is not JSON ({error}). {_known()}") from None

    def _form(self, items: list[Any]) -> ModuleType:
        if not items:
            raise BadSource(f"{self.name} is empty. {_known()}")
        first = items[0]
        for form in FORMS:
            if isinstance(first, dict) and form.fits(first):
                return form
        if isinstance(first, dict):
            saw = f"an object with {', '.join(map(str, list(first)[:12])) or 'nothing in it'}"
        else:
            saw = f"a {type(first).__name__}"
        raise BadSource(
            f"{self.name} is in none of the known forms: it begins with {saw}. {_known()}"
        )


def _known() -> str:
    forms = "\n".join(f"  {form.NAME:<10} {form.LINE}" for form in (*FORMS, opendialkg))
    return f"Known forms:\n{forms}"
