"""Retrieval alone: the sentence that shares most with what was just said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgpath.dialogue.bm25 import BM25, Numbers
from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector, check, first_best, source_of
from kgpath.errors import BadOption

#: Which text of a candidate is compared with the query.
SCORED = ("sentence", "title+sentence")


@dataclass(kw_only=True, eq=False)
class BM25Choice(Selector):
    """The best candidate by BM25 over the turn's own candidates; no history.

    Selectors that add a bonus to this are its subclasses, and have its options too.
    """

    name = "bm25"
    k1: float = 1.2
    b: float = 0.75
    idf: str = "lucene"
    scaled: bool = True
    scored: str = "sentence"

    def __post_init__(self) -> None:
        self.bm25 = BM25(self.k1, self.b, self.idf, self.scaled)

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        scores = self.relevance(turn)
        return Selection(
            turn, self.name, source_of(turn, before), first_best(scores), scores, scores * 0.0
        )

    def relevance(self, turn: Turn) -> Numbers:
        """How well each candidate fits the query."""
        check(turn)
        if self.scored == "sentence":
            return self.bm25.scores(turn.query, [candidate[1] for candidate in turn.candidates])
        if self.scored == "title+sentence":
            texts = [f"{title} {text}" for title, text in turn.candidates]
            return self.bm25.scores(turn.query, texts)
        raise BadOption(f"scored is {self.scored!r}; it can be {' or '.join(SCORED)}.")
