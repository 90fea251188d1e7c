"""How many paths there are, without listing them: exact, or estimated where they are too many."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kgpath.paths import kernels
from kgpath.paths.kernels import FAR, MORE_ROOM, SPENT
from kgpath.paths.parallel_relations import hop_places
from kgpath.paths.sampling import WalkCounts
from kgpath.paths.walks import Search, grown


class Count(NamedTuple):
    """How many paths there are: by their entities alone, and with parallel relations."""

    entity_paths: int
    paths: int
    exact: bool


def count(search: Search, budget: int, seed: int = 0) -> Count:
    """The number of paths, exact within the budget, else estimated from random walks."""
    if search.shortest == FAR:
        return Count(0, 0, True)
    index, scratch = search.index, search.scratch
    kernel = search.walker.kernel(kernels.count)
    last = np.zeros(index.entities, dtype=np.int32)  # facts between each vertex and the end
    row = slice(index.offsets[search.end], index.offsets[search.end + 1])
    last[index.neighbours[row]] = np.diff(index.hop_offsets[row.start : row.stop + 1])
    search.forget_lists()
    places = np.empty(len(scratch.pool), dtype=np.int64)
    sums = np.empty((len(scratch.bounds), 2), dtype=np.int64)
    totals = np.zeros(2, dtype=np.int64)
    for length in range(search.shortest, search.hops + 1):
        search.begin()
        status = MORE_ROOM
        while status == MORE_ROOM:
            status = kernel(
                index.offsets, index.neighbours, index.hop_offsets, search.start, search.end,
                length, search.hops, scratch.dist, scratch.slot, scratch.pool, places,
                scratch.bounds, scratch.entered, sums, last, scratch.visited, scratch.path,
                scratch.place, scratch.stop, scratch.state, totals, budget,
            )  # fmt: skip
            if status == MORE_ROOM:
                search.make_room()
                places = grown(places, len(scratch.pool))
                sums = grown(sums, len(scratch.bounds))
        search.abandon()
        if status == SPENT:
            return _estimate(search, seed)
    return Count(int(totals[0]), int(totals[1]), True)


def _estimate(search: Search, seed: int) -> Count:
    """The number of walks, times the share of them that are simple."""
    walks = 2000 if search.walker.tiny else 20_000
    with WalkCounts(search) as counts:
        simple = counts.draw(np.random.default_rng(seed), walks)
        entity_paths = counts.total * len(simple) / walks
    if not len(simple):
        return Count(0, 0, False)
    places = hop_places(search.walker, simple)
    facts = search.index.hop_offsets[places + 1] - search.index.hop_offsets[places]
    per_path = np.prod(np.where(places >= 0, facts, 1), axis=1)
    return Count(round(entity_paths), round(entity_paths * per_path.mean()), False)
