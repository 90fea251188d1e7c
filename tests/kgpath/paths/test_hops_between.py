"""How many hops apart many entities are."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kgpath.paths.hops_between import hops_between
from kgpath.paths.walks import Walker
from kgpath.storage.index import Index

GRAPHS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


@given(GRAPHS, st.integers(1, 4), st.sets(st.integers(0, 9), max_size=4))
def test_hops_between_many_are_those_of_networkx(
    pairs: list[tuple[int, int]], hops: int, blocked: set[int]
) -> None:
    facts = np.array([(a, 0, b) for a, b in pairs if a != b], dtype=np.int32).reshape(-1, 3)
    mask = np.zeros(10, dtype=np.bool_)
    mask[list(blocked)] = True
    ends = [7, 0, 3, 9, 5]
    walker = Walker(Index.from_edges(facts, 10))
    found = hops_between(walker, ends, hops, mask)
    for i, j in combinations(range(len(ends)), 2):
        judge = networkx.Graph(facts[:, [0, 2]].tolist())
        judge.add_nodes_from(ends)
        judge.remove_nodes_from(blocked - {ends[i], ends[j]})
        try:
            far = networkx.shortest_path_length(judge, ends[i], ends[j])
        except networkx.NetworkXNoPath:
            far = 99
        assert found[i, j] == found[j, i] == (far if far <= hops else 0)
    # Nothing is left behind for the next search.
    assert np.array_equal(hops_between(walker, ends, hops, mask), found)


def test_hops_between_more_than_fit_into_one_search() -> None:
    chain = np.array([(at, 0, at + 1) for at in range(99)], dtype=np.int32)
    found = hops_between(Walker(Index.from_edges(chain, 100)), range(100), 3)
    apart = np.abs(np.subtract.outer(np.arange(100), np.arange(100)))
    assert np.array_equal(found, np.where(apart <= 3, apart, 0))


def test_compiled_and_plain_agree() -> None:
    rng = np.random.default_rng(0)
    facts = np.array([(a, 0, b) for a, b in rng.integers(200, size=(400, 2)) if a != b], np.int32)
    mask = rng.random(200) < 0.1
    plain = Walker(Index.from_edges(facts, 200))
    compiled = Walker(Index.from_edges(facts, 200))
    compiled.tiny = False
    ends = list(range(0, 200, 3))
    for hops in (1, 2, 3, 4):
        found = hops_between(compiled, ends, hops, mask)
        assert np.array_equal(found, hops_between(plain, ends, hops, mask)) and found.any()


def test_hops_between_one_or_none() -> None:
    walker = Walker(Index.from_edges(np.array([(0, 0, 1)], dtype=np.int32), 2))
    assert hops_between(walker, [1], 2).tolist() == [[0]]
    assert hops_between(walker, [], 2).shape == (0, 0)
