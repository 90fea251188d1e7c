"""Algorithm 2: walks start, step and stop with the probabilities stated, and are paths of facts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.random_walks import Ends, WalkGraph, walk
from kgpath.storage.hop_codes import code_of, inverse, is_backward, relation_of
from kgpath.storage.index import Index


def index_of(edges: list[tuple[int, int, int]], entities: int) -> Index:
    return Index.from_edges(np.array(edges, dtype=np.int32).reshape(-1, 3), entities)


def chi_square(observed: list[int], expected: list[float]) -> float:
    return float(sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True)))


# A ring of 10 with two relations on one pair: walks in it never end dead before 6 hops.
RING = [(n, 0, (n + 1) % 10) for n in range(10)] + [(0, 1, 1)]


edge_lists = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 2), st.integers(0, 7)), max_size=25, unique=True
)


@given(edge_lists, st.integers(0, 99), st.booleans(), st.integers(1, 6))
def test_walks_are_facts_and_repeat_entities_only_if_told_to(
    edges: list[tuple[int, int, int]], seed: int, repeat: bool, hops: int
) -> None:
    walk_graph = WalkGraph.of(index_of(edges, 8))
    facts = set(edges)
    starts = np.repeat(walk_graph.starts, 3)
    rows, ends = walk(
        walk_graph, starts, np.random.default_rng(seed), hops=hops, stop=0.2, repeat=repeat
    )
    arrays = rows.vertices, rows.hop_codes, rows.lengths
    for vertices, codes, length in zip(*arrays, strict=True):
        path, steps = vertices[: length + 1].tolist(), codes[:length].tolist()
        assert 1 <= length <= hops
        assert (vertices[length + 1 :] == -1).all()
        assert (codes[length:] == -1).all()
        for one, code, other in zip(path, steps, path[1:], strict=False):
            head, tail = (other, one) if is_backward(code) else (one, other)
            assert (head, relation_of(code), tail) in facts
            assert one != other
        if not repeat:
            assert len(set(path)) == length + 1
    assert ends.walks == len(starts) == ends.stopped + ends.dead_ends + ends.limited


def test_starts_neighbours_and_stops_follow_the_stated_probabilities() -> None:
    walk_graph = WalkGraph.of(index_of(RING, 10))
    rng = np.random.default_rng(7)
    number = 20_000
    rows, ends = walk(walk_graph, rng.choice(walk_graph.starts, number), rng)
    starts = np.bincount(rows.vertices[:, 0], minlength=10).tolist()
    assert chi_square(starts, [number / 10] * 10) < 27.9  # 9 degrees, p = 0.001
    forward = int(((rows.vertices[:, 1] - rows.vertices[:, 0]) % 10 == 1).sum())
    assert chi_square([forward, number - forward], [number / 2] * 2) < 10.8
    stops = [ends.stopped, ends.steps - ends.stopped]
    assert chi_square(stops, [0.2 * ends.steps, 0.8 * ends.steps]) < 10.8
    # Lengths 1 to 6 by 0.2 · 0.8^(n-1), and all that is left at 6.
    lengths = np.bincount(rows.lengths, minlength=7)[1:].tolist()
    expected = [0.2 * 0.8**n * number for n in range(5)] + [0.8**5 * number]
    assert chi_square(lengths, expected) < 20.5
    # Both relations between 0 and 1 are alike.
    at = (rows.vertices[:, 0] == 0) & (rows.vertices[:, 1] == 1)
    codes = np.bincount(rows.hop_codes[at, 0], minlength=4)
    assert chi_square(codes[[0, 2]].tolist(), [at.sum() / 2] * 2) < 10.8


def test_the_choice_among_new_neighbours_is_uniform() -> None:
    # From 1 back to the start 0 is not new; 2, 3, 4, 5 are, whatever their places.
    edges = [(1, 0, n) for n in (0, 2, 3, 4, 5)] + [(0, 0, 3)]
    walk_graph = WalkGraph.of(index_of(edges, 6))
    rows, _ = walk(walk_graph, np.zeros(20_000, dtype=np.int64), np.random.default_rng(3), stop=0)
    through = rows.vertices[rows.vertices[:, 1] == 1]
    counted = Counter(through[:, 2].tolist())
    assert set(counted) == {2, 3, 4, 5}
    assert chi_square(list(counted.values()), [len(through) / 4] * 4) < 16.3


def test_dead_ends_end_a_path_and_are_counted() -> None:
    walk_graph = WalkGraph.of(index_of([(0, 0, 1), (1, 0, 2)], 3))
    starts = np.zeros(50, dtype=np.int64)
    rows, ends = walk(walk_graph, starts, np.random.default_rng(0), stop=0)
    assert rows.vertices[:, :4].tolist() == [[0, 1, 2, -1]] * 50
    assert ends == Ends(walks=50, steps=50, stopped=0, dead_ends=50, limited=0)
    _, printed = walk(walk_graph, starts, np.random.default_rng(0), stop=0, repeat=True)
    assert printed == Ends(walks=50, steps=250, stopped=0, dead_ends=0, limited=50)


def test_walks_stay_on_allowed_ground_and_nothing_leads_to_itself() -> None:
    edges = [(0, 0, 0), (0, 0, 1), (1, 0, 2), (2, 0, 3)]
    allowed = np.array([True, True, False, True])
    walk_graph = WalkGraph.of(index_of(edges, 4), allowed)
    assert walk_graph.starts.tolist() == [0, 1]
    rows, _ = walk(walk_graph, np.array([0, 1]), np.random.default_rng(0), stop=0)
    assert rows.vertices[:, :3].tolist() == [[0, 1, -1], [1, 0, -1]]


@pytest.mark.parametrize("vertices", [(4, 2, 7), (1, 2, 1, 3, 1), (5, 6)])
def test_a_path_and_its_reverse_have_the_same_row(vertices: tuple[int, ...]) -> None:
    codes = tuple(code_of(n, n % 2) for n in range(len(vertices) - 1))
    back = tuple(inverse(code) for code in reversed(codes))
    rows = PathArrays(
        np.array([vertices, vertices[::-1]], dtype=np.int32),
        np.array([len(codes)] * 2, dtype=np.int32),
        np.array([codes, back], dtype=np.int32),
    ).from_lower_end()
    assert rows.vertices[0].tolist() == rows.vertices[1].tolist()
    assert rows.hop_codes[0].tolist() == rows.hop_codes[1].tolist()
    assert rows.vertices[0, 0] == min(vertices[0], vertices[-1])
