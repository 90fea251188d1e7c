"""The cheapest paths: best first under an exact bound, so that no more expensive one is read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.kernels import FAR, FULL, MORE_ROOM
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.walks import Search, grown
from kgpath.storage.hop_codes import for_both_directions


def cheapest(
    search: Search,
    k: int,
    vertex_cost: NDArray[np.int64],
    relation_cost: NDArray[np.int64],
    hop_cost: int,
    budget: int,
) -> PathArrays:
    """The ``k`` cheapest typed paths, by cost and then by ids; exact.

    Costs are whole numbers and not negative, so that sums and ties are exact too. ``budget`` is how
    many partial paths may be looked at.
    """
    index, scratch, hops = search.index, search.scratch, search.hops
    if search.shortest == FAR or k == 0:
        return replace(PathArrays.nothing(hops), costs=np.empty(0, dtype=np.int64))
    code_cost = for_both_directions(relation_cost)
    search.forget_lists()
    layer, _ = search.layers()
    below = np.empty((len(layer), hops + 1), dtype=np.int64)
    search.walker.kernel(kernels.bounds_below)(
        index.offsets, index.neighbours, index.hop_offsets, index.hop_codes, search.start,
        search.end, hops, scratch.dist, scratch.depth, layer, len(layer), scratch.slot,
        vertex_cost, code_cost, hop_cost, below,
    )  # fmt: skip
    scratch.depth[layer] = FAR
    best_first = search.walker.kernel(kernels.best_first)
    room = 1 << 12
    largest = int(index.degrees().max(initial=0))  # a hub may need more than twice the room
    chain = np.empty((room, 2 * hops + 1), dtype=np.int32)
    length, heap = np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int32)
    cost, bound = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    chain[0, 0], bound[0] = search.start, below[0, hops]
    state = np.array([1, 1], dtype=np.int64)
    out = np.empty((k, 2 * hops + 1), dtype=np.int32)
    out_length, out_cost = np.empty(k, dtype=np.int32), np.empty(k, dtype=np.int64)
    rows = 0
    while True:
        status, written = best_first(
            index.offsets, index.neighbours, index.hop_offsets, index.hop_codes, search.start,
            search.end, hops, scratch.dist, scratch.slot, below, vertex_cost, code_cost, hop_cost,
            chain, length, cost, bound, heap, state, out[rows:], out_length[rows:], out_cost[rows:],
        )  # fmt: skip
        rows += written
        if status != MORE_ROOM or len(cost) > budget:
            break
        room = 2 * len(cost) + largest
        chain, length, heap = grown(chain, room), grown(length, room), grown(heap, room)
        cost, bound = grown(cost, room), grown(bound, room)
    scratch.slot[layer] = -1
    truncated = {FULL: "limit", MORE_ROOM: "budget"}.get(status, "")
    found = out[:rows]
    return PathArrays(
        found[:, 0::2].copy(), out_length[:rows], found[:, 1::2].copy(), out_cost[:rows], truncated
    )
