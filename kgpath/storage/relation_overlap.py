"""How far two hop codes join the same entities, and entities of the same types.

What is counted is the same whichever end a hop is read from, and does not depend on ids.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgpath.storage.hop_codes import inverse

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class HopEnds:
    """The entities that each hop code leads from, one code after the other, each in order.

    Those of code c are ``starts[first[c]:first[c + 1]]``, once for every fact.
    """

    starts: NDArray[np.int32]
    first: Counts

    @classmethod
    def of(
        cls, offsets: NDArray[np.int64], hop_offsets: NDArray[np.int64], codes: NDArray[np.int32],
        most: int,
    ) -> HopEnds:  # fmt: skip
        """From the arrays of an index; ``most`` is how many codes there can be."""
        starts = np.repeat(
            np.arange(len(offsets) - 1, dtype=np.int32), np.diff(hop_offsets[offsets])
        )
        order = np.argsort(codes, kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=most))])
        return cls(starts[order], first.astype(np.int64))

    def of_code(self, code: int) -> NDArray[np.int32]:
        """The entities that one code leads from."""
        return self.starts[self.first[code] : self.first[code + 1]]

    @property
    def facts(self) -> Counts:
        """How many facts each code has."""
        return np.diff(self.first)


def shared_pairs(
    hop_offsets: NDArray[np.int64], codes: NDArray[np.int32], most: int
) -> tuple[Counts, Counts]:
    """Pairs of codes that join the same two entities in the same order, and how often they do.

    A pair has the smaller code first and stands as one number, ``smaller · most + larger``.
    """
    pair = np.repeat(np.arange(len(hop_offsets) - 1), np.diff(hop_offsets))
    keys = []
    for step in range(1, int(np.diff(hop_offsets).max(initial=1))):
        together = np.flatnonzero(pair[step:] == pair[:-step])
        keys.append(codes[together].astype(np.int64) * most + codes[together + step])
    joined = np.concatenate(keys) if keys else np.empty(0, np.int64)
    return np.unique(joined, return_counts=True)


class Agreement:
    """How often two codes say the same where both say anything.

    Of the facts of one code whose start has some fact of the other, too, the share that both have;
    the least of this share from either code, and from either end.
    """

    def __init__(self, ends: HopEnds, entities: int) -> None:
        self._ends = ends
        self._has = np.zeros(entities, dtype=np.bool_)

    def of(self, one: int, other: int, shared: int) -> tuple[float, int]:
        """The share, and the fewest facts that it was taken of."""
        asked = [
            self._asked(a, b)
            for first, second in ((one, other), (other, one))
            for a, b in ((first, second), (inverse(first), inverse(second)))
        ]
        return min(shared / count if count else 0.0 for count in asked), min(asked)

    def _asked(self, one: int, other: int) -> int:
        """How many facts of one code begin where the other has a fact, too."""
        there = self._ends.of_code(other)
        self._has[there] = True
        count = int(np.count_nonzero(self._has[self._ends.of_code(one)]))
        self._has[there] = False
        return count
