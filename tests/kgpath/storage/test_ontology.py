"""Hierarchies: reachability and cycles."""

from __future__ import annotations

from kgpath.storage.ontology import closure, find_cycle, group

UP = {"Actor": ["Artist"], "Artist": ["Person"], "Person": ["Thing"], "Film": ["Work"]}
CIRCLE = {"a": ["b"], "b": ["c"], "c": ["a", "d"]}


def test_closure_holds_the_start_and_all_above() -> None:
    assert closure(["Actor"], UP) == {"Actor", "Artist", "Person", "Thing"}
    assert closure(["Actor", "Film"], UP) == {"Actor", "Artist", "Person", "Thing", "Film", "Work"}
    assert closure([], UP) == set()


def test_closure_ends_in_a_cycle() -> None:
    assert closure(["b"], CIRCLE) == {"a", "b", "c", "d"}


def test_find_cycle_gives_the_nodes_along_it() -> None:
    cycle = find_cycle(CIRCLE)
    assert set(cycle) == {"a", "b", "c"}
    assert cycle[0] == cycle[-1]


def test_a_hierarchy_without_a_cycle_has_none() -> None:
    assert find_cycle(UP) == []
    assert find_cycle({}) == []
    assert find_cycle({"a": ["b", "c"], "b": ["d"], "c": ["d"]}) == []  # a diamond is no cycle


def test_group_keeps_every_pair_in_order() -> None:
    assert group([("a", "x"), ("b", "y"), ("a", "z")]) == {"a": ["x", "z"], "b": ["y"]}
