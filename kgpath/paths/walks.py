"""Paths between two entities as arrays: the search that all strategies share, and listing them.

A search first measures the distance to one end in two neighbourhoods of half the radius;
all that comes after
stays within reach. It starts at the end with more neighbours (the other is then cheap to measure
from), whichever was named first: swapping the two gives the same paths, reversed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.kernels import DEPTH, ENTERED, FAR, FULL, LENGTH, MORE_ROOM, POOLED, SPENT, STEPS
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.scratch import BitScratch, Scratch
from kgpath.storage.index import Index

#: Search steps before a search gives up and says so; a few seconds and some 500 MB at the worst.
BUDGET = 5_000_000
#: Below so many neighbour pairs the kernels run as plain Python, which compiles nothing; until that
#: has taken so many seconds of a core, about what compiling them takes once.
TINY, WORTH_COMPILING = 20_000, 2.0
_TINY_BUDGET = 300_000
NO_MASK = np.zeros(0, dtype=np.bool_)
_NO_PLACES = np.zeros(0, dtype=np.int64)

Vertices = NDArray[np.int32]


@dataclass
class Walker:
    """Finds paths over an index. Safe to share between threads: each search has its own scratch."""

    index: Index
    free: list[Scratch] = field(default_factory=list)
    free_bits: list[BitScratch] = field(default_factory=list)
    seconds: float = 0.0  # that kernels took as plain Python

    def __post_init__(self) -> None:
        self.tiny = len(self.index.neighbours) <= TINY
        self.budget = _TINY_BUDGET if self.tiny else BUDGET

    def kernel(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel as machine code; for a tiny graph as it stands, as long as that is quicker."""
        if not self.tiny or self.seconds > WORTH_COMPILING:
            return kernels.compiled(function)

        def plain(*arguments: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*arguments)
            finally:
                self.seconds += time.thread_time() - began

        return plain

    def search(
        self, one: int, other: int, hops: int, blocked: NDArray[np.bool_] = NO_MASK
    ) -> Search:
        """Measure the distances around a pair. Use as a context manager."""
        return Search(self, one, other, hops, blocked)


