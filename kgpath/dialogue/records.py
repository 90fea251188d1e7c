"""What a dialogue is made of: candidates, turns, dialogues."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

#: The title of the candidate that stands for "this turn used no evidence".
NO_PASSAGE = "no_passages_used"


class Candidate(NamedTuple):
    """A sentence that a turn could be grounded in, and the title of the page it is from."""

    title: str
    sentence: str

    @property
    def is_evidence(self) -> bool:
        """Whether it is a sentence, not the entry for "no passage used"."""
        return self.title != NO_PASSAGE


@dataclass(frozen=True)
class Turn:
    """One turn to ground: what was said before, and the sentences to choose from.

    ``query`` is what the other side just said, ``gold`` the place of the true sentence among the
    candidates; None where it is not known or not among them. ``gold_sentence`` is the true
    sentence, if it is known; an empty one with ``grounded`` False means that the turn used none.
    ``source`` is the title that the dialogue is at, where that is known, and ``path`` the entities
    that the true answer goes through.
    """

    query: str
    candidates: tuple[Candidate, ...] = field(repr=False)
    topic: str = ""
    gold: int | None = None
    gold_sentence: str = ""
    grounded: bool | None = None
    response: str = field(default="", repr=False)
    history: tuple[str, ...] = field(default=(), repr=False)
    source: str = ""
    path: tuple[str, ...] = ()
    id: str = ""

    @property
    def gold_title(self) -> str | None:
        """The page of the true sentence; None where it is not among the candidates."""
        return None if self.gold is None else self.candidates[self.gold].title


@dataclass(frozen=True)
class Dialogue:
    """The turns of one dialogue that are to be grounded, in order."""

    id: str
    turns: tuple[Turn, ...]
    topic: str = ""
