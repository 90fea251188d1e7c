"""Paths between two entities as arrays: shortest, all, sampled, cheapest, counted, random walks.

A search first measures the distance to one end inside two half-radius balls; everything after
stays within reach. It starts at the end with more neighbours (the other is then cheap to measure
from), whichever was named first: swapping the two gives the same paths, reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath import kernels
from kgpath.index import Index
from kgpath.kernels import DEPTH, DONE, ENTERED, FAR, FULL, MORE_ROOM, POOLED, SPENT, STEPS

MOST_HOPS = 6
#: Search steps before a search gives up and says so; about a second on a laptop.
BUDGET = 50_000_000
#: Below so many neighbour pairs the kernels run as plain Python: nothing to compile.
TINY = 20_000
_TINY_BUDGET = 300_000
_NO_MASK = np.zeros(0, dtype=np.bool_)

Vertices = NDArray[np.int32]


class Found(NamedTuple):
    """Paths in search order: a row of vertices each, -1 after the end.

    ``labels`` is None where every combination of parallel relations is meant, else the label of
    each hop. ``truncated`` says why there may be more: ``limit``, ``budget`` or an empty string.
    """

    vertices: Vertices
    lengths: NDArray[np.int32]
    labels: NDArray[np.int32] | None = None
    costs: NDArray[np.int64] | None = None
    truncated: str = ""


class Count(NamedTuple):
    """How many paths there are: by their entities alone, and with every labelling counted."""

    entity_paths: int
    paths: int
    exact: bool


class Scratch:
    """Arrays of the size of the graph, reused from search to search."""

    def __init__(self, entities: int) -> None:
        self.dist = np.full(entities, FAR, dtype=np.int8)
        self.depth = np.full(entities, FAR, dtype=np.int8)
        self.slot = np.full(entities, -1, dtype=np.int32)
        self.near = np.full(entities, -1, dtype=np.int64)
        self.nearer = np.full(entities, -1, dtype=np.int64)
        self.entered = np.empty(3 * entities, dtype=np.int32)
        self.visited = np.zeros(entities, dtype=np.bool_)
        self.queue = np.empty(2 * entities + 2, dtype=np.int32)
        self.pool = np.empty(1 << 14, dtype=np.int32)
        self.bounds = np.empty((1 << 10, MOST_HOPS + 1), dtype=np.int64)
        self.path = np.empty(MOST_HOPS + 1, dtype=np.int32)
        self.place = np.empty(MOST_HOPS + 1, dtype=np.int64)
        self.stop = np.empty(MOST_HOPS + 1, dtype=np.int64)
        self.state = np.zeros(5, dtype=np.int64)


@dataclass
class Walker:
    """Finds paths over an index. Safe to share between threads: each search has its own scratch."""

    index: Index
    free: list[Scratch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tiny = len(self.index.neighbours) <= TINY
        self.budget = _TINY_BUDGET if self.tiny else BUDGET

    def kernel(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel as machine code, or as it stands for a tiny graph."""
        return function if self.tiny else kernels.compiled(function)

    def search(
        self, one: int, other: int, hops: int, blocked: NDArray[np.bool_] = _NO_MASK
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
        self._forget_lists()
        self.walker.kernel(kernels.forget_distances)(scratch.queue, self._touched, scratch.dist)
        self.walker.free.append(scratch)

    # Every path of a length

    def blocks(self, length: int, rows: int, budget: int) -> Generator[Vertices, None, None]:
        """All paths of exactly ``length`` hops, in blocks of at most ``rows``.

        The block's array is used again for the next one. ``spent`` tells after whether the budget
        of search steps ended it early.
        """
        out = np.empty((rows, length + 1), dtype=np.int32)
        self._begin()
        status = FULL
        try:
            while status == FULL:
                status, written = self._walk(length, out, budget)
                if written:
                    yield out[:written]
        finally:
            self._abandon()
        self.spent = status == SPENT

    def _walk(self, length: int, out: Vertices, budget: int) -> tuple[int, int]:
        """Go on with a walk until ``out`` is full, all is found or the budget is spent."""
        index, scratch = self.index, self.scratch
        walk = self.walker.kernel(kernels.walk)
        total = 0
        while True:
            status, written = walk(
                index.offsets, index.neighbours, self.start, self.end, length, self.hops,
                scratch.dist, scratch.slot, scratch.pool, scratch.bounds, scratch.near,
                scratch.nearer, scratch.entered, scratch.visited, scratch.path, scratch.place,
                scratch.state, out[total:], budget,
            )  # fmt: skip
            total += written
            if status != MORE_ROOM:
                return status, total
            self._make_room()

    def enumerate(
        self, limit: int | None, budget: int, wanted: Callable[[Vertices], Any] | None = None
    ) -> Found:
        """The shortest paths first, up to ``limit``; ``wanted`` picks rows of a block."""
        self.scratch.state[STEPS] = 0
        if wanted is not None:
            return self._enumerate_wanted(limit, budget, wanted)
        # One row more than asked for tells whether there are more.
        most = 1 << 62 if limit is None else limit + 1
        out = np.empty((min(most, 1 << 14), self.hops + 1), dtype=np.int32)
        lengths = []
        total = 0
        status = DONE
        for length in range(self.shortest, self.hops + 1):
            before = total
            self._begin()
            while True:
                status, written = self._walk(length, out[total:], budget)
                total += written
                if status != FULL or total >= most:
                    break
                out = _grown(out, min(2 * len(out), most))
            self._abandon()
            lengths.append((total - before, length))
            if status == SPENT or total >= most:
                break
        truncated = "limit" if total >= most else "budget" if status == SPENT else ""
        total = min(total, most - 1)
        numbers, hops = np.array(lengths, dtype=np.int32).reshape(-1, 2).T
        return Found(out[:total], np.repeat(hops, numbers)[:total], truncated=truncated)

    def _enumerate_wanted(
        self, limit: int | None, budget: int, wanted: Callable[[Vertices], Any]
    ) -> Found:
        chunks: list[Vertices] = []
        total = 0
        for length in range(self.shortest, self.hops + 1):
            blocks = self.blocks(length, 4096, budget)
            for block in blocks:
                kept = block[wanted(block)]
                if limit is not None and total + len(kept) > limit:
                    blocks.close()
                    return _stacked([*chunks, kept[: limit - total]], self.hops, "limit")
                chunks.append(kept)
                total += len(kept)
            if self.spent:
                return _stacked(chunks, self.hops, "budget")
        return _stacked(chunks, self.hops, "")

    # Counting

    def count(self, budget: int, seed: int = 0) -> Count:
        """The number of paths, exact within the budget, else estimated from random walks."""
        index, scratch = self.index, self.scratch
        totals = np.zeros(2, dtype=np.int64)
        if self.shortest == FAR:
            return Count(0, 0, True)
        kernel = self.walker.kernel(kernels.count)
        last = np.zeros(index.entities, dtype=np.int32)
        row = slice(index.offsets[self.end], index.offsets[self.end + 1])
        last[index.neighbours[row]] = np.diff(index.label_offsets[row.start : row.stop + 1])
        self._forget_lists()
        mult = np.empty(len(scratch.pool), dtype=np.int32)
        sums = np.empty((len(scratch.bounds), 2), dtype=np.int64)
        status = DONE
        for length in range(self.shortest, self.hops + 1):
            self._begin()
            status = MORE_ROOM
            while status == MORE_ROOM:
                status = kernel(
                    index.offsets, index.neighbours, index.label_offsets, self.start, self.end,
                    length, self.hops, scratch.dist, scratch.slot, scratch.pool, mult,
                    scratch.bounds, scratch.entered, sums, last, scratch.visited, scratch.path,
                    scratch.place, scratch.stop, scratch.state, totals, budget,
                )  # fmt: skip
                if status == MORE_ROOM:
                    self._make_room()
                    mult = np.resize(mult, len(scratch.pool))
                    sums = np.resize(sums, (len(scratch.bounds), 2))
            self._abandon()
            if status == SPENT:
                break
        if status == SPENT:
            return self._estimate(seed)
        return Count(int(totals[0]), int(totals[1]), True)

    def _estimate(self, seed: int) -> Count:
        with _Ways(self) as ways:
            walks = 2000 if self.walker.tiny else 20_000
            kept, lengths, drawn = ways.draw(np.random.default_rng(seed), walks)
            entity_paths = ways.total * len(kept) / drawn
        if not len(kept):
            return Count(0, 0, False)
        places = self.hop_places(kept, lengths)
        per_path = np.prod(np.where(places >= 0, self._labels_at(places), 1), axis=1)
        return Count(round(entity_paths), round(entity_paths * per_path.mean()), False)

    # Chance

    def sample(self, k: int, seed: int, budget: int) -> Found:
        """``k`` different paths, each set of k equally likely, each with one random labelling."""
        rng = np.random.default_rng(seed)
        if self.shortest == FAR:
            return _nothing(self.hops)
        everything = self.enumerate(4 * k, budget)
        if not everything.truncated:
            chosen = np.sort(rng.permutation(len(everything.lengths))[:k])
            vertices, lengths = everything.vertices[chosen], everything.lengths[chosen]
            more = len(everything.lengths) > k
        else:
            vertices, lengths = self._sample_distinct(k, rng)
            more = True
        order = _order(vertices, lengths)
        vertices, lengths = vertices[order], lengths[order]
        return Found(
            vertices, lengths, self._random_labels(vertices, lengths, rng),
            truncated="limit" if more else "",
        )  # fmt: skip

    def _sample_distinct(
        self, k: int, rng: np.random.Generator
    ) -> tuple[Vertices, NDArray[np.int32]]:
        rows: dict[bytes, tuple[Vertices, int]] = {}
        with _Ways(self) as ways:
            for _ in range(1000):
                kept, lengths, _ = ways.draw(rng, max(256, k))
                for row, length in zip(kept, lengths.tolist(), strict=True):
                    rows.setdefault(row.tobytes(), (row, length))
                    if len(rows) == k:
                        break
                if len(rows) == k:
                    break
        found = list(rows.values())
        vertices = np.array([row for row, _ in found], np.int32).reshape(-1, self.hops + 1)
        return vertices, np.array([length for _, length in found], dtype=np.int32)

    def random_walks(self, k: int, seed: int, tries: int = 50) -> Found:
        """Up to ``k`` different labelled paths met by random walks, as in the paper.

        Gives up after ``tries`` walks for each path wanted.
        """
        rng = np.random.default_rng(seed)
        kernel = self.walker.kernel(kernels.random_walks)
        rows: dict[tuple[bytes, bytes], tuple[Vertices, NDArray[np.int32], int]] = {}
        if self.shortest == FAR:
            return _nothing(self.hops)
        batch = max(64, k)
        for _ in range(0, k * tries, batch):
            out = np.empty((batch, self.hops + 1), dtype=np.int32)
            lengths = np.empty(batch, dtype=np.int32)
            kept = kernel(
                self.index.offsets, self.index.neighbours, self.start, self.end, self.hops,
                self.scratch.dist, rng.random((batch, self.hops)), out, lengths,
            )  # fmt: skip
            labels = self._random_labels(out[:kept], lengths[:kept], rng)
            for at in range(kept):
                if len(rows) < k:
                    key = out[at].tobytes(), labels[at].tobytes()
                    rows.setdefault(key, (out[at], labels[at], int(lengths[at])))
            if len(rows) >= k:
                break
        found = list(rows.values())
        vertices = np.array([row for row, _, _ in found], np.int32).reshape(-1, self.hops + 1)
        labels = np.array([row for _, row, _ in found], np.int32).reshape(-1, self.hops)
        lengths = np.array([length for _, _, length in found], dtype=np.int32)
        order = _order(vertices, lengths, labels)
        return Found(vertices[order], lengths[order], labels[order], truncated="limit")

    # Cost

    def top(
        self,
        k: int,
        vertex_cost: NDArray[np.int64],
        relation_cost: NDArray[np.int64],
        hop_cost: int,
        budget: int,
    ) -> Found:
        """The ``k`` cheapest labelled paths, by cost and then by ids; exact.

        Costs are whole numbers and not negative, so that sums and ties are exact too.
        """
        index, scratch, hops = self.index, self.scratch, self.hops
        if self.shortest == FAR or k == 0:
            return _nothing(hops)._replace(costs=np.empty(0, dtype=np.int64))
        label_cost = np.repeat(relation_cost, 2)
        self._forget_lists()
        size, _ = self._layers()
        below = np.empty((size, hops + 1), dtype=np.int64)
        self.walker.kernel(kernels.bounds_below)(
            index.offsets, index.neighbours, index.label_offsets, index.labels, self.start,
            self.end, hops, scratch.dist, scratch.depth, self._layer, size, scratch.slot,
            vertex_cost, label_cost, hop_cost, below,
        )  # fmt: skip
        scratch.depth[self._layer[:size]] = FAR
        kernel = self.walker.kernel(kernels.best_first)
        room = 1 << 12
        chain = np.empty((room, 2 * hops + 1), dtype=np.int32)
        length, heap = np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int32)
        cost, bound = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
        chain[0, 0] = self.start
        bound[0] = below[0, hops]
        state = np.array([1, 1], dtype=np.int64)
        out = np.empty((k, 2 * hops + 1), dtype=np.int32)
        out_length, out_cost = np.empty(k, dtype=np.int32), np.empty(k, dtype=np.int64)
        rows, status = 0, MORE_ROOM
        while True:
            status, written = kernel(
                index.offsets, index.neighbours, index.label_offsets, index.labels, self.start,
                self.end, hops, scratch.dist, scratch.slot, below, vertex_cost, label_cost,
                hop_cost, chain, length, cost, bound, heap, state, out[rows:], out_length[rows:],
                out_cost[rows:],
            )  # fmt: skip
            rows += written
            if status != MORE_ROOM or len(cost) > budget:
                break
            # A hub may need more than twice the room at once.
            need = int(np.diff(index.label_offsets[index.offsets]).max(initial=0))
            room = 2 * len(cost) + need
            chain, length = _grown(chain, room), _grown(length, room)
            cost, bound, heap = _grown(cost, room), _grown(bound, room), _grown(heap, room)
        scratch.slot[self._layer[:size]] = -1
        truncated = {FULL: "limit", MORE_ROOM: "budget"}.get(status, "")
        found = out[:rows]
        return Found(
            found[:, 0::2].copy(), out_length[:rows], found[:, 1::2].copy(), out_cost[:rows],
            truncated,
        )  # fmt: skip

    # Details

    def hop_places(self, vertices: Vertices, lengths: NDArray[np.int32]) -> NDArray[np.int64]:
        """Where in the index each hop lies; -1 after the end."""
        return hop_places(self.walker, vertices, lengths)

    def _labels_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.index.label_offsets[places + 1] - self.index.label_offsets[places]

    def _random_labels(
        self, vertices: Vertices, lengths: NDArray[np.int32], rng: np.random.Generator
    ) -> NDArray[np.int32]:
        places = self.hop_places(vertices, lengths)
        chosen = (rng.random(places.shape) * self._labels_at(places)).astype(np.int64)
        labels = self.index.labels[
            np.where(places >= 0, self.index.label_offsets[places] + chosen, 0)
        ]
        return np.where(places >= 0, labels, -1).astype(np.int32)

    def _begin(self) -> None:
        scratch = self.scratch
        scratch.path[0] = self.start
        scratch.place[:2] = -1
        scratch.visited[self.start] = True
        scratch.state[DEPTH] = 0

    def _abandon(self) -> None:
        """Unmark the path a walk stopped on."""
        scratch = self.scratch
        depth = int(scratch.state[DEPTH])
        scratch.visited[scratch.path[: depth + 1]] = False
        scratch.visited[self.start] = False

    def _make_room(self) -> None:
        scratch = self.scratch
        need = int(np.diff(self.index.offsets).max(initial=0))
        scratch.pool = _grown(scratch.pool, 2 * len(scratch.pool) + need)
        scratch.bounds = _grown(scratch.bounds, 2 * len(scratch.bounds))

    def _forget_lists(self) -> None:
        scratch = self.scratch
        self.walker.kernel(kernels.forget_lists)(
            scratch.entered, int(scratch.state[ENTERED]), scratch.slot, scratch.near, scratch.nearer
        )
        self._forget_state()

    def _forget_state(self) -> None:
        self.scratch.state[:] = 0
        self.scratch.state[POOLED] = 1  # a place before the first one must not look like "none"

    def _layers(self) -> tuple[int, int]:
        """The vertices on walks, in ``_layer``, and the number of arcs between them."""
        index, scratch = self.index, self.scratch
        self._layer = np.empty(self._touched + 1, dtype=np.int32)
        size, arcs = self.walker.kernel(kernels.layers)(
            index.offsets, index.neighbours, self.start, self.end, self.hops, scratch.dist,
            scratch.depth, self._layer,
        )  # fmt: skip
        return size, arcs