class Search:
    """A pair with distances measured, ready for walks between the two."""

    def __init__(
        self, walker: Walker, one: int, other: int, hops: int, blocked: NDArray[np.bool_]
    ) -> None:
        index = walker.index
        self.walker, self.index, self.hops = walker, index, hops
        offsets = index.offsets
        degrees = (
            (offsets[one + 1] - offsets[one], one),
            (offsets[other + 1] - offsets[other], other),
        )
        self.start, self.end = (one, other) if degrees[0] >= degrees[1] else (other, one)
        try:
            self.scratch = walker.free.pop()
        except IndexError:
            self.scratch = Scratch(index.entities)
        scratch = self.scratch
        self._touched = walker.kernel(kernels.distances)(
            offsets, index.neighbours, blocked, self.start, self.end, hops, scratch.dist,
            scratch.depth, scratch.queue,
        )  # fmt: skip
        self.shortest = int(scratch.dist[self.start])  # FAR: there is no path
        self.spent = False
        self._forget_state()

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *exception: object) -> None:
        scratch = self.scratch
        self.forget_lists()
        self.walker.kernel(kernels.forget_distances)(scratch.queue, self._touched, scratch.dist)
        self.walker.free.append(scratch)

    # Every path of a length

    def blocks(self, length: int, rows: int, budget: int) -> Generator[Vertices, None, None]:
        """All paths of exactly ``length`` hops, in blocks of at most ``rows``.

        The block's array is used again for the next one. ``spent`` tells after whether the budget
        of search steps ended it early.
        """
        out = np.empty((rows, length + 1), dtype=np.int32)
        lengths = np.empty(rows, dtype=np.int32)
        self._begin_after(length - 1)
        status = FULL
        try:
            while status == FULL:
                status, written = self._walk(length, out, lengths, budget)
                if written:
                    yield out[:written]
        finally:
            self.abandon()
        self.spent = status == SPENT

    def _walk(
        self, longest: int, out: Vertices, lengths: NDArray[np.int32], budget: int
    ) -> tuple[int, int]:
        """Go on with a walk until ``out`` is full, all is found or the budget is spent."""
        index, scratch = self.index, self.scratch
        walk = self.walker.kernel(kernels.walk)
        total = 0
        while True:
            status, written = walk(
                index.offsets, index.neighbours, self.start, self.end, longest, self.hops,
                scratch.dist, scratch.slot, scratch.pool, scratch.bounds, scratch.near,
                scratch.nearer, scratch.entered, _NO_PLACES, scratch.visited, scratch.path,
                scratch.place, scratch.state, out[total:], lengths[total:], budget,
            )  # fmt: skip
            total += written
            if status != MORE_ROOM:
                return status, total
            self.make_room()

    def enumerate(
        self,
        limit: int | None,
        budget: int,
        wanted: Callable[[Vertices], Any] | None = None,
        whole: bool = False,
    ) -> PathArrays:
        """The shortest paths first, up to ``limit``; ``wanted`` picks rows of a block.

        With ``whole``, all of the length at which the limit is reached come along, to choose from.
        """
        self.scratch.state[STEPS] = 0
        if wanted is not None:
            return self._enumerate_wanted(limit, budget, wanted, whole)
        if self.shortest == FAR:
            return stacked([], self.hops, "")
        # One row more than asked for tells whether there are more.
        most = 1 << 62 if limit is None else limit + 1
        out = np.empty((min(most, 1 << 14), self.hops + 1), dtype=np.int32)
        lengths = np.empty(len(out), dtype=np.int32)
        total = 0
        longest = self.hops
        self._begin_after(self.shortest - 1)
        while True:
            status, written = self._walk(longest, out[total:], lengths[total:], budget)
            total += written
            if status != FULL:
                break
            if total >= most:
                longest = int(lengths[max(most - 2, 0)])
                if not whole or self.scratch.state[LENGTH] > longest:
                    break
            room = max(2 * len(out), 1 << 14) if whole else min(2 * len(out), most)
            out, lengths = grown(out, room), grown(lengths, room)
        self.abandon()
        more = "limit" if total >= most else ""
        if status == SPENT and (whole or not more):
            more = "budget"
        total = total if whole else min(total, most - 1)
        return PathArrays.untyped(out[:total], lengths[:total], more)

    def _enumerate_wanted(
        self, limit: int | None, budget: int, wanted: Callable[[Vertices], Any], whole: bool
    ) -> PathArrays:
        chunks: list[Vertices] = []
        total = 0
        for length in range(self.shortest, self.hops + 1):
            blocks = self.blocks(length, 4096, budget)
            for block in blocks:
                kept = block[wanted(block)]
                if limit is not None and total + len(kept) > limit and not whole:
                    blocks.close()
                    return stacked([*chunks, kept[: limit - total]], self.hops, "limit")
                chunks.append(kept)
                total += len(kept)
            if self.spent:
                return stacked(chunks, self.hops, "budget")
            if limit is not None and total > limit:
                return stacked(chunks, self.hops, "limit")
        return stacked(chunks, self.hops, "")

    # For every kind of walk

    def begin(self) -> None:
        """Stand at the start."""
        scratch = self.scratch
        scratch.path[0] = self.start
        scratch.place[:2] = -1
        scratch.visited[self.start] = True
        scratch.state[DEPTH] = 0

    def _begin_after(self, length: int) -> None:
        """Stand before the first path that is longer than this."""
        self.scratch.state[DEPTH] = -1
        self.scratch.state[LENGTH] = length

    def abandon(self) -> None:
        """Unmark the path a walk stopped on."""
        scratch = self.scratch
        depth = int(scratch.state[DEPTH])
        scratch.visited[scratch.path[: depth + 1]] = False
        scratch.visited[self.start] = False

    def make_room(self) -> None:
        """More places for the lists of entered vertices."""
        scratch = self.scratch
        need = int(np.diff(self.index.offsets).max(initial=0))
        scratch.pool = grown(scratch.pool, 2 * len(scratch.pool) + need)
        scratch.bounds = grown(scratch.bounds, 2 * len(scratch.bounds))

    def forget_lists(self) -> None:
        """Drop the lists of the vertices entered so far."""
        scratch = self.scratch
        self.walker.kernel(kernels.forget_lists)(
            scratch.entered, int(scratch.state[ENTERED]), scratch.slot, scratch.near, scratch.nearer
        )
        self._forget_state()

    def _forget_state(self) -> None:
        self.scratch.state[:] = 0
        self.scratch.state[POOLED] = 1  # a place before the first one must not look like "none"

    def layers(self) -> tuple[Vertices, int]:
        """The vertices on walks, and the number of arcs between them; fills ``scratch.depth``."""
        index, scratch = self.index, self.scratch
        layer = np.empty(self._touched + 1, dtype=np.int32)
        size, arcs = self.walker.kernel(kernels.layers)(
            index.offsets, index.neighbours, self.start, self.end, self.hops, scratch.dist,
            scratch.depth, layer,
        )  # fmt: skip
        return layer[:size], arcs


def stacked(chunks: list[Vertices], hops: int, truncated: str) -> PathArrays:
    """Paths of several lengths in one array."""
    total = sum(map(len, chunks))
    vertices = np.full((total, hops + 1), -1, dtype=np.int32)
    lengths = np.empty(total, dtype=np.int32)
    at = 0
    for chunk in chunks:
        vertices[at : at + len(chunk), : chunk.shape[1]] = chunk
        lengths[at : at + len(chunk)] = chunk.shape[1] - 1
        at += len(chunk)
    return PathArrays.untyped(vertices, lengths, truncated)


def grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    """The same rows with room for more."""
    larger = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
