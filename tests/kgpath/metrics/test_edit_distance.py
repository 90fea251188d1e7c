"""The edit distance against every way of editing, and as the metric it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.metrics.edit_distance import edit_distance
from kgpath.metrics.ontology_paths import Nodes, distance, distance_to_root

# Ontology paths: the root, up to three classes, and something that only this one has.
nodes = st.builds(
    lambda classes, own: frozenset({"root", *classes, own}),
    st.sets(st.sampled_from("ABC"), max_size=3),
    st.sampled_from("xyz"),
)
sequences = st.lists(nodes, max_size=4)


def by_brute_force(source: Sequence[Nodes], target: Sequence[Nodes]) -> float:
    """All edit scripts, from left to right."""
    if not source or not target:
        return sum(map(distance_to_root, [*source, *target]))
    return min(
        distance(source[0], target[0]) + by_brute_force(source[1:], target[1:]),
        distance_to_root(source[0]) + by_brute_force(source[1:], target),
        distance_to_root(target[0]) + by_brute_force(source, target[1:]),
    )


def edits(source: Sequence[Nodes], target: Sequence[Nodes]) -> float:
    return edit_distance(source, target, distance, distance_to_root)


def letters(source: str, target: str) -> float:
    return edit_distance(source, target, lambda a, b: float(a != b), lambda a: 1.0)


@pytest.mark.parametrize(
    ("source", "target", "cost"),
    [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("abcd", "bcda", 2)],
)
def test_with_unit_costs_it_is_levenshtein(source: str, target: str, cost: int) -> None:
    assert letters(source, target) == cost


@given(sequences, sequences)
def test_no_other_way_of_editing_is_cheaper(source: list[Nodes], target: list[Nodes]) -> None:
    assert edits(source, target) == pytest.approx(by_brute_force(source, target))


@given(sequences, sequences, sequences)
def test_it_is_a_metric(one: list[Nodes], two: list[Nodes], three: list[Nodes]) -> None:
    assert edits(one, one) == 0
    assert (edits(one, two) == 0) == (one == two)
    assert edits(one, two) == pytest.approx(edits(two, one))
    assert edits(one, three) <= edits(one, two) + edits(two, three) + 1e-9


@given(nodes, nodes, nodes)
def test_so_are_the_costs(one: Nodes, two: Nodes, three: Nodes) -> None:
    root = frozenset({"root"})
    assert distance_to_root(one) == distance(one, root)
    assert distance(one, two) == distance(two, one)
    assert (distance(one, two) == 0) == (one == two)
    assert distance(one, three) <= distance(one, two) + distance(two, three) + 1e-9
    assert distance(one, two) <= distance_to_root(one) + distance_to_root(two)
