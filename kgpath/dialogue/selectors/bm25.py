"""Retrieval alone: the sentence that shares most with what was just said."""

from __future__ import annotations

from collections.abc import Sequence

from kgpath.dialogue.bm25 import BM25
from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector, first_best, relevance, source_of


class BM25Choice(Selector):
    """The best candidate by BM25 over the turn's own candidates; no history."""

    name = "bm25"

    def __init__(
        self,
        k1: float = 1.2,
        b: float = 0.75,
        idf: str = "lucene",
        scaled: bool = True,
        scored: str = "sentence",
    ) -> None:
        self.k1, self.b, self.idf, self.scaled, self.scored = k1, b, idf, scaled, scored
        self.bm25 = BM25(k1, b, idf, scaled)

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        scores = relevance(self.bm25, turn, self.scored)
        return Selection(
            turn, self.name, source_of(turn, before), first_best(scores), scores, scores * 0.0
        )
