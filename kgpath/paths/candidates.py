"""Candidate paths for a text: those through entities that it names first, then the shortest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kgpath.linking.context import Context
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.best_first import cheapest
from kgpath.paths.costs import HOP, UNIT
from kgpath.paths.finder import PathFinder, PathOptions
from kgpath.paths.parallel_relations import choose_relations, count_typed
from kgpath.paths.path_arrays import PathArrays, joined
from kgpath.paths.walks import Walker
from kgpath.types import Entity

#: The share of them that is kept for the shortest paths, whatever the text names.
SHORTEST_SHARE = 1 / 6


def candidates_for(
    context: Context,
    head: Entity,
    tail: Entity,
    options: PathOptions | None = None,
    limit: int = DEFAULT_LIMIT,
) -> PathArrays:
    """The paths worth ranking for a text, at most ``limit``.

    A path costs what the text does not name of its inner entities, and a little for every hop;
    the cheapest come first, exactly. The rest of the places goes to the shortest paths that are
    not among them. ``options`` gives the hops allowed and the filters; with ``through``, all paths
    through these entities are listed first, within the budget. Rows are typed, and none is there
    twice; swapping head and tail gives the same rows in the same order, each reversed.
    """
    graph, options = context.graph, options or PathOptions()
    unnamed = np.rint((1 - context.name_scores) * UNIT).astype(np.int64)
    relations = np.zeros(len(graph.store.relations), dtype=np.int64)
    walker, search = graph.derived(PathFinder).search(head, tail, options)
    budget = walker.budget if options.budget is None else options.budget
    hop = round(HOP * UNIT)
    by_text = limit - int(limit * SHORTEST_SHARE)
    wanted = graph.derived(PathFinder).wanted(options)
    with search:
        every = None if wanted is None else search.enumerate(None, budget, wanted)

        def cheapest_by(vertex_cost: NDArray[np.int64], most: int) -> PathArrays:
            if every is None:
                return cheapest(search, most, vertex_cost, relations, hop, budget)
            return _first_by_cost(walker, every, most, vertex_cost, hop)

        found = cheapest_by(unnamed, by_text)
        if found.truncated:
            found = _filled_up(found, cheapest_by(np.zeros_like(unnamed), limit), limit)
        if search.start != head.id:
            found = found.reversed()
    return found.bound(graph, head, tail)


def _first_by_cost(
    walker: Walker, every: PathArrays, most: int, vertex_cost: NDArray[np.int64], hop_cost: int
) -> PathArrays:
    """The cheapest of these paths of entities, by cost and then by ids, with their relations."""
    at = np.arange(every.vertices.shape[1])
    inner = (at > 0) & (at < every.lengths[:, None])
    costs = np.where(inner, vertex_cost[every.vertices], 0).sum(axis=1) + hop_cost * every.lengths
    order = np.lexsort([*every.vertices.T[::-1], every.lengths, costs])[:most]
    chosen = replace(every.take(order), costs=costs[order])
    numbers = count_typed(walker, chosen)
    rows = np.repeat(np.arange(len(chosen)), numbers)[:most]
    before = np.cumsum(numbers) - numbers
    typed = choose_relations(walker, chosen.take(rows), np.arange(len(rows)) - before[rows])
    more = len(order) < len(every) or len(rows) < numbers.sum()
    return replace(typed, truncated=every.truncated or ("limit" if more else ""))


def _filled_up(found: PathArrays, others: PathArrays, limit: int) -> PathArrays:
    """The paths found, then those of the others that are new, up to the limit."""
    both = joined([found, others])
    first = both.distinct()
    truncated = ""
    if others.truncated or len(first) > limit:
        truncated = "budget" if "budget" in (found.truncated, others.truncated) else "limit"
    return replace(both.take(np.sort(first)[:limit]), truncated=truncated)