class _Ways:
    """Numbers of walks from every vertex to the end: lets walks be drawn uniformly."""

    def __init__(self, search: Search) -> None:
        self.search = search
        scratch, index, hops = search.scratch, search.index, search.hops
        search._forget_lists()
        size, arcs = search._layers()
        self.first = np.empty(size + 1, dtype=np.int64)
        self.target = np.empty(arcs, dtype=np.int32)
        self.ways = np.empty((size, hops + 1), dtype=np.float64)
        self.cumulated = np.empty((hops + 1, arcs), dtype=np.float64)
        search.walker.kernel(kernels.walk_counts)(
            index.offsets, index.neighbours, search.start, search.end, hops, scratch.dist,
            scratch.depth, search._layer, size, scratch.slot, self.first, self.target, self.ways,
            self.cumulated,
        )  # fmt: skip
        scratch.depth[search._layer[:size]] = FAR
        self.total = float(self.ways[0, 1:].sum())

    def __enter__(self) -> _Ways:
        return self

    def __exit__(self, *exception: object) -> None:
        self.search.scratch.slot[self.search._layer[: len(self.ways)]] = -1

    def draw(self, rng: np.random.Generator, walks: int) -> tuple[Vertices, NDArray[np.int32], int]:
        """Simple paths among so many random walks, their lengths, and the number of walks."""
        search = self.search
        out = np.empty((walks, search.hops + 1), dtype=np.int32)
        lengths = np.empty(walks, dtype=np.int32)
        kept = search.walker.kernel(kernels.draw)(
            search.start, search.end, search.hops, search.scratch.slot, self.first, self.target,
            self.ways, self.cumulated, rng.random((walks, search.hops)), out, lengths,
        )  # fmt: skip
        return out[:kept], lengths[:kept], walks


