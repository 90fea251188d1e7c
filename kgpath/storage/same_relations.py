"""Relations that are the same: leader and leader name, author and writer, child and ^parent.

How they are found: :mod:`kgpath.storage.relation_groups`. The index keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from kgpath.storage.hop_codes import hops_of, inverse
from kgpath.types import Hop

if TYPE_CHECKING:
    from kgpath.storage.index import Index
    from kgpath.storage.store import Store


class Indexed(Protocol):
    """Whatever has an index and the graph file it is of, such as a graph."""

    @property
    def index(self) -> Index: ...

    @property
    def store(self) -> Store: ...


class SameRelations:
    """Which hop codes of a graph mean the same.

    ``groups`` has the smallest code of the group of every hop code: itself where it is alone. What
    holds for two codes holds for their inverses.
    """

    def __init__(self, graph: Indexed) -> None:
        self.groups: NDArray[np.int32] = graph.index.same_hops
        self._store = graph.store

    def same(self, one: int, other: int) -> bool:
        """Whether two hop codes mean the same."""
        return bool(self.groups[one] == self.groups[other])

    def together(self) -> Iterator[tuple[Hop, ...]]:
        """Each group of more than one, in the order of IRIs; not its inverse as well."""
        order = np.argsort(self.groups, kind="stable")
        starts = np.flatnonzero(np.diff(self.groups[order], prepend=-1))
        for codes in np.split(order, starts[1:]):
            if len(codes) > 1 and codes[0] <= inverse(codes).min():
                yield hops_of(codes.tolist(), self._store.relations)
