"""The walker against networkx, igraph and brute force, as plain Python and as machine code."""

from __future__ import annotations

import itertools
from collections import Counter
from types import SimpleNamespace

import igraph
import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgpath.paths import sampling, walks
from kgpath.paths.best_first import cheapest
from kgpath.paths.counting import count
from kgpath.paths.kernels import FAR
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.walks import Search, Walker
from kgpath.storage.hop_codes import code_of, relation_of
from kgpath.storage.index import Index

RELATIONS = 3
ENOUGH = 10**9
Typed = tuple[int, ...]  # vertex, label, vertex, …


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, int, int, int, int]:
    """A multigraph's edges, its size, two different vertices and a hop limit."""
    n = draw(st.integers(2, 10))
    vertex = st.integers(0, n - 1)
    edge = st.tuples(vertex, st.integers(0, RELATIONS - 1), vertex).filter(lambda e: e[0] != e[2])
    edges = draw(st.sets(edge, min_size=1, max_size=36))
    one = draw(vertex)
    other = draw(vertex.filter(lambda v: v != one))
    return np.array(sorted(edges), dtype=np.int32), n, one, other, draw(st.integers(1, 6))


def judged(edges: np.ndarray, n: int, start: int, end: int, hops: int) -> set[Typed]:
    """All typed paths, by networkx."""
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(n))
    for head, relation, tail in edges.tolist():
        graph.add_edge(head, tail, key=(head, relation))
    found = set()
    for path in networkx.all_simple_edge_paths(graph, start, end, cutoff=hops):
        row = [start]
        for one, other, (head, relation) in path:
            row += [code_of(relation, head != one), other]
        found.add(tuple(row))
    return found


def expanded(index: Index, found: PathArrays) -> list[Typed]:
    """Rows of a result as typed paths; every combination where relations are left open."""
    rows = []
    for at, length in enumerate(found.lengths.tolist()):
        vertices = found.vertices[at, : length + 1].tolist()
        if found.typed:
            choices = [[int(code)] for code in found.hop_codes[at, :length]]
        else:
            choices = []
            for one, other in itertools.pairwise(vertices):
                first = index.offsets[one]
                place = first + index.neighbours[first : index.offsets[one + 1]].tolist().index(
                    other
                )
                choices.append(
                    index.hop_codes[
                        index.hop_offsets[place] : index.hop_offsets[place + 1]
                    ].tolist()
                )
        for labels in itertools.product(*choices):
            row = [vertices[0]]
            for label, vertex in zip(labels, vertices[1:], strict=True):
                row += [label, vertex]
            rows.append(tuple(row))
    return rows


def check_everything(case: tuple[np.ndarray, int, int, int, int]) -> None:
    edges, n, one, other, hops = case
    index = Index.from_edges(edges, n)
    walker = Walker(index)
    with walker.search(one, other, hops) as search:
        truth = judged(edges, n, search.start, search.end, hops)
        entity_paths = {row[::2] for row in truth}
        found = search.enumerate(None, ENOUGH)
        rows = expanded(index, found)
        assert len(rows) == len(set(rows))
        assert set(rows) == truth
        assert found.truncated == ""
        assert found.lengths.tolist() == sorted(found.lengths.tolist())
        assert count(search, ENOUGH) == (len(entity_paths), len(truth), True)
        check_limits(search, found)
        check_chance(search, index, truth, entity_paths)
        check_top(search, index, truth)
    scratch = walker.free[-1]
    for array, clean in (
        (scratch.dist, FAR), (scratch.depth, FAR), (scratch.slot, -1), (scratch.near, -1),
        (scratch.nearer, -1), (scratch.visited, False),
    ):  # fmt: skip
        assert (array == clean).all()


def check_limits(search: Search, found: PathArrays) -> None:
    total = len(found.lengths)
    for limit in {0, 1, max(total - 1, 0), total, total + 1}:
        part = search.enumerate(limit, ENOUGH)
        assert len(part.lengths) == min(limit, total)
        assert part.truncated == ("limit" if limit < total else "")
        assert part.lengths.tolist() == found.lengths[: len(part.lengths)].tolist()
        whole = search.enumerate(limit, ENOUGH, whole=True)
        assert whole.truncated == part.truncated
        longest = max(part.lengths, default=0)
        rows = {row.tobytes() for row in whole.vertices[whole.lengths <= longest]}
        assert rows == {row.tobytes() for row in found.vertices[found.lengths <= longest]}


