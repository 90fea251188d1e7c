"""The order of kg.paths: shortest first, then rare relations and entities with few facts."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgpath
from kgpath.paths import walks

EX = "http://example.org/"
NAMES = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf"]
RELATIONS = 3
Fact = tuple[int, int, int]
Rows = list[tuple[str, ...]]


@dataclass
class Case:
    """Facts between seven entities, in an order, and two of the entities to relate."""

    facts: list[Fact]
    head: int
    tail: int
    hops: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    one = st.integers(0, len(NAMES) - 1)
    fact = st.tuples(one, st.integers(0, RELATIONS - 1), one).filter(lambda f: f[0] != f[2])
    facts = draw(st.lists(fact, min_size=1, max_size=26, unique=True))
    there = sorted({end for head, _, tail in facts for end in (head, tail)})
    head = draw(st.sampled_from(there))
    tail = draw(st.sampled_from([end for end in there if end != head]))
    return Case(facts, head, tail, draw(st.integers(1, 5)))


def opened(facts: list[Fact], folder) -> kgpath.Graph:
    lines = [f"<{EX}{NAMES[h]}> <{EX}r{r}> <{EX}{NAMES[t]}> ." for h, r, t in facts]
    (folder / "case.nt").write_text("\n".join(lines) + "\n")
    (folder / "case.kg").unlink(missing_ok=True)
    kgpath.build([folder / "case.nt"], folder / "case.kg")
    return kgpath.open(folder / "case.kg")


def asked(kg: kgpath.Graph, case: Case, **options) -> kgpath.paths.paths.Paths:
    ends = [kg.entity(EX + NAMES[number]) for number in (case.head, case.tail)]
    return kg.paths(*ends, max_hops=case.hops, **options)


def rows(paths) -> Rows:
    return [tuple(path.iris()) for path in paths]


def expected(case: Case) -> Rows:
    """All typed paths by networkx, in the order that the docstring states."""
    graph = networkx.MultiGraph()
    for head, relation, tail in case.facts:
        graph.add_edge(head, tail, key=(head, relation))
    most = max(dict(graph.degree()).values())

    def lack_of_entity(vertex: int) -> int:
        return round(1e6 * math.log1p(graph.degree(vertex)) / math.log1p(most))

    def lack_of_relation(relation: int) -> int:
        often = sum(fact[1] == relation for fact in case.facts)
        return round(1e6 * math.log1p(often) / math.log1p(len(case.facts)))

    def begin(vertex: int) -> tuple[int, int]:
        return len(graph[vertex]), vertex  # the search starts where there are more neighbours

    start, end = sorted((case.head, case.tail), key=begin, reverse=True)
    keyed = {}
    for path in networkx.all_simple_edge_paths(graph, start, end, cutoff=case.hops):
        vertices = [start, *(other for _, other, _ in path)]
        lack = sum(map(lack_of_entity, vertices[1:-1]))
        steps, row = [], [EX + NAMES[start]]
        for one, other, (head, relation) in path:
            lack += min(lack_of_relation(r) for _, r in graph[one][other])
            steps.append((lack_of_relation(relation), relation, head != one))
            row += [f"{'' if head == one else '^'}{EX}r{relation}", EX + NAMES[other]]
        keyed[len(path), lack, tuple(vertices), tuple(steps)] = row
    found = [keyed[key] for key in sorted(keyed)]
    return [tuple(row if start == case.head else turned(row)) for row in found]


def turned(row: list[str]) -> list[str]:
    """A path by IRI from its other end."""
    back = row[::-1]
    back[1::2] = [name[1:] if name.startswith("^") else f"^{name}" for name in back[1::2]]
    return back


@settings(max_examples=40)
@given(case=cases(), limit=st.integers(0, 12))
def test_of_all_paths_those_come_first_that_are_short_and_then_tell_most(
    case, limit, tmp_path
) -> None:
    truth = expected(case)
    entities = [key for key, _ in itertools.groupby(row[::2] for row in truth)]
    with opened(case.facts, tmp_path) as kg:
        assert rows(asked(kg, case, limit=None)) == truth
        cut = asked(kg, case, limit=limit)
        assert rows(cut) == truth[:limit]
        assert cut.truncated == ("limit" if limit < len(truth) else "")
        merged = asked(kg, case, limit=limit, merged=True)
        assert [row[::2] for row in rows(merged)] == entities[:limit]
        assert (merged.total, merged.total_exact) == (len(entities), True)
        every = [tuple(path.iris()) for one in merged for path in apart(one)]
        assert set(every) == {row for row in truth if row[::2] in entities[:limit]}


def apart(path: kgpath.types.Path) -> list[kgpath.types.Path]:
    """The typed paths that a merged one stands for."""
    choices = itertools.product(*([hop, *hop.also] for hop in path.hops))
    return [
        kgpath.types.Path(path.nodes, tuple(hop._replace(also=()) for hop in hops))
        for hops in choices
    ]


@settings(max_examples=20)
@given(case=cases(), limit=st.integers(1, 12), merged=st.booleans(), data=st.data())
def test_neither_the_ends_nor_the_order_of_statements_change_what_is_shown(
    case, limit, merged, data, tmp_path
) -> None:
    with opened(case.facts, tmp_path) as kg:
        shown = asked(kg, case, limit=limit, merged=merged)
        said = list(map(str, shown))
        other = Case(case.facts, case.tail, case.head, case.hops)
        assert [path.reversed() for path in asked(kg, other, limit=limit, merged=merged)] == list(
            shown
        )
    with opened(data.draw(st.permutations(case.facts)), tmp_path) as kg:
        assert list(map(str, asked(kg, case, limit=limit, merged=merged))) == said


@settings(max_examples=20)
@given(case=cases(), limit=st.integers(1, 6), by=st.integers(0, len(NAMES) - 1))
def test_through_an_entity_too_the_choice_is_among_all_of_a_length(
    case, limit, by, tmp_path
) -> None:
    if by in (case.head, case.tail) or by not in {e for h, _, t in case.facts for e in (h, t)}:
        return
    truth = [row for row in expected(case) if EX + NAMES[by] in row]
    with opened(case.facts, tmp_path) as kg:
        found = asked(kg, case, limit=limit, through=[EX + NAMES[by]])
        assert rows(found) == truth[:limit]
        assert found.truncated == ("limit" if limit < len(truth) else "")


def test_the_best_of_many_is_found_wherever_it_lies(build_graph, monkeypatch) -> None:
    # Twenty ways over a hub each; the last by IRI is rare. As machine code too.
    common = [f"ex:a ex:in ex:m{n:02} . ex:m{n:02} ex:in ex:b ; ex:in ex:x{n} ." for n in range(20)]
    kg = build_graph(" ".join(common) + " ex:a ex:rare ex:z . ex:z ex:in ex:b .")
    for tiny in (walks.TINY, 0):
        monkeypatch.setattr(walks, "TINY", tiny)
        with kgpath.open(kg.path) as fresh:
            (best,) = fresh.paths("ex:a", "ex:b", limit=1)
            assert str(best) == "a –rare→ z –in→ b"


def test_what_could_not_all_be_looked_at_is_said(build_graph) -> None:
    these, those = (", ".join(f"ex:{name}{n}" for n in range(30)) for name in "mn")
    ways = " ".join(f"ex:m{n} ex:in {those} . ex:n{n} ex:in ex:b ." for n in range(30))
    kg = build_graph(f"ex:a ex:in {these} . {ways}")
    assert kg.paths("ex:a", "ex:b", limit=3, max_hops=3).truncated == "limit"
    spent = kg.paths("ex:a", "ex:b", limit=3, max_hops=3, budget=100)
    assert (len(spent), spent.truncated) == (3, "budget")


def test_paths_over_the_same_entities_are_one_line_with_all_relations(build_graph) -> None:
    kg = build_graph(
        "ex:a ex:likes ex:b ; ex:knows ex:b . ex:b ex:knows ex:a ; ex:near ex:c ; ex:far ex:c ."
        "ex:a ex:near ex:d . ex:d ex:near ex:c ."
    )
    merged = kg.paths("ex:a", "ex:c", merged=True)
    assert list(map(str, merged)) == [
        "a –likes, ^knows, knows→ b –far, near→ c",
        "a –near→ d –near→ c",
    ]
    assert (len(merged), merged.total, merged.entity_paths, merged.truncated) == (2, 2, 2, "")
    assert len(kg.paths("ex:a", "ex:c")) == 7
    assert [str(path) for path in kg.paths("ex:c", "ex:a", merged=True)] == [
        "c ←far, near– b ←likes, ^knows, knows– a",
        "c ←near– d ←near– a",
    ]
    assert merged.to_networkx().number_of_edges() == 7
    assert merged.to_dot().count("->") == 7
    assert merged.to_json()["paths"][0]["relations"][1] == {
        "iri": "http://example.org/far",
        "forward": True,
        "also": [{"iri": "http://example.org/near", "forward": True}],
    }


@pytest.mark.parametrize("strategy", ["all", "top", "sample", "random-walk"])
def test_merged_paths_of_every_strategy_have_different_entities(sample, strategy: str) -> None:
    paths = sample.paths("Emma Stone", "Andrew Garfield", strategy=strategy, limit=9, merged=True)
    lines = [tuple(node.id for node in path.nodes) for path in paths]
    assert len(set(lines)) == len(lines) == len(paths) > 5
    if strategy != "random-walk":
        assert len(lines) == 9
        assert paths.truncated == "limit" and paths.total > 9


def test_the_cheapest_stay_the_cheapest_when_they_are_merged(build_graph) -> None:
    # Eight typed paths over m are cheaper than the one over the hub z.
    many = " ; ".join(f"ex:r{n} ex:m" for n in range(8))
    kg = build_graph(
        f"ex:a {many} . ex:m ex:in ex:b . ex:a ex:in ex:z . ex:z ex:in ex:b, "
        + ", ".join(f"ex:x{n}" for n in range(30))
        + " ."
    )
    top = kg.paths("ex:a", "ex:b", strategy="top", limit=2, merged=True)
    assert [path.nodes[1].label for path in top] == ["m", "z"]
    assert len(top[0].hops[0].also) == 7 and top[0].cost < top[1].cost
