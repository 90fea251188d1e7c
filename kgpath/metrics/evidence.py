"""Evidence: are the sentences that are shown for the first path those that people marked?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import ClassVar

from kgpath.errors import UnknownName
from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.metric import Metric, Tools

PARTS = ("P", "R", "F1")


@dataclass(frozen=True)
class Evidence(Metric):
    """Precision, recall or F1 of the sentences shown for the facts of the first path.

    Only facts with marked sentences count, and only queries whose first path has such a fact: the
    others have no figure.
    """

    every_query: ClassVar[bool] = False
    part: str = "F1"

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            known = ", ".join(f"Evidence({part})" for part in PARTS)
            raise UnknownName(f"No Evidence({self.part}). Known: {known}.")

    def __str__(self) -> str:
        return f"Evidence({self.part})"

    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        return [self._of(query) for query in queries]

    def _of(self, query: JudgedRanking) -> float:
        found = query.evidence
        if found is None or not found.named:
            return nan
        return {"P": found.precision, "R": found.recall, "F1": found.f1}[self.part]
