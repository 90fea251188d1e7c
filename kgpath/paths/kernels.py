"""The inner loops of the walker, over plain arrays.

Every kernel is plain Python that numba can compile: ``compiled`` gives the machine-code version,
the function itself serves graphs too small to be worth compiling for. All kernels live
in this file because numba's cache of compiled code does not notice changes elsewhere.

Common arguments: ``offsets`` and ``neighbours`` are the adjacency of the index; ``dist`` holds
the distance to ``end`` of every vertex that can lie on a path and FAR elsewhere. A vertex gets a
``slot`` when a search first enters it; then ``pool[bounds[slot, 0]:bounds[slot, k]]`` are its
neighbours at distance 1 to k from the end, so those still useful with k hops left are one slice.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import cache
from typing import Any

from kgpath.io.progress import note

FAR = 127

# What a resumable search reports, and the places in its ``state`` array.
DONE, FULL, MORE_ROOM, SPENT = 0, 1, 2, 3
DEPTH, SLOTS, POOLED, STEPS, ENTERED, LENGTH = 0, 1, 2, 3, 4, 5
LOW = (1 << 32) - 1


def distances(offsets, neighbours, blocked, start, end, hops, dist, depth, queue):
    """Fill ``dist`` for all vertices on walks of at most ``hops`` from start to end.

    Looks only into two neighbourhoods of half the radius. Returns how many vertices were touched;
    they are listed in ``queue``, those reached from the end first, so that the caller can clean up.
    """
    filtered = len(blocked) > 0
    radius = (hops + 1) // 2
    dist[end] = 0
    queue[0] = end
    size = 1
    at = 0
    for level in range(1, radius + 1):
        stop = size
        while at < stop:
            vertex = queue[at]
            at += 1
            if vertex == start:
                continue  # a path does not come back to its start
            for place in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbours[place]
                if dist[other] == FAR:
                    if filtered and blocked[other] and other != start:
                        continue
                    dist[other] = level
                    queue[size] = other
                    size += 1
    # Farther vertices matter only near the start: within hops - radius - 1 of it.
    reach = hops - radius - 1
    first = size
    depth[start] = 0
    queue[size] = start
    size += 1
    at = first
    for level in range(1, reach + 1):
        stop = size
        while at < stop:
            vertex = queue[at]
            at += 1
            if vertex == end:
                continue
            for place in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbours[place]
                if depth[other] == FAR:
                    if filtered and blocked[other] and other != end:
                        continue
                    depth[other] = level
                    queue[size] = other
                    size += 1
    for level in range(radius + 1, hops + 1):
        for at in range(first, size):
            vertex = queue[at]
            if dist[vertex] != FAR or depth[vertex] > hops - level:
                continue
            for place in range(offsets[vertex], offsets[vertex + 1]):
                if dist[neighbours[place]] == level - 1:
                    dist[vertex] = level
                    break
    for at in range(first, size):
        depth[queue[at]] = FAR
    return size


def group_by_distance(offsets, neighbours, vertex, hops, dist, pool, bounds, own, used, places):
    """Write a vertex's useful neighbours to the pool, grouped by their distance to the end.

    Fills the row ``own`` of ``bounds`` and returns the pool's new size. ``places``, if it has any
    room, gets the place in the index of each.
    """
    for k in range(hops + 1):
        bounds[own, k] = 0
    for at in range(offsets[vertex], offsets[vertex + 1]):
        far = dist[neighbours[at]]
        if 0 < far < hops:
            bounds[own, far] += 1
    total = used
    bounds[own, 0] = used
    for k in range(1, hops + 1):
        number = bounds[own, k]
        bounds[own, k] = total  # the next free place of the group, for now
        total += number
    for at in range(offsets[vertex], offsets[vertex + 1]):
        other = neighbours[at]
        far = dist[other]
        if 0 < far < hops:
            pool[bounds[own, far]] = other
            if len(places) > 0:
                places[bounds[own, far]] = at
            bounds[own, far] += 1
    return total


def precedes(one, other, bound, chain, length):
    """Whether a partial path comes before another: by its bound, then by its sequence."""
    if bound[one] != bound[other]:
        return bound[one] < bound[other]
    for k in range(2 * min(length[one], length[other]) + 1):
        if chain[one, k] != chain[other, k]:
            return chain[one, k] < chain[other, k]
    return False


def contains(rows, row, last, vertex):
    """Whether a vertex is among the first of a row, up to ``last``."""
    for k in range(last + 1):  # noqa: SIM110  numba compiles no generator expression here
        if rows[row, k] == vertex:
            return True
    return False


def forget_lists(entered, size, slot, near, nearer):
    """Forget the lists made for the vertices that a search entered."""
    for at in range(size):
        slot[entered[at]] = -1
        near[entered[at]] = -1
        nearer[entered[at]] = -1


def forget_distances(queue, size, dist):
    """Forget the distances of the vertices that a search touched."""
    for at in range(size):
        dist[queue[at]] = FAR


def walk(
    offsets, neighbours, start, end, longest, hops, dist, slot, pool, bounds, near, nearer,
    entered, places, visited, path, place, state, out, lengths, budget,
):  # fmt: skip
    """Write simple paths of up to ``longest`` hops into the rows of ``out``; resumable.

    Goes through one length after the other, beginning after the one in ``state``. Returns (status,
    rows written): DONE, FULL (call again with an empty ``out``), MORE_ROOM (call again with a
    larger pool or more bounds) or SPENT (``budget`` steps were taken). Depth first, the neighbours
    farthest from the end first: from there the rest of the way is straight.

    The last three hops, where nearly all time goes, are two plain loops over short lists made once
    a vertex: ``near``, its neighbours at distance 1 or 2, and ``nearer``, those at distance 1. An
    entry holds where in the pool the list begins (high half) and ends (low half).
    """
    rows = 0
    limit = out.shape[0]
    depth = state[DEPTH]
    length = state[LENGTH]
    last = max(length - 3, 0)
    end_degree = offsets[end + 1] - offsets[end]
    while True:
        if depth < 0:
            if length >= longest:
                break
            length += 1
            state[LENGTH] = length
            last = max(length - 3, 0)
            depth = 0
            path[0] = start
            place[0] = -1
            place[1] = -1
            visited[start] = True
        if length == 1:
            if dist[start] == 1:
                if rows == limit:
                    state[DEPTH] = depth
                    return FULL, rows
                out[rows, 0] = start
                out[rows, 1] = end
                for k in range(2, out.shape[1]):
                    out[rows, k] = -1
                lengths[rows] = 1
                rows += 1
            visited[start] = False
            depth = -1
            continue
        vertex = path[depth]
        at = place[depth]
        if depth == last:
            first = -1
            final = 0
            if length > 2:
                span = near[vertex]
                if span < 0:
                    used = state[POOLED]
                    degree = offsets[vertex + 1] - offsets[vertex]
                    if used + degree > len(pool):
                        state[DEPTH] = depth
                        return MORE_ROOM, rows
                    span = used << 32
                    ones = 0
                    for k in range(offsets[vertex], offsets[vertex + 1]):
                        far = dist[neighbours[k]]
                        if far == 2:
                            pool[used] = neighbours[k]
                            used += 1
                        elif far == 1:
                            ones += 1
                    if ones > 0:
                        for k in range(offsets[vertex], offsets[vertex + 1]):
                            if dist[neighbours[k]] == 1:
                                pool[used] = neighbours[k]
                                used += 1
                    span |= used
                    near[vertex] = span
                    entered[state[ENTERED]] = vertex
                    state[ENTERED] += 1
                    state[POOLED] = used
                first = span >> 32
                final = span & LOW
            if at < 0:
                at = first
            while at < final:
                # With two hops in all there is no vertex in between: one round for the start.
                middle = vertex
                if length > 2:
                    if state[STEPS] >= budget:
                        place[depth] = at
                        state[DEPTH] = depth
                        return SPENT, rows
                    middle = pool[at]
                    if visited[middle]:
                        at += 1
                        continue
                span = nearer[middle]
                if span < 0:
                    used = state[POOLED]
                    low = offsets[middle]
                    high = offsets[middle + 1]
                    need = min(high - low, end_degree)
                    if used + need > len(pool):
                        place[depth] = at
                        state[DEPTH] = depth
                        return MORE_ROOM, rows
                    span = used << 32
                    if high - low > 8 * end_degree:
                        # A hub: look up each neighbour of the end among its many.
                        for k in range(offsets[end], offsets[end + 1]):
                            other = neighbours[k]
                            if dist[other] != 1:
                                continue  # a blocked one
                            top = high
                            while low < top:
                                half = (low + top) // 2
                                if neighbours[half] < other:
                                    low = half + 1
                                else:
                                    top = half
                            if low < high and neighbours[low] == other:
                                pool[used] = other
                                used += 1
                    else:
                        for k in range(low, high):
                            if dist[neighbours[k]] == 1:
                                pool[used] = neighbours[k]
                                used += 1
                    span |= used
                    nearer[middle] = span
                    entered[state[ENTERED]] = middle
                    state[ENTERED] += 1
                    state[POOLED] = used
                here = place[depth + 1]
                if here < 0:
                    here = span >> 32
                stop = span & LOW
                state[STEPS] += stop - here + 1
                while here < stop:
                    other = pool[here]
                    if not visited[other]:
                        if rows == limit:
                            place[depth] = at
                            place[depth + 1] = here
                            state[DEPTH] = depth
                            return FULL, rows
                        for k in range(depth + 1):
                            out[rows, k] = path[k]
                        out[rows, length - 2] = middle
                        out[rows, length - 1] = other
                        out[rows, length] = end
                        for k in range(length + 1, out.shape[1]):
                            out[rows, k] = -1
                        lengths[rows] = length
                        rows += 1
                    here += 1
                place[depth + 1] = -1
                at += 1
            visited[vertex] = False
            depth -= 1
            continue
        own = slot[vertex]
        if own < 0:
            # First visit: group the useful neighbours by their distance to the end.
            own = state[SLOTS]
            used = state[POOLED]
            degree = offsets[vertex + 1] - offsets[vertex]
            if own >= bounds.shape[0] or used + degree > len(pool):
                state[DEPTH] = depth
                return MORE_ROOM, rows
            total = group_by_distance(
                offsets, neighbours, vertex, hops, dist, pool, bounds, own, used, places
            )
            slot[vertex] = own
            entered[state[ENTERED]] = vertex
            state[ENTERED] += 1
            state[SLOTS] = own + 1
            state[POOLED] = total
        if at < 0:
            at = bounds[own, length - depth - 1] - 1
        while at >= bounds[own, 0] and visited[pool[at]]:
            at -= 1
        if at < bounds[own, 0]:
            visited[vertex] = False
            depth -= 1
            continue
        state[STEPS] += 1
        if state[STEPS] >= budget:
            place[depth] = at
            state[DEPTH] = depth
            return SPENT, rows
        place[depth] = at - 1
        depth += 1
        path[depth] = pool[at]
        visited[pool[at]] = True
        place[depth] = -1
        place[depth + 1] = -1
    state[DEPTH] = -1
    return DONE, rows


def count(
    offsets, neighbours, hop_offsets, start, end, length, hops, dist, slot, pool, places, bounds,
    entered, sums, last, visited, path, place, stop, state, totals, budget,
):  # fmt: skip
    """Add the number of simple paths of exactly ``length`` hops to ``totals``; resumable.

    ``totals`` is (paths of entities, typed paths). Nothing is written out, and the last two
    hops are not walked: their number is a sum kept with each vertex, less the few that would
    repeat a vertex. ``last[v]`` is the number of facts between v and the end.
    """
    depth = state[DEPTH]
    if depth < 0:
        return DONE
    if length == 1:
        if dist[start] == 1:
            totals[0] += 1
            totals[1] += last[start]
        state[DEPTH] = -1
        return DONE
    final = length - 2
    while depth >= 0:
        vertex = path[depth]
        own = slot[vertex]
        if own < 0:
            own = state[SLOTS]
            used = state[POOLED]
            if own >= bounds.shape[0] or used + offsets[vertex + 1] - offsets[vertex] > len(pool):
                state[DEPTH] = depth
                return MORE_ROOM
            total = group_by_distance(
                offsets, neighbours, vertex, hops, dist, pool, bounds, own, used, places
            )
            sums[own, 0] = bounds[own, 1] - bounds[own, 0]
            sums[own, 1] = 0
            for at in range(bounds[own, 0], bounds[own, 1]):
                facts = hop_offsets[places[at] + 1] - hop_offsets[places[at]]
                sums[own, 1] += facts * last[pool[at]]
            slot[vertex] = own
            entered[state[ENTERED]] = vertex
            state[ENTERED] += 1
            state[SLOTS] = own + 1
            state[POOLED] = total
        if place[depth] < 0:
            place[depth] = bounds[own, 0]
            stop[depth] = bounds[own, length - depth - 1]
        if depth == final:
            weight = 1
            for k in range(depth):
                at = places[place[k] - 1]
                weight *= hop_offsets[at + 1] - hop_offsets[at]
            paths = sums[own, 0]
            labelled = sums[own, 1]
            for k in range(depth):
                other = path[k]
                if dist[other] != 1:
                    continue
                low = bounds[own, 0]
                high = bounds[own, 1]
                while low < high:
                    middle = (low + high) // 2
                    if pool[middle] < other:
                        low = middle + 1
                    else:
                        high = middle
                if low < bounds[own, 1] and pool[low] == other:
                    paths -= 1
                    facts = hop_offsets[places[low] + 1] - hop_offsets[places[low]]
                    labelled -= facts * last[other]
            totals[0] += paths
            totals[1] += weight * labelled
            state[STEPS] += depth + 1
            visited[vertex] = False
            depth -= 1
            continue
        at = place[depth]
        while at < stop[depth] and visited[pool[at]]:
            at += 1
        if at >= stop[depth]:
            visited[vertex] = False
            depth -= 1
            continue
        if state[STEPS] >= budget:
            place[depth] = at
            state[DEPTH] = depth
            return SPENT
        state[STEPS] += 1
        place[depth] = at + 1
        depth += 1
        path[depth] = pool[at]
        visited[pool[at]] = True
        place[depth] = -1
    state[DEPTH] = -1
    return DONE


def layers(offsets, neighbours, start, end, hops, dist, depth, queue):
    """List in ``queue`` every vertex that lies on a walk of at most ``hops``, with its depth.

    Returns their number and the number of their useful neighbours.
    """
    queue[0] = start
    depth[start] = 0
    size = 1
    arcs = 0
    at = 0
    while at < size:
        vertex = queue[at]
        at += 1
        level = depth[vertex] + 1
        for place in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbours[place]
            far = dist[other]
            if far == FAR or far == 0 or other == start or level + far > hops:
                continue
            arcs += 1
            if depth[other] == FAR:
                depth[other] = level
                queue[size] = other
                size += 1
    return size, arcs


def walk_counts(
    offsets, neighbours, start, end, hops, dist, depth, queue, size, slot, first, target, ways,
    cumulated,
):  # fmt: skip
    """How many walks lead from each vertex to the end in exactly r hops, for each r.

    ``ways[s, r]`` is that number for the vertex in slot s; its useful neighbours are
    ``target[first[s]:first[s + 1]]``, and ``cumulated[r, p]`` the running sum over them of the
    walks that go on from there in r - 1 hops. Walks may repeat vertices, but not the ends.
    """
    arcs = 0
    for own in range(size):
        vertex = queue[own]
        slot[vertex] = own
        first[own] = arcs
        for place in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbours[place]
            far = dist[other]
            if far == FAR or far == 0 or other == start or depth[vertex] + 1 + far > hops:
                continue
            target[arcs] = other
            arcs += 1
    first[size] = arcs
    for own in range(size):
        ways[own, 0] = 0.0
        ways[own, 1] = 1.0 if dist[queue[own]] == 1 else 0.0
    for r in range(2, hops + 1):
        for own in range(size):
            total = 0.0
            if depth[queue[own]] + r <= hops:
                for at in range(first[own], first[own + 1]):
                    total += ways[slot[target[at]], r - 1]
                    cumulated[r, at] = total
            ways[own, r] = total


def draw(start, end, hops, slot, first, target, ways, cumulated, dice, out, lengths):
    """Draw walks uniformly, one per row of ``dice``; returns how many were simple, in ``out``.

    Every walk of any length up to ``hops`` is equally likely, so every simple one among those kept
    is too.
    """
    kept = 0
    total = 0.0
    for r in range(1, hops + 1):
        total += ways[0, r]
    for row in range(dice.shape[0]):
        want = dice[row, 0] * total
        length = 1
        while length < hops and want >= ways[0, length]:
            want -= ways[0, length]
            length += 1
        if ways[0, length] == 0.0:  # rounding pushed us past the last possible length
            while ways[0, length] == 0.0:
                length -= 1
        out[kept, 0] = start
        vertex = start
        simple = True
        for step in range(1, length):
            own = slot[vertex]
            r = length - step + 1
            low = first[own]
            high = first[own + 1] - 1
            want = dice[row, step] * cumulated[r, high]
            while low < high:
                middle = (low + high) // 2
                if cumulated[r, middle] > want:
                    high = middle
                else:
                    low = middle + 1
            vertex = target[low]
            for k in range(1, step):
                if out[kept, k] == vertex:
                    simple = False
            if not simple:
                break
            out[kept, step] = vertex
        if simple:
            out[kept, length] = end
            for k in range(length + 1, out.shape[1]):
                out[kept, k] = -1
            lengths[kept] = length
            kept += 1
    return kept


def random_walks(offsets, neighbours, start, end, hops, dist, dice, out, lengths):
    """Random walks from start, one per row of ``dice``, that never leave reach of the end.

    Each step goes to a neighbour chosen uniformly among those that are new and from which the end
    can still be reached in the hops that remain; a walk with no such neighbour is dropped.
    Returns how many arrived, in ``out``.
    """
    kept = 0
    for row in range(dice.shape[0]):
        out[kept, 0] = start
        length = 0
        arrived = False
        while length < hops:
            vertex = out[kept, length]
            left = hops - length - 1
            choices = 0
            for place in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbours[place]
                if dist[other] <= left and not contains(out, kept, length, other):
                    choices += 1
            if choices == 0:
                break
            pick = int(dice[row, length] * choices)
            for place in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbours[place]
                if dist[other] <= left and not contains(out, kept, length, other):
                    if pick == 0:
                        length += 1
                        out[kept, length] = other
                        break
                    pick -= 1
            if out[kept, length] == end:
                arrived = True
                break
        if arrived:
            for k in range(length + 1, out.shape[1]):
                out[kept, k] = -1
            lengths[kept] = length
            kept += 1
    return kept


def bounds_below(
    offsets, neighbours, hop_offsets, codes, start, end, hops, dist, depth, queue, size, slot,
    vertex_cost, code_cost, hop_cost, below,
):  # fmt: skip
    """The least cost of a walk from each vertex to the end in at most r hops: ``below[slot, r]``.

    A path's cost is the sum over its hops of relation and hop cost and over its inner vertices of
    vertex cost. Unreachable is -1.
    """
    for own in range(size):
        slot[queue[own]] = own
        for r in range(hops + 1):
            below[own, r] = -1
    for r in range(1, hops + 1):
        for own in range(size):
            vertex = queue[own]
            best = below[own, r - 1]
            if depth[vertex] + r <= hops:
                for place in range(offsets[vertex], offsets[vertex + 1]):
                    other = neighbours[place]
                    far = dist[other]
                    if far > r - 1 or other == start:
                        continue
                    rest = 0
                    if far > 0:
                        if slot[other] < 0:
                            continue
                        rest = below[slot[other], r - 1]
                        if rest < 0:
                            continue
                        rest += vertex_cost[other]
                    cheapest = code_cost[codes[hop_offsets[place]]]
                    for at in range(hop_offsets[place] + 1, hop_offsets[place + 1]):
                        cheapest = min(cheapest, code_cost[codes[at]])
                    rest += cheapest + hop_cost
                    if best < 0 or rest < best:
                        best = rest
            below[own, r] = best


def best_first(
    offsets, neighbours, hop_offsets, codes, start, end, hops, dist, slot, below, vertex_cost,
    code_cost, hop_cost, chain, length, cost, bound, heap, state, out, out_length, out_cost,
):  # fmt: skip
    """Write labelled paths by ascending cost, then by their sequence of ids; resumable.

    Partial paths wait in ``heap`` (node numbers) ordered by ``bound``, the cost so far plus the
    least that the rest can cost, and by their sequence. As no extension of a later partial path
    can precede a complete one that comes first, paths come out in exactly the order of their
    costs and ids. ``chain[node]`` is vertex, hop code, vertex, …; ``state`` is (heap size, nodes).
    """
    rows = 0
    limit = out.shape[0]
    size = state[0]
    nodes = state[1]
    while size > 0:
        top = heap[0]
        done = chain[top, 2 * length[top]] == end
        if done and rows == limit:
            state[0] = size
            state[1] = nodes
            return FULL, rows
        if not done:
            # Room for every extension, or the caller makes some first.
            vertex = chain[top, 2 * length[top]]
            need = hop_offsets[offsets[vertex + 1]] - hop_offsets[offsets[vertex]]
            if nodes + need > len(cost):
                state[0] = size
                state[1] = nodes
                return MORE_ROOM, rows
        # Take the first off the heap.
        size -= 1
        moved = heap[size]
        hole = 0
        while True:
            child = 2 * hole + 1
            if child >= size:
                break
            if child + 1 < size:
                other = heap[child + 1]
                if precedes(other, heap[child], bound, chain, length):
                    child += 1
            if not precedes(heap[child], moved, bound, chain, length):
                break
            heap[hole] = heap[child]
            hole = child
        heap[hole] = moved
        if done:
            for k in range(2 * length[top] + 1):
                out[rows, k] = chain[top, k]
            for k in range(2 * length[top] + 1, out.shape[1]):
                out[rows, k] = -1
            out_length[rows] = length[top]
            out_cost[rows] = cost[top]
            rows += 1
            continue
        steps = length[top]
        left = hops - steps - 1
        for place in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbours[place]
            if dist[other] > left or other == start:
                continue
            new = True
            for k in range(steps + 1):
                if chain[top, 2 * k] == other:
                    new = False
            if not new:
                continue
            rest = 0
            inner = 0
            if other != end:
                if slot[other] < 0:
                    continue
                rest = below[slot[other], left]
                if rest < 0:
                    continue
                inner = vertex_cost[other]
            for at in range(hop_offsets[place], hop_offsets[place + 1]):
                node = nodes
                nodes += 1
                for k in range(2 * steps + 1):
                    chain[node, k] = chain[top, k]
                chain[node, 2 * steps + 1] = codes[at]
                chain[node, 2 * steps + 2] = other
                length[node] = steps + 1
                cost[node] = cost[top] + code_cost[codes[at]] + hop_cost + inner
                bound[node] = cost[node] + rest
                # Sift up.
                hole = size
                size += 1
                while hole > 0:
                    parent = (hole - 1) // 2
                    if not precedes(node, heap[parent], bound, chain, length):
                        break
                    heap[hole] = heap[parent]
                    hole = parent
                heap[hole] = node
    state[0] = size
    state[1] = nodes
    return DONE, rows


def pair_hops(offsets, neighbours, blocked, ends, hops, reached, coming, queue, fresh, out):
    """Fill ``out`` with the number of hops between each two ``ends``; what is farther stays 0.

    One breadth-first search from all ends at once: bit i of ``reached[v]`` says that end i reaches
    vertex v so far. Two ends are 2k hops apart where they meet in a vertex after k rounds, and
    2k + 1 where an arc joins two vertices that they reach. At most 62 ends. ``reached`` and
    ``coming`` are zero before and after.
    """
    filtered = len(blocked) > 0
    size = 0
    for i in range(len(ends)):
        reached[ends[i]] |= 1 << i
        queue[size] = ends[i]
        fresh[size] = 1 << i
        size += 1
    first = 0  # where the vertices of the last round begin
    length = 0
    while length < hops:
        length += 1
        last = size
        # An arc between two vertices reached so far: an odd number of hops.
        for at in range(first, last):
            vertex = queue[at]
            for place in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbours[place]
                if reached[other] != 0:
                    note_pairs(fresh[at], reached[other], length, len(ends), out)
                if length < hops and not (filtered and blocked[other]):
                    if coming[other] == 0:
                        queue[size] = other
                        size += 1
                    coming[other] |= fresh[at]
        length += 1
        # Two ends that meet in a vertex: an even number.
        kept = last
        for at in range(last, size):
            vertex = queue[at]
            new = coming[vertex] & ~reached[vertex]
            coming[vertex] = 0
            if new != 0:
                reached[vertex] |= new
                note_pairs(new, reached[vertex], length, len(ends), out)
                queue[kept] = vertex
                fresh[kept] = new
                kept += 1
        first = last
        size = kept
    for at in range(size):
        reached[queue[at]] = 0


def note_pairs(some, others, length, number, out):
    """Write down a number of hops for all pairs of two sets of bits that have none yet."""
    for i in range(number):
        if (some >> i) & 1:
            for j in range(number):
                if i != j and (others >> j) & 1 and out[i, j] == 0:
                    out[i, j] = length
                    out[j, i] = length


def place_of(offsets, neighbours, vertex, other):
    """Where in the index a neighbour of a vertex lies."""
    low = offsets[vertex]
    high = offsets[vertex + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low


def hop_places(offsets, neighbours, paths, lengths, out):
    """Where in the index each hop of each path lies, so that its hop codes can be read."""
    for row in range(paths.shape[0]):
        for step in range(lengths[row]):
            out[row, step] = place_of(offsets, neighbours, paths[row, step], paths[row, step + 1])


def count_typed(offsets, neighbours, hop_offsets, paths, lengths, out):
    """The number of ways to choose one of the parallel relations at each hop of each path."""
    for row in range(paths.shape[0]):
        out[row] = 1
        for step in range(lengths[row]):
            at = place_of(offsets, neighbours, paths[row, step], paths[row, step + 1])
            out[row] *= hop_offsets[at + 1] - hop_offsets[at]


def least_costs(
    offsets, neighbours, hop_offsets, codes, paths, lengths, vertex_cost, code_cost, sums, out
):
    """What each path costs by the cheapest relation of every hop, and its inner vertices.

    A relation costs the same both ways. Rows of a walk begin like the row before: ``sums[k]`` is
    what the first k hops cost, and only what is new is looked up.
    """
    for row in range(paths.shape[0]):
        step = 0
        if row > 0 and paths[row, 0] == paths[row - 1, 0]:
            most = min(lengths[row], lengths[row - 1])
            while step < most and paths[row, step + 1] == paths[row - 1, step + 1]:
                step += 1
        sums[0] = 0
        while step < lengths[row]:
            one = paths[row, step]
            other = paths[row, step + 1]
            # The fact lies at both of its ends: at one of them there is less to search.
            if offsets[one + 1] - offsets[one] <= offsets[other + 1] - offsets[other]:
                at = place_of(offsets, neighbours, one, other)
            else:
                at = place_of(offsets, neighbours, other, one)
            cheapest = code_cost[codes[hop_offsets[at]]]
            for parallel in range(hop_offsets[at] + 1, hop_offsets[at + 1]):
                cheapest = min(cheapest, code_cost[codes[parallel]])
            inner = vertex_cost[other] if step + 1 < lengths[row] else 0
            sums[step + 1] = sums[step] + cheapest + inner
            step += 1
        out[row] = sums[lengths[row]]


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The machine-code version of a kernel, from numba's cache where it can be written."""
    from numba import njit

    _make_helpers_known()
    _say_when_compiling()
    try:
        fast = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # neither the package's folder nor the user's cache is writable
        try:
            os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="kgpath-")
            fast = njit(cache=True, nogil=True)(function)
        except (OSError, RuntimeError):
            fast = njit(nogil=True)(function)
    return fast  # type: ignore[no-any-return, unused-ignore]


@cache
def _make_helpers_known() -> None:
    """Let compiled kernels call the helpers, which stay plain Python for the others."""
    from numba.extending import register_jitable

    for helper in (group_by_distance, precedes, contains, place_of, note_pairs):
        register_jitable(helper)


@cache
def _say_when_compiling() -> None:
    """Tell the user, once, when a kernel is really compiled: not when it is loaded from a cache."""
    from numba.core import event

    class Notice(event.Listener):  # type: ignore[misc, name-defined, unused-ignore]
        said = False

        def on_start(self, event: Any) -> None:
            if not self.said and event.data["dispatcher"].py_func.__module__ == __name__:
                self.said = True
                note("compiling the walker for this machine (once, some seconds)")

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Notice())
