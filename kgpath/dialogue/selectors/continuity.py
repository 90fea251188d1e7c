"""Retrieval with a bonus for staying at the title that was chosen last."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgpath.dialogue.bm25 import BM25
from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector, first_best, relevance, source_of
from kgpath.dialogue.titles import title_key


class Continuity(Selector):
    """BM25 plus gamma for candidates of the title chosen last.

    A first turn has no title before it, unless the turn brings its source.
    """

    name = "bm25+continuity"

    def __init__(
        self,
        gamma: float = 0.2,
        k1: float = 1.2,
        b: float = 0.75,
        idf: str = "lucene",
        scaled: bool = True,
        scored: str = "sentence",
    ) -> None:
        self.gamma = gamma
        self.k1, self.b, self.idf, self.scaled, self.scored = k1, b, idf, scaled, scored
        self.bm25 = BM25(k1, b, idf, scaled)

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        scores = relevance(self.bm25, turn, self.scored)
        source = source_of(turn, before)
        bonus = np.zeros(len(scores))
        if any(not selection.skipped for selection in before) or turn.source:
            last = title_key(source)
            stays = [title_key(candidate.title) == last for candidate in turn.candidates]
            bonus[stays] = self.gamma
        return Selection(turn, self.name, source, first_best(scores + bonus), scores, bonus)
