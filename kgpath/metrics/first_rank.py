"""The rank of the first true path, where tied candidates come in a random order."""

from __future__ import annotations

from math import comb, fsum
from typing import NamedTuple

from kgpath.metrics.judged_ranking import JudgedRanking


class FirstRank(NamedTuple):
    """Where the true path with the best score stands, as far as the scores can tell.

    ``above`` candidates have a better score; ``tied`` have the same, itself included, and ``true``
    of these are true. All orders of the tied ones are equally likely. The first true one is then
    at place j among them with chance C(tied - j, true - 1) / C(tied, true); all figures follow.
    """

    above: int
    tied: int
    true: int

    @classmethod
    def of(cls, query: JudgedRanking) -> FirstRank:
        """The first rank in a judged ranking; an empty group if no true path was found."""
        if not query.true:
            return cls(len(query.scores), 0, 0)
        best = max(query.scores[place] for place in query.true)
        return cls(
            sum(score > best for score in query.scores),
            query.scores.count(best),
            sum(query.scores[place] == best for place in query.true),
        )

    def reciprocal(self) -> float:
        """The expected 1 / rank; 0 if there is no true path.

        >>> FirstRank(above=1, tied=2, true=1).reciprocal() == (1/2 + 1/3) / 2
        True
        """
        if not self.true:
            return 0.0
        orders = comb(self.tied, self.true)
        return fsum(
            comb(self.tied - j, self.true - 1) / (orders * (self.above + j))
            for j in range(1, self.tied + 1)
        )

    def within(self, k: int) -> float:
        """The chance that the first true path is among the first ``k``.

        >>> FirstRank(above=1, tied=4, true=1).within(3)
        0.5
        """
        places = min(max(k - self.above, 0), self.tied)
        if not self.true or not places:
            return 0.0
        orders = comb(self.tied, self.true)
        return (orders - comb(self.tied - places, self.true)) / orders
