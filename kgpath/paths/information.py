"""What paths tell by themselves: their order where no text and no cost chooses.

The shorter come first. Of one length, a path tells more the rarer its relations are and the fewer
facts its inner entities have: what it lacks is the sum of the costs ``rarity`` and ``degree`` along
it (:mod:`kgpath.paths.costs`). Of several relations between two entities the rarest counts, so that
paths over the same entities stand together, and of these comes first the one whose hops, one after
the other, take the rarer relation. Ties are broken by the IRIs of the entities, then of the
relations: entities and relations are numbered in the order of their IRIs when a graph is built.

A path is read from the end at which its search starts, so that swapping the two ends gives the same
order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.costs import total_cost
from kgpath.paths.path_arrays import PathArrays, Rows
from kgpath.paths.walks import Walker
from kgpath.storage.hop_codes import for_both_directions

if TYPE_CHECKING:
    from kgpath.graph import Graph

_LENGTH = 32  # bits for what a path lacks: six hops and five entities need 24


class Information:
    """How little each entity and relation of a graph tells."""

    def __init__(self, graph: Graph) -> None:
        self.entities, relations = total_cost(graph, "degree + rarity", "")
        self.hop_codes = for_both_directions(relations)
        #: The place of every hop code among all, the rarest relation first.
        self.ranks = np.empty(len(self.hop_codes), dtype=np.int64)
        self.ranks[np.argsort(self.hop_codes, kind="stable")] = np.arange(len(self.hop_codes))

    def lacking(self, walker: Walker, paths: PathArrays) -> NDArray[np.int64]:
        """What each path lacks, in millionths: the less, the more it tells."""
        index = walker.index
        costs = np.empty(len(paths), dtype=np.int64)
        walker.kernel(kernels.least_costs)(
            index.offsets, index.neighbours, index.hop_offsets, index.hop_codes, paths.vertices,
            paths.lengths, self.entities, self.hop_codes,
            np.empty(paths.vertices.shape[1], dtype=np.int64), costs,
        )  # fmt: skip
        return costs

    def first(self, walker: Walker, paths: PathArrays, most: int | None) -> Rows:
        """The rows of the paths that come first, at most so many, in their order."""
        number = len(paths) if most is None else min(most, len(paths))
        if not number:
            return np.empty(0, dtype=np.int64)
        keys = (paths.lengths.astype(np.int64) << _LENGTH) + self.lacking(walker, paths)
        rows = np.arange(len(paths))
        if number < len(paths):
            # Those that tie with the last one come along: only their IRIs tell them apart.
            rows = np.flatnonzero(keys <= np.partition(keys, number - 1)[number - 1])
        codes = paths.hop_codes[rows]
        ranks = np.where(codes < 0, -1, self.ranks[codes])
        order = np.lexsort([*ranks.T[::-1], *paths.vertices[rows].T[::-1], keys[rows]])
        return np.asarray(rows[order[:number]], dtype=np.int64)
