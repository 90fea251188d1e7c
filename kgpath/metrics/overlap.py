"""How far what is shown and what is named agree: precision, recall and F1 of two sets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple


class Overlap(NamedTuple):
    """How many things are in both sets, in the one shown and in the one named.

    >>> one = Overlap.of({1, 2}, {2, 3, 4})
    >>> one.precision, one.recall == 1 / 3, one.f1
    (0.5, True, 0.4)
    """

    common: int = 0
    shown: int = 0
    named: int = 0

    @classmethod
    def of(cls, shown: Collection[int], named: Collection[int]) -> Overlap:
        """The overlap of two sets."""
        return cls(len(set(shown) & set(named)), len(set(shown)), len(set(named)))

    @classmethod
    def sum(cls, overlaps: Iterable[Overlap]) -> Overlap:
        """All together, as for micro averages."""
        columns = list(zip(*overlaps, strict=True))
        return cls(*map(sum, columns)) if columns else cls()

    @property
    def precision(self) -> float:
        """The share of what is shown that is named; 0 if nothing is shown."""
        return self.common / self.shown if self.shown else 0.0

    @property
    def recall(self) -> float:
        """The share of what is named that is shown; 0 if nothing is named."""
        return self.common / self.named if self.named else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both; 0 if nothing is in both."""
        return 2 * self.common / (self.shown + self.named) if self.common else 0.0
