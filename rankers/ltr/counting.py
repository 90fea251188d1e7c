"""Counts relations and words over examples: each fact, and each meeting of two, once a text."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from kgpath.rankers.ltr.fact_examples import Fact, FactExample
from kgpath.rankers.ltr.relation_statistics import RelationStatistics

#: Facts whose two ends the text names at least so clearly are counted, expressed or not.
NAMED = 0.5

Mask = NDArray[np.bool_]


def count_relations(
    examples: Iterable[tuple[FactExample, Mask]], before: RelationStatistics | None = None
) -> RelationStatistics:
    """Counts over examples, each with the facts that its text expresses; ``before`` was counted."""
    statistics = RelationStatistics() if before is None else deepcopy(before)
    counted: set[tuple[str, Fact]] = set()
    counted_pairs: set[tuple[str, Fact, Fact]] = set()
    for example, expressed in examples:
        likely = (example.hops["least named"] > NAMED) | expressed
        _count_facts(statistics, example, expressed, likely, counted)
        _count_pairs(statistics, example, expressed, likely, counted_pairs)
    return statistics


def _count_facts(
    statistics: RelationStatistics,
    example: FactExample,
    expressed: Mask,
    likely: Mask,
    counted: set[tuple[str, Fact]],
) -> None:
    """Count each fact that the text may express."""
    for fact in np.flatnonzero(likely).tolist():
        key = example.group, example.facts[fact]
        if key not in counted:
            counted.add(key)
            same_ends = example.entity_pair == example.entity_pair[fact]
            parallel = np.flatnonzero(same_ends & ~expressed)
            rivals = {example.spans[rival].relation for rival in parallel.tolist()}
            statistics.add(example.spans[fact], bool(expressed[fact]), rivals)


def _count_pairs(
    statistics: RelationStatistics,
    example: FactExample,
    expressed: Mask,
    likely: Mask,
    counted: set[tuple[str, Fact, Fact]],
) -> None:
    """Count each meeting of two facts that the text may express."""
    rows, hops = np.nonzero(example.pairs_along >= 0)
    one, other = example.facts_along[rows, hops], example.facts_along[rows, hops + 1]
    pair = example.pairs_along[rows, hops]
    meetings = np.stack([np.minimum(one, other), np.maximum(one, other), pair])
    for a, b, number in np.unique(meetings[:, likely[one] & likely[other]], axis=1).T.tolist():
        key = example.group, example.facts[a], example.facts[b]
        if key not in counted:
            counted.add(key)
            both = bool(expressed[a] and expressed[b])
            statistics.add_pair(example.relation_pairs[number], both)
