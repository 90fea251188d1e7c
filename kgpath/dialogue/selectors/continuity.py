"""Retrieval with a bonus for staying at the title that was chosen last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.bm25 import BM25Choice
from kgpath.dialogue.selectors.selector import first_best, source_of
from kgpath.dialogue.titles import title_key


@dataclass(kw_only=True, eq=False)
class Continuity(BM25Choice):
    """BM25 plus gamma for candidates of the title chosen last.

    A first turn has no title before it, unless the turn brings its source.
    """

    name = "bm25+continuity"
    gamma: float = 0.2

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        scores = self.relevance(turn)
        source = source_of(turn, before)
        bonus = np.zeros(len(scores))
        if any(not selection.skipped for selection in before) or turn.source:
            last = title_key(source)
            stays = [title_key(candidate.title) == last for candidate in turn.candidates]
            bonus[stays] = self.gamma
        return Selection(turn, self.name, source, first_best(scores + bonus), scores, bonus)