def hop_places(walker: Walker, vertices: Vertices, lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where in the index each hop of each path lies; -1 after the end."""
    places = np.full((len(vertices), max(vertices.shape[1] - 1, 0)), -1, dtype=np.int64)
    walker.kernel(kernels.hop_places)(
        walker.index.offsets, walker.index.neighbours, vertices, lengths, places
    )
    return places


def sort_found(found: Found) -> Found:
    """The same paths by length and then by ids, read from the start of the search."""
    order = _order(found.vertices, found.lengths, found.labels)
    return Found(
        found.vertices[order],
        found.lengths[order],
        None if found.labels is None else found.labels[order],
        None if found.costs is None else found.costs[order],
        found.truncated,
    )


def _order(
    vertices: Vertices, lengths: NDArray[np.int32], labels: NDArray[np.int32] | None = None
) -> NDArray[np.int64]:
    keys = [] if labels is None else [labels[:, k] for k in reversed(range(labels.shape[1]))]
    keys += [vertices[:, k] for k in reversed(range(vertices.shape[1]))]
    return np.lexsort([*keys, lengths])


def _nothing(hops: int) -> Found:
    """No labelled path at all."""
    labels = np.empty((0, hops), dtype=np.int32)
    return _stacked([], hops, "")._replace(labels=labels)


def _stacked(chunks: list[Vertices], hops: int, truncated: str) -> Found:
    total = sum(map(len, chunks))
    vertices = np.full((total, hops + 1), -1, dtype=np.int32)
    lengths = np.empty(total, dtype=np.int32)
    at = 0
    for chunk in chunks:
        vertices[at : at + len(chunk), : chunk.shape[1]] = chunk
        lengths[at : at + len(chunk)] = chunk.shape[1] - 1
        at += len(chunk)
    return Found(vertices, lengths, truncated=truncated)


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    larger = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
