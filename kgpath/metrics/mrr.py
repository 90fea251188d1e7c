"""MRR: the mean reciprocal rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgpath.metrics.first_rank import FirstRank
from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.metric import Metric, Tools


@dataclass(frozen=True)
class MRR(Metric):
    """1 / rank of the first true path; 0 where none was found."""

    def __str__(self) -> str:
        return "MRR"

    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        return [FirstRank.of(query).reciprocal() for query in queries]
