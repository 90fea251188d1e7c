"""What kind of entities a hop code leads from: do two codes begin alike?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from kgpath.storage.hop_codes import inverse
from kgpath.storage.ontology import closure, group
from kgpath.storage.relation_overlap import Hops

Numbers = NDArray[np.float64]

#: The profiles of so many codes are kept: each has a number for every type or relation.
KEPT = 256


class Traits:
    """What entities have of some kind, by number: the share of some entities that has each trait.

    ``above`` gives the traits that come with one, itself included.
    """

    def __init__(
        self,
        entity: NDArray[np.integer],
        trait: NDArray[np.integer],
        entities: int,
        traits: int,
        above: Callable[[int], Iterable[int]] | None = None,
    ) -> None:
        """Pairs of an entity and a trait, in the order of entities."""
        self._trait, self._traits = trait, traits
        self._first = np.searchsorted(entity, np.arange(entities + 1))
        self._count = np.diff(self._first)
        self._above = above
        self._rarity = np.log((1 + entities) / (1 + self._counted(np.arange(entities))))

    def share(self, entities: NDArray[np.integer]) -> Numbers:
        """The share of some entities that has each trait."""
        return self._counted(entities) / max(len(entities), 1)

    def likeness(self, one: Numbers, other: Numbers) -> float:
        """How alike two rows of shares are, from 0 to 1: rare traits weigh more."""
        # No product of vectors: its sum depends on the number of threads.
        whole = float((self._rarity * np.maximum(one, other)).sum())
        common = float((self._rarity * np.minimum(one, other)).sum())
        return common / whole if whole else 1.0

    def _counted(self, entities: NDArray[np.integer]) -> Numbers:
        first, count = self._first[entities], self._count[entities]
        before = np.repeat(np.cumsum(count) - count, count)
        places = np.repeat(first, count) + np.arange(count.sum()) - before
        direct = np.bincount(self._trait[places], minlength=self._traits)
        if self._above is None:
            return direct.astype(np.float64)
        counts = np.zeros(self._traits)
        for number in np.flatnonzero(direct).tolist():
            counts[list(self._above(number))] += direct[number]
        # What comes with two traits of an entity it has once; so many are not told apart.
        return np.minimum(counts, len(entities))


class HopProfiles:
    """How alike the starts of two hop codes are: by their types, else by their other facts."""

    def __init__(self, db: sqlite3.Connection, hops: Hops) -> None:
        entities = len(hops.offsets) - 1
        self._hops = hops
        self._types = _types(db, entities)
        self._facts = Traits(*hops.codes_of_entities(), entities, hops.most)
        self._type_share = lru_cache(KEPT)(lambda code: self._types.share(hops.starts(code)))
        self._fact_share = lru_cache(KEPT)(lambda code: self._facts.share(hops.starts(code)))

    def likeness(self, one: int, other: int) -> float:
        """From 0 to 1."""
        types = self._type_share(one), self._type_share(other)
        if types[0].any() and types[1].any():
            return self._types.likeness(*types)
        facts = self._fact_share(one).copy(), self._fact_share(other).copy()
        for shares in facts:
            shares[[one, other]] = 0  # each has its own at every start
        return self._facts.likeness(*facts)

    def ends(self, one: int, other: int) -> tuple[float, float]:
        """The likeness of the starts of two codes, and of their ends."""
        return self.likeness(one, other), self.likeness(inverse(one), inverse(other))


def _types(db: sqlite3.Connection, entities: int) -> Traits:
    (classes,) = db.execute("SELECT count(*) FROM class").fetchone()
    parents = group(db.execute("SELECT child, parent FROM class_parent"))
    rows = db.execute("SELECT entity, class FROM entity_type ORDER BY entity, class")
    types = np.fromiter(chain.from_iterable(rows), dtype=np.int32).reshape(-1, 2)
    above = cache(lambda number: sorted(closure([number], parents)))
    return Traits(types[:, 0], types[:, 1], entities, classes, above)
