"""Recall: did the search find the true paths at all, whatever their rank?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.metric import Metric, Tools


@dataclass(frozen=True)
class Recall(Metric):
    """Share of the true paths that are among the candidates: no ranker can reach more."""

    def __str__(self) -> str:
        return "Recall"

    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        return [len(query.true) / (len(query.true) + query.missing) for query in queries]
