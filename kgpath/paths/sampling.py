"""Paths by chance: drawn uniformly, or met by random walks as in the paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.kernels import FAR
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.walks import Search, Vertices, hop_places


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
    codes = random_hops(search, drawn.vertices, drawn.lengths, rng)
    return replace(drawn, hop_codes=codes, truncated="limit" if more else "")


def random_walks(search: Search, k: int, seed: int, tries: int = 50) -> PathArrays:
    """Up to ``k`` different paths met by random walks that stay within reach of the end.

    This is the candidate extraction of Lo & Lim (2023), section 9.7. Gives up after ``tries`` walks
    for each path wanted.
    """
    if search.shortest == FAR or k == 0:
        return PathArrays.nothing(search.hops)
    rng = np.random.default_rng(seed)
    kernel = search.walker.kernel(kernels.random_walks)
    index, hops = search.index, search.hops
    found: dict[tuple[bytes, bytes], tuple[Vertices, NDArray[np.int32], int]] = {}
    batch = max(64, k)
    for _ in range(0, k * tries, batch):
        out = np.empty((batch, hops + 1), dtype=np.int32)
        lengths = np.empty(batch, dtype=np.int32)
        kept = kernel(
            index.offsets, index.neighbours, search.start, search.end, hops, search.scratch.dist,
            rng.random((batch, hops)), out, lengths,
        )  # fmt: skip
        codes = random_hops(search, out[:kept], lengths[:kept], rng)
        for row, length, hop_codes in zip(out[:kept], lengths[:kept].tolist(), codes, strict=True):
            if len(found) < k:
                found.setdefault((row.tobytes(), hop_codes.tobytes()), (row, hop_codes, length))
        if len(found) >= k:
            break
    rows = list(found.values())
    vertices = np.array([row for row, _, _ in rows], dtype=np.int32).reshape(-1, hops + 1)
    codes = np.array([hop_codes for _, hop_codes, _ in rows], dtype=np.int32).reshape(-1, hops)
    lengths = np.array([length for _, _, length in rows], dtype=np.int32)
    return PathArrays(vertices, lengths, codes, truncated="limit").sorted()


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
        self._ways = np.empty((size, hops + 1), dtype=np.float64)
        self._cumulated = np.empty((hops + 1, arcs), dtype=np.float64)
        search.walker.kernel(kernels.walk_counts)(
            index.offsets, index.neighbours, search.start, search.end, hops, scratch.dist,
            scratch.depth, self._layer, size, scratch.slot, self._first, self._target, self._ways,
            self._cumulated,
        )  # fmt: skip
        scratch.depth[self._layer] = FAR
        self.total = float(self._ways[0, 1:].sum())

    def __enter__(self) -> WalkCounts:
        return self

    def __exit__(self, *exception: object) -> None:
        self._search.scratch.slot[self._layer] = -1

    def draw(self, rng: np.random.Generator, walks: int) -> tuple[Vertices, NDArray[np.int32]]:
        """The simple paths among so many random walks, and their lengths."""
        search = self._search
        out = np.empty((walks, search.hops + 1), dtype=np.int32)
        lengths = np.empty(walks, dtype=np.int32)
        kept = search.walker.kernel(kernels.draw)(
            search.start, search.end, search.hops, search.scratch.slot, self._first, self._target,
            self._ways, self._cumulated, rng.random((walks, search.hops)), out, lengths,
        )  # fmt: skip
        return out[:kept], lengths[:kept]


def random_hops(
    search: Search, vertices: Vertices, lengths: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.int32]:
    """One of the parallel relations of every hop, drawn uniformly; -1 after the end."""
    places = hop_places(search.walker, vertices, lengths)
    first = search.index.hop_offsets[places]
    chosen = (rng.random(places.shape) * (search.index.hop_offsets[places + 1] - first)).astype(int)
    codes = search.index.hop_codes[np.where(places >= 0, first + chosen, 0)]
    return np.where(places >= 0, codes, -1).astype(np.int32)


def _distinct(search: Search, k: int, rng: np.random.Generator) -> PathArrays:
    """``k`` different paths by drawing until there are so many."""
    found: dict[bytes, tuple[Vertices, int]] = {}
    with WalkCounts(search) as ways:
        for _ in range(1000):
            kept, lengths = ways.draw(rng, max(256, k))
            for row, length in zip(kept, lengths.tolist(), strict=True):
                if len(found) < k:
                    found.setdefault(row.tobytes(), (row, length))
            if len(found) == k:
                break
    rows = list(found.values())
    vertices = np.array([row for row, _ in rows], dtype=np.int32).reshape(-1, search.hops + 1)
    return PathArrays.untyped(vertices, np.array([length for _, length in rows], dtype=np.int32))
