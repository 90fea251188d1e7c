"""What every selector is: a turn and the selections before it in, a selection out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from kgpath.dialogue.records import Dialogue, Turn
from kgpath.dialogue.selection import Numbers, Selection
from kgpath.errors import BadOption


class Selector(ABC):
    """Chooses one candidate of a turn. The constructor only stores parameters."""

    name = ""

    @abstractmethod
    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        """The choice for a turn; ``before`` are those of the dialogue's earlier turns."""

    def select_all(self, dialogue: Dialogue) -> list[Selection]:
        """One turn after the other: each choice is what the next one starts from."""
        made: list[Selection] = []
        for turn in dialogue.turns:
            made.append(self.select(turn, made))
        return made


def check(turn: Turn) -> None:
    """Refuse a turn that nothing can be chosen for."""
    if not turn.candidates:
        raise BadOption(f"{turn.id or 'The turn'} has no candidates to choose from.")


def source_of(turn: Turn, before: Sequence[Selection]) -> str:
    """Where the dialogue is: the title chosen last, else the turn's own source, else its topic.

    Where the detector decided against evidence, nothing was chosen and the source stays.
    """
    for selection in reversed(before):
        if not selection.skipped:
            return selection.title
    return turn.source or turn.topic


def first_best(scores: Numbers) -> int:
    """The place of the highest score; of equal ones the first."""
    return int(np.argmax(scores))
