"""Hits@k: is a true path among the first k?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgpath.errors import BadOption
from kgpath.metrics.first_rank import FirstRank
from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.metric import Metric, Tools


@dataclass(frozen=True)
class Hits(Metric):
    """Whether a true path is among the first k; where a tie decides, its chance."""

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadOption(f"There is no Hits@{self.k}; k is 1 or more.")

    def __str__(self) -> str:
        return f"Hits@{self.k}"

    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        return [FirstRank.of(query).within(self.k) for query in queries]
