"""Of which types the entities are that a hop code leads from: do two codes begin alike?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from kgpath.storage.ontology import closure, group

Numbers = NDArray[np.float64]


class TypeProfiles:
    """The share of the starts of a code that has each class, those above its own included.

    ``starts_of`` gives the entities that a code leads from, once for every fact.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        entities: int,
        starts_of: Callable[[int], NDArray[np.int32]],
    ) -> None:
        (self._classes,) = db.execute("SELECT count(*) FROM class").fetchone()
        parents = group(db.execute("SELECT child, parent FROM class_parent"))
        self._above = cache(lambda number: sorted(closure([number], parents)))
        rows = db.execute("SELECT entity, class FROM entity_type ORDER BY entity, class")
        types = np.fromiter(chain.from_iterable(rows), dtype=np.int32).reshape(-1, 2)
        self._class = types[:, 1]
        self._first = np.searchsorted(types[:, 0], np.arange(entities + 1))
        self._count = np.diff(self._first)
        self._starts_of = starts_of
        self._rarity = np.log((1 + entities) / (1 + self._counted(np.arange(entities))))
        self._profile = cache(self._profile_of)

    def likeness(self, one: int, other: int) -> float | None:
        """How alike the types are that two codes begin with, from 0 to 1; rare ones weigh more.

        None where of the starts of one no type is known.
        """
        a, b = self._profile(one), self._profile(other)
        if not a.any() or not b.any():
            return None
        whole = float(self._rarity @ np.maximum(a, b))
        return float(self._rarity @ np.minimum(a, b)) / whole if whole else 1.0

    def _profile_of(self, code: int) -> Numbers:
        starts = self._starts_of(code)
        return self._counted(starts) / max(len(starts), 1)

    def _counted(self, entities: NDArray[np.integer]) -> Numbers:
        """How many of some entities have each class."""
        first, count = self._first[entities], self._count[entities]
        before = np.repeat(np.cumsum(count) - count, count)
        places = np.repeat(first, count) + np.arange(count.sum()) - before
        direct = np.bincount(self._class[places], minlength=self._classes)
        counts = np.zeros(self._classes)
        for number in np.flatnonzero(direct).tolist():
            counts[self._above(number)] += direct[number]
        # An entity with two types below one class has it once; so many are not told apart.
        return np.minimum(counts, len(entities))
