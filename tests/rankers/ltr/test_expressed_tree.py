"""The chance that a path is on the tree of expressed facts: against all spanning trees."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.rankers.ltr.expressed_tree import tree_chances


@st.composite
def graphs(draw):
    """A connected multigraph of up to five entities, with the logarithm of each fact's odds."""
    count = draw(st.integers(2, 5))
    edges = [(draw(st.integers(0, node - 1)), node) for node in range(1, count)]
    node = st.integers(0, count - 1)
    edges += draw(st.lists(st.tuples(node, node).filter(lambda e: e[0] != e[1]), max_size=5))
    logits = [draw(st.floats(-3, 3)) for _ in edges]
    return count, edges, logits


def by_hand(count: int, edges, logits) -> dict[frozenset[int], float]:
    """The weight of every spanning tree, as a set of edges."""
    trees: dict[frozenset[int], float] = {}
    for chosen in combinations(range(len(edges)), count - 1):
        graph = nx.Graph([edges[at] for at in chosen])
        if len(graph) == count and nx.is_tree(graph) and graph.number_of_edges() == count - 1:
            trees[frozenset(chosen)] = float(np.exp(sum(logits[at] for at in chosen)))
    return trees


@given(graphs())
def test_chances_are_those_of_all_spanning_trees(made) -> None:
    count, edges, logits = made
    trees = by_hand(count, edges, logits)
    whole = sum(trees.values())
    graph = nx.MultiGraph()
    graph.add_edges_from((a, b, at) for at, (a, b) in enumerate(edges))
    paths = [[key for *_, key in path] for path in nx.all_simple_edge_paths(graph, 0, count - 1)]
    of = np.full((len(paths), count), -1)
    for row, path in zip(of, paths, strict=True):
        row[: len(path)] = path
    found, alone = tree_chances(np.array(edges).T, np.array(logits), of)
    wanted = [sum(w for tree, w in trees.items() if tree >= set(path)) / whole for path in paths]
    assert np.exp(found) == pytest.approx(wanted, abs=1e-5)
    assert np.exp(found).sum() == pytest.approx(1, abs=1e-5)
    shares = [sum(w for t, w in trees.items() if at in t) / whole for at in range(len(edges))]
    assert np.exp(alone) == pytest.approx(shares, abs=1e-5)


def test_a_fact_is_worth_less_where_others_connect_its_ends() -> None:
    ends = np.array([[0, 1, 0], [1, 2, 2]])  # a-b, b-c, a-c
    of = np.array([[2, -1], [0, 1]])
    sure, _ = tree_chances(ends, np.array([3.0, 3.0, 0.0]), of)
    assert sure[1] > np.log(0.9) > sure[0]


def test_no_facts_at_all() -> None:
    found, alone = tree_chances(np.zeros((2, 0), int), np.zeros(0), np.zeros((0, 0), int))
    assert len(found) == len(alone) == 0
