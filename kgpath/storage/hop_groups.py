"""Pairs of hop codes that mean the same, joined to groups in which every pair does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kgpath.storage.hop_codes import inverse, is_backward, relation_of
from kgpath.storage.relation_overlap import Codes


class SamePair(NamedTuple):
    """Two hop codes that mean the same, the first forwards, and how surely they do."""

    one: int
    other: int
    sureness: float

    @property
    def both_ways(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two, and their inverses: what holds for one holds for the other."""
        return (self.one, self.other), (inverse(self.one), inverse(self.other))


def grouped(pairs: Iterable[SamePair], iris: Sequence[str]) -> Codes:
    """The smallest code of the group of every hop code: itself where it is alone.

    The surest pair is joined first, and groups only if all codes of both mean the same: no chain
    leads from one meaning to another. Of equally sure ones the first by IRI: ids change nothing.
    """

    def names(pair: SamePair) -> list[tuple[str, bool]]:
        return min(
            sorted((iris[relation_of(code)], bool(is_backward(code))) for code in codes)
            for codes in pair.both_ways
        )

    pairs = sorted(pairs, key=lambda pair: (-pair.sureness, names(pair)))
    same = {frozenset(codes) for pair in pairs for codes in pair.both_ways}
    groups = {code: frozenset({code}) for code in range(2 * len(iris))}
    for one, other, _ in pairs:
        joined = groups[one] | groups[other]
        turned = frozenset(map(inverse, joined))
        if joined & turned:
            joined = turned = joined | turned
        if all(frozenset(two) in same for two in combinations(joined, 2)):
            groups |= dict.fromkeys(joined, joined) | dict.fromkeys(turned, turned)
    return np.array([min(groups[code]) for code in range(2 * len(iris))], dtype=np.int32)
