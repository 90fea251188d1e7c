"""OpenDialKG: every utterance is a turn; its source is the entity the dialogue was at.

There are no candidate sentences: :mod:`kgpath.dialogue.fact_candidates` takes facts of a graph.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from kgpath.datasets.opendialkg import dialogues as source
from kgpath.dialogue.records import Dialogue, Turn

NAME = "opendialkg"
LINE = "OpenDialKG: its CSV with Messages, or JSON lines of turns with sender and gold_paths"


def fits_text(text: str) -> bool:
    """Whether a file is OpenDialKG, by its first line."""
    first = text.lstrip().partition("\n")[0]
    return first.startswith(("Messages,", "Messages\r")) or (
        first.startswith("{") and '"sender"' in first and '"turns"' in first
    )


def dialogues_of(text: str, name: str) -> tuple[list[Dialogue], list[str]]:
    """The dialogues of a file, and what could not be read of it."""
    file = _TextFile(text, name)
    dialogues = [_dialogue(one) for one in file.dialogues]
    return [dialogue for dialogue in dialogues if dialogue.turns], file.problems


class _TextFile(source.OpenDialKGFile):
    """A file that was read already, to see what it is."""

    def __init__(self, text: str, name: str) -> None:
        self.name, self.problems = name, []
        self.dialogues = list(self._read(io.StringIO(text, newline=None)))


def _dialogue(one: source.Dialogue) -> Dialogue:
    return Dialogue(one.id, tuple(_turns(one)))


def _turns(one: source.Dialogue) -> Iterator[Turn]:
    said: list[str] = []
    for number, turn in enumerate(one.turns, 1):
        head = turn.entities[0] if turn.path else ""
        if said:
            yield Turn(
                said[-1],
                (),
                grounded=bool(turn.path),
                response=turn.text,
                history=tuple(said[:-1]),
                source=head or (turn.previous[-1] if turn.previous else ""),
                path=turn.entities if turn.path else (),
                id=f"dialogue {one.id}, turn {number}",
            )
        said.append(turn.text)
