"""Paths by chance: drawn uniformly, or met by random walks as in the paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kgpath.paths import kernels
from kgpath.paths.kernels import FAR
from kgpath.paths.parallel_relations import draw_relations
from kgpath.paths.path_arrays import PathArrays, joined
from kgpath.paths.walks import Search


def sample(search: Search, k: int, seed: int, budget: int) -> PathArrays:
    """``k`` different paths, each set of k equally likely, each with relations drawn at random."""
    rng = np.random.default_rng(seed)
    if search.shortest == FAR:
        return PathArrays.nothing(search.hops)
    everything = search.enumerate(4 * k, budget)
    if everything.truncated:
        drawn = _distinct(search, k, rng)
        more = True
    else:
        drawn = everything.take(np.sort(rng.permutation(len(everything))[:k]))
        more = len(everything) > k
    drawn = drawn.sorted()
    return replace(draw_relations(search.walker, drawn, rng), truncated="limit" if more else "")


def random_walks_between(search: Search, k: int, seed: int, tries: int = 50) -> PathArrays:
    """Up to ``k`` different paths met by random walks that stay within reach of the end.

    This is the candidate extraction of Lo & Lim (2023), section 9.7. Gives up after ``tries`` walks
    for each path wanted.
    """
    if search.shortest == FAR or k == 0:
        return PathArrays.nothing(search.hops)
    rng = np.random.default_rng(seed)
    kernel = search.walker.kernel(kernels.random_walks)
    index, hops = search.index, search.hops
    found = PathArrays.nothing(hops)
    batch = max(64, k)
    for _ in range(0, k * tries, batch):
        out = np.empty((batch, hops + 1), dtype=np.int32)
        lengths = np.empty(batch, dtype=np.int32)
        met = kernel(
            index.offsets, index.neighbours, search.start, search.end, hops, search.scratch.dist,
            rng.random((batch, hops)), out, lengths,
        )  # fmt: skip
        paths = PathArrays.untyped(out[:met], lengths[:met])
        found = _with_new(found, draw_relations(search.walker, paths, rng), k)
        if len(found) >= k:
            break
    return replace(found.sorted(), truncated="limit")


class WalkCounts:
    """Numbers of walks from every vertex to the end, by which walks can be drawn uniformly.

    Use as a context manager. ``total`` is the number of walks, simple or not.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        scratch, index, hops = search.scratch, search.index, search.hops
        search.forget_lists()
        self._layer, arcs = search.layers()
        size = len(self._layer)
        self._first = np.empty(size + 1, dtype=np.int64)
        self._target = np.empty(arcs, dtype=np.int32)
        self._counts = np.empty((size, hops + 1), dtype=np.float64)
        self._cumulated = np.empty((hops + 1, arcs), dtype=np.float64)
        search.walker.kernel(kernels.walk_counts)(
            index.offsets, index.neighbours, search.start, search.end, hops, scratch.dist,
            scratch.depth, self._layer, size, scratch.slot, self._first, self._target, self._counts,
            self._cumulated,
        )  # fmt: skip
        scratch.depth[self._layer] = FAR
        self.total = float(self._counts[0, 1:].sum())

    def __enter__(self) -> WalkCounts:
        return self

    def __exit__(self, *exception: object) -> None:
        self._search.scratch.slot[self._layer] = -1

    def draw(self, rng: np.random.Generator, walks: int) -> PathArrays:
        """The simple paths among so many random walks."""
        search = self._search
        out = np.empty((walks, search.hops + 1), dtype=np.int32)
        lengths = np.empty(walks, dtype=np.int32)
        simple = search.walker.kernel(kernels.draw)(
            search.start, search.end, search.hops, search.scratch.slot, self._first, self._target,
            self._counts, self._cumulated, rng.random((walks, search.hops)), out, lengths,
        )  # fmt: skip
        return PathArrays.untyped(out[:simple], lengths[:simple])


def _distinct(search: Search, k: int, rng: np.random.Generator) -> PathArrays:
    """``k`` different paths by drawing until there are so many."""
    found = PathArrays.nothing(search.hops).untyped_rows()
    with WalkCounts(search) as counts:
        for _ in range(1000):
            found = _with_new(found, counts.draw(rng, max(256, k)), k)
            if len(found) == k:
                break
    return found


def _with_new(found: PathArrays, more: PathArrays, k: int) -> PathArrays:
    """The paths found and those that are new, in their order, up to ``k``."""
    both = joined([found, more])
    return both.take(np.sort(both.distinct())[:k])