def check_chance(search: Search, index: Index, truth: set[Typed], entity_paths: set[Typed]) -> None:
    for k in (1, 3):
        drawn = expanded(index, sampling.sample(search, k, seed=5, budget=ENOUGH))
        assert len(drawn) == min(k, len(entity_paths))
        assert len({row[::2] for row in drawn}) == len(drawn)
        assert set(drawn) <= truth
        walked = expanded(index, sampling.random_walks_between(search, k, seed=5))
        assert len(walked) == len(set(walked)) <= k
        assert set(walked) <= truth
        assert bool(walked) == bool(truth)


def check_top(search: Search, index: Index, truth: set[Typed]) -> None:
    vertex_cost = (np.arange(index.entities) * 7 % 4).astype(np.int64)
    relation_cost = np.array([2, 0, 1], dtype=np.int64)

    def cost(row: Typed) -> int:
        inner = sum(int(vertex_cost[vertex]) for vertex in row[2:-1:2])
        return inner + sum(int(relation_cost[relation_of(code)]) + 1 for code in row[1::2])

    expected = sorted((cost(row), row) for row in truth)
    for k in (1, 4, len(truth) + 1):
        top = cheapest(search, k, vertex_cost, relation_cost, 1, ENOUGH)
        assert top.costs is not None
        assert list(zip(top.costs.tolist(), expanded(index, top), strict=True)) == expected[:k]
        assert top.truncated == ("limit" if k < len(truth) else "")


@given(cases())
def test_every_strategy_agrees_with_networkx_and_brute_force(case) -> None:
    check_everything(case)


@pytest.mark.slow
@given(cases())
@settings(max_examples=100)
def test_machine_code_agrees_too(case) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walks, "TINY", 0)
        check_everything(case)


def test_a_tiny_graph_is_worth_compiling_for_once_much_was_walked(monkeypatch) -> None:
    clock = SimpleNamespace(thread_time=itertools.count(step=0.9).__next__)
    monkeypatch.setattr(walks, "time", clock)
    compiled = []
    monkeypatch.setattr(walks.kernels, "compiled", lambda it: compiled.append(it) or it)
    walker = Walker(hub_graph())

    def double(number: int) -> int:
        return 2 * number

    assert [walker.kernel(double)(2) for _ in range(3)] == [4] * 3 and not compiled
    assert walker.seconds == pytest.approx(2.7)
    assert walker.kernel(double)(2) == 4 and compiled == [double]


@given(cases(), st.data())
def test_blocked_vertices_and_left_out_relations_are_as_if_never_there(case, data) -> None:
    edges, n, one, other, hops = case
    blocked = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    blocked[[one, other]] = False
    wanted = np.array(data.draw(st.lists(st.booleans(), min_size=RELATIONS, max_size=RELATIONS)))
    left = edges[wanted[edges[:, 1]] & ~blocked[edges[:, 0]] & ~blocked[edges[:, 2]]]
    index = Index.from_edges(edges, n).only(wanted)
    with Walker(index).search(one, other, hops, blocked) as search:
        truth = judged(left, n, search.start, search.end, hops)
        assert set(expanded(index, search.enumerate(None, ENOUGH))) == truth
        assert count(search, ENOUGH).paths == len(truth)
        assert set(expanded(index, sampling.random_walks_between(search, 3, 0))) <= truth


def hub_graph() -> Index:
    """Two ends, 40 neighbours of each, and every one of the first joined to all of the second."""
    edges = [(0, 0, v) for v in range(2, 42)] + [(v, 0, 1) for v in range(42, 82)]
    edges += [(one, 1, other) for one in range(2, 42) for other in range(42, 82)]
    return Index.from_edges(np.array(sorted(edges), dtype=np.int32), 82)


