"""Counts of a graph as shares from 0 to 1, which mean the same on every graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kgpath.graph import Graph

Numbers = NDArray[np.float64]


class GraphShares:
    """How common relations and entities are: ``graph.derived(GraphShares)`` is made once."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self._index = index
        degrees = np.diff(index.hop_offsets[index.offsets])
        self._fewer = _shares_below(np.bincount(degrees))
        edges = np.array([relation.edges for relation in graph.store.relations], dtype=np.int64)
        distinct, place = np.unique(edges, return_inverse=True)
        facts = np.bincount(place.reshape(-1), weights=edges)
        self._rarer = _shares_below(facts)[place.reshape(-1)] if len(distinct) else np.zeros(0)

    def of_entities(self, entities: NDArray[np.int64]) -> Numbers:
        """The share of all entities that have fewer facts; equals count half."""
        index = self._index
        first, stop = (index.hop_offsets[index.offsets[entities + more]] for more in (0, 1))
        return np.asarray(self._fewer[stop - first])

    def of_relations(self, relations: NDArray[np.int64]) -> Numbers:
        """The share of all facts whose relation is rarer; equally common ones count half."""
        return np.asarray(self._rarer[relations])


def _shares_below(sizes: NDArray[np.generic]) -> Numbers:
    """Of groups in ascending order, the share of all members that come before the middle of each.

    >>> _shares_below(np.array([1, 2, 1])).tolist()
    [0.125, 0.5, 0.875]
    """
    counts = sizes.astype(np.float64)
    return np.asarray((np.cumsum(counts) - counts / 2) / max(counts.sum(), 1.0))
