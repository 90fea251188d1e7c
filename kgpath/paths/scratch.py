"""Arrays of the size of the graph, reused from search to search."""

from __future__ import annotations

import numpy as np

from kgpath.paths.kernels import FAR

MOST_HOPS = 6
HALF = 31  # of the vertices that are searched from at once: two halves fit into 63 bits


class Scratch:
    """Arrays for a search between two vertices."""

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
        self.state = np.zeros(6, dtype=np.int64)


class BitScratch:
    """The same for a search from up to ``2 · HALF`` vertices at once, a bit for each."""

    def __init__(self, entities: int) -> None:
        self.reached = np.zeros(entities, dtype=np.int64)
        self.coming = np.zeros(entities, dtype=np.int64)
        # A vertex is in the queue once for each round in which it is reached by more ends.
        room = entities * (MOST_HOPS // 2 + 1) + 2 * HALF
        self.queue = np.empty(room, dtype=np.int32)
        self.fresh = np.empty(room, dtype=np.int64)