def test_a_spent_budget_is_said_and_a_count_becomes_an_estimate() -> None:
    with Walker(hub_graph()).search(0, 1, 5) as search:
        exact = count(search, ENOUGH)
        # 1,600 of 3 hops; of 5 hops a, x, b, y: 40·40·39·39.
        assert exact == (1600 + 1600 * 39 * 39, 1600 + 1600 * 39 * 39, True)
        found = search.enumerate(None, budget=50_000)
        assert found.truncated == "budget"
        assert 1600 < len(found.lengths) < 60_000
        estimate = count(search, budget=1000)
        assert not estimate.exact
        assert estimate.entity_paths == pytest.approx(exact.entity_paths, rel=0.02)


def test_paths_of_many_blocks_and_growing_pools_are_complete() -> None:
    """More than one block of output and more entered vertices than there is room for at first."""
    index = hub_graph()
    with Walker(index).search(0, 1, 3) as search:
        search.scratch.pool = np.empty(1, dtype=np.int32)
        search.scratch.bounds = np.empty((1, 7), dtype=np.int64)
        blocks = [block.copy() for block in search.blocks(3, rows=7, budget=ENOUGH)]
    assert {len(block) for block in blocks} <= {1, 2, 3, 4, 5, 6, 7}
    assert len({row.tobytes() for block in blocks for row in block}) == 1600


def test_sampling_is_uniform() -> None:
    """Chi-square over the 420 paths of a graph where greedy walks would be far from uniform."""
    rng = np.random.default_rng(3)
    edges = {(int(a), 0, int(b)) for a, b in rng.integers(0, 14, (40, 2)) if a != b}
    index = Index.from_edges(np.array(sorted(edges), dtype=np.int32), 14)
    with Walker(index).search(0, 9, 6) as search:
        truth = {row.tobytes() for row in search.enumerate(None, ENOUGH).vertices}
        assert 200 < len(truth) < 1000
        seen: Counter[bytes] = Counter()
        with sampling.WalkCounts(search) as counts:
            for seed in range(20):
                drawn = counts.draw(np.random.default_rng(seed), 2000)
                seen.update(row.tobytes() for row in drawn.vertices)
    assert set(seen) <= truth
    expected = sum(seen.values()) / len(truth)
    chi2 = sum((seen[row] - expected) ** 2 / expected for row in truth)
    # Mean k - 1, variance 2 (k - 1): five standard deviations leave no room for a biased walk.
    freedom = len(truth) - 1
    assert abs(chi2 - freedom) < 5 * (2 * freedom) ** 0.5


def pairs_of(index: Index, number: int, hops: int) -> list[tuple[int, int]]:
    """Random pairs with a path, the same on every run."""
    rng = np.random.default_rng(7)
    walker = Walker(index)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < number:
        one, other = rng.integers(0, index.entities, 2).tolist()
        if one != other:
            with walker.search(one, other, hops) as search:
                if search.shortest <= hops:
                    pairs.append((one, other))
    return pairs


def test_200_real_pairs_agree_with_networkx_and_igraph(dbpedia) -> None:
    edges = dbpedia.store.edges()
    index = dbpedia.index
    graph = igraph.Graph(n=index.entities, edges=edges[:, [0, 2]].tolist()).simplify()
    multi = networkx.MultiGraph()
    multi.add_edges_from((head, tail, (head, relation)) for head, relation, tail in edges.tolist())
    walker = Walker(index)
    for number, (one, other) in enumerate(pairs_of(index, 200, hops=3)):
        with walker.search(one, other, 3) as search:
            found = search.enumerate(None, ENOUGH)
            judged_count = count(search, ENOUGH)
        rows = {tuple(row[row >= 0].tolist()) for row in found.vertices}
        start, end = found.vertices[0, 0], found.vertices[0, found.lengths[0]]
        judge = graph.get_all_simple_paths(start, end, maxlen=3)
        assert rows == {tuple(path) for path in judge}
        assert judged_count.entity_paths == len(judge)
        if number % 20 == 0:  # networkx takes seconds a pair; 2 hops for the labels
            short = {row for row in expanded(index, found) if len(row) <= 5}
            judged_short = set()
            for path in networkx.all_simple_edge_paths(multi, start, end, cutoff=2):
                row = [start]
                for a, b, (head, relation) in path:
                    row += [code_of(relation, head != a), b]
                judged_short.add(tuple(row))
            assert short == judged_short
