"""How much an encoder that learns from a graph is trained: in full on a large one, less on a small.

Every full budget (random paths of path-vae, steps of kepler, k-bert, kg-bert, and of bert from
scratch) was set on DBpedia's film part, 800,398 facts. On a few thousand facts as much would go
over the same ones again and again, for minutes; so the budget is a share that grows with the facts:

    budget = full · min(1, max(facts, 1,000) / 40,000)

The sample that ships (2,822 facts) gets 7 %. Questions need no rule: what learns from them goes
through them a fixed number of times, and of the paths of path-vae at most half are candidates of
questions. TransE stops when validation gets no better, and goes through the facts of a small graph
in smaller batches; word2vec goes through the texts five times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: A graph of so many facts is trained on in full; one of fewer than ``FEWEST`` as if it had those.
LARGE, FEWEST = 40_000, 1_000


def budget_for(graph: Graph, full: int) -> int:
    """The share of a full budget that a graph of this size is worth; never less than 1."""
    facts = sum(relation.edges for relation in graph.store.relations)
    return max(1, full * min(LARGE, max(facts, FEWEST)) // LARGE)
