"""What makes a path expensive: hubs, common relations, entities the text does not name.

A cost is a function from a graph (and a text) to numbers between 0 and 1 for entities, relations
or both; the cheapest paths are found by ``strategy="top"``. Combine them by weights:
``cost="degree + 0.5 * mention"``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.linking.name_scores import name_match_scores
from kgpath.plugins import COSTS

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: Costs are summed as whole millionths, so that sums and ties are exact.
UNIT = 1_000_000
#: Every hop costs a little, so that of two equally good paths the shorter one wins.
HOP = 0.1


class Cost(NamedTuple):
    """Cost of each entity inside a path and of each relation along it; None: nothing."""

    entities: NDArray[np.float64] | None = None
    relations: NDArray[np.float64] | None = None


def degree(graph: Graph, text: str) -> Cost:
    """Hubs are expensive: the logarithm of an entity's number of facts."""
    facts = graph.index.degrees()
    return Cost(entities=np.log1p(facts) / np.log1p(max(facts.max(initial=0), 1)))


def rarity(graph: Graph, text: str) -> Cost:
    """Common relations are expensive: the logarithm of how often a relation occurs."""
    rows = graph.store.db.execute("SELECT edges FROM relation ORDER BY id").fetchall()
    edges = np.array([count for (count,) in rows], dtype=np.float64)
    return Cost(relations=np.log1p(edges) / np.log1p(max(edges.sum(), 1)))


def mention(graph: Graph, text: str) -> Cost:
    """Entities that the text names are free, those it hints at cheap, all others cost 1."""
    if not text.strip():
        raise BadOption("The cost 'mention' needs a text: --text or --context, in Python text=…")
    return Cost(entities=1 - name_match_scores(graph, text))


def total_cost(
    graph: Graph, formula: str, text: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Whole-number costs of every entity and every relation, for a formula of named costs."""
    entities = np.zeros(graph.index.entities)
    relations = np.zeros(graph.store.one("SELECT count(*) FROM relation")[0])
    for weight, name in parse(formula):
        cost: Cost = COSTS.load(name)(graph, text)
        if cost.entities is not None:
            entities += weight * cost.entities
        if cost.relations is not None:
            relations += weight * cost.relations
    return np.rint(entities * UNIT).astype(np.int64), np.rint(relations * UNIT).astype(np.int64)


def parse(formula: str) -> list[tuple[float, str]]:
    """The weights and names in a sum of costs.

    >>> parse("degree + 0.5*mention")
    [(1.0, 'degree'), (0.5, 'mention')]
    """
    terms = []
    for term in formula.split("+"):
        match = re.fullmatch(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)\s*\*\s*)?([\w-]+)\s*", term)
        if not match:
            raise BadOption(
                f"Cannot read the cost {formula!r}. Write it like: degree + 0.5*mention"
            )
        terms.append((float(match.group(1) or 1), COSTS.entry(match.group(2)).name))
    return terms
