"""Relations that are the same: leader and leader name, author and writer, child and ^parent.

How they are found: :mod:`kgpath.storage.relation_groups`. The index keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kgpath.storage.index import Index


class HasIndex(Protocol):
    """Whatever has an index, such as a graph."""

    @property
    def index(self) -> Index: ...


class SameRelations:
    """Which hop codes of a graph mean the same.

    ``groups`` has the smallest code of the group of every hop code: itself where it is alone. What
    holds for two codes holds for their inverses.
    """

    def __init__(self, graph: HasIndex) -> None:
        self.groups: NDArray[np.int32] = graph.index.same_hops

    def same(self, one: int, other: int) -> bool:
        """Whether two hop codes mean the same."""
        return bool(self.groups[one] == self.groups[other])

    def together(self) -> Iterator[tuple[int, ...]]:
        """Groups of more than one code, in the order of their smallest; of a group and its inverse
        the first.
        """
        order = np.argsort(self.groups, kind="stable")
        starts = np.flatnonzero(np.diff(self.groups[order], prepend=-1))
        for codes in np.split(order, starts[1:]):
            group = tuple(codes.tolist())
            if len(group) > 1 and group[0] <= min(code ^ 1 for code in group):
                yield group
