"""Candidates are all simple paths, the text's first, cut where the limit says, either way round."""

from __future__ import annotations

from dataclasses import dataclass

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgpath
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.storage.hop_codes import codes_of

EX = "http://example.org/"
NAMES = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"]
HOP = 100_000  # a tenth, in millionths


@dataclass
class Case:
    """Facts between six entities, a text that names some of them, and two of them to relate."""

    facts: set[tuple[int, int, int]]
    named: set[int]
    head: int
    tail: int
    hops: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    one = st.integers(0, len(NAMES) - 1)
    fact = st.tuples(one, st.integers(0, 1), one).filter(lambda fact: fact[0] != fact[2])
    facts = draw(st.sets(fact, min_size=1, max_size=22))
    there = sorted({end for head, _, tail in facts for end in (head, tail)})
    head = draw(st.sampled_from(there))
    tail = draw(st.sampled_from([end for end in there if end != head]))
    return Case(facts, draw(st.sets(one)), head, tail, draw(st.integers(1, 5)))


def opened(case: Case, folder) -> kgpath.Graph:
    lines = [f"<{EX}{NAMES[h]}> <{EX}r{r}> <{EX}{NAMES[t]}> ." for h, r, t in case.facts]
    (folder / "case.nt").write_text("\n".join(lines) + "\n")
    kgpath.build([folder / "case.nt"], folder / "case.kg")
    return kgpath.open(folder / "case.kg")


def asked(kg: kgpath.Graph, case: Case, limit: int, swapped: bool = False):
    context = Context(kg, "We saw " + ", ".join(NAMES[number] for number in sorted(case.named)))
    ends = [kg.entity(EX + NAMES[number]) for number in (case.head, case.tail)]
    if swapped:
        ends.reverse()
    return candidates_for(context, *ends, PathOptions(max_hops=case.hops), limit)


def every_path(case: Case) -> set[tuple[str, ...]]:
    """All simple typed paths as IRIs, by networkx."""
    graph = networkx.MultiGraph()
    for head, relation, tail in case.facts:
        graph.add_edge(head, tail, key=(head, relation))
    found = set()
    for path in networkx.all_simple_edge_paths(graph, case.head, case.tail, cutoff=case.hops):
        row = [EX + NAMES[case.head]]
        for one, other, (head, relation) in path:
            row += [f"{'' if head == one else '^'}{EX}r{relation}", EX + NAMES[other]]
        found.add(tuple(row))
    return found


def length(row: tuple[str, ...]) -> int:
    return len(row) // 2


def cost(row: tuple[str, ...], case: Case) -> int:
    """In millionths: 1 for every inner entity that the text does not name, .1 for every hop."""
    named = {EX + NAMES[number] for number in case.named}
    return length(row) * HOP + 10 * HOP * sum(iri not in named for iri in row[2:-1:2])


@settings(max_examples=30)
@given(case=cases())
def test_with_room_for_all_they_are_all_simple_paths_the_cheapest_first(case, tmp_path) -> None:
    truth = every_path(case)
    with opened(case, tmp_path) as kg:
        found = asked(kg, case, limit=10_000)
        rows = [tuple(path.iris()) for path in found]
    assert len(rows) == len(found) == len(truth)
    assert set(rows) == truth
    assert found.truncated == ""
    costs = [cost(row, case) for row in rows]
    assert costs == sorted(costs)


@settings(max_examples=30)
@given(case=cases(), limit=st.integers(1, 20))
def test_the_cheapest_come_first_and_a_sixth_is_kept_for_the_shortest(
    case, limit, tmp_path
) -> None:
    truth = every_path(case)
    with opened(case, tmp_path) as kg:
        found = asked(kg, case, limit)
        rows = [tuple(path.iris()) for path in found]
    assert len(rows) == len(set(rows)) == min(limit, len(truth))
    assert set(rows) <= truth
    assert found.truncated == ("limit" if len(truth) > limit else "")
    by_text, rest = rows[: limit - limit // 6], rows[limit - limit // 6 :]
    assert [cost(row, case) for row in by_text] == sorted(cost(row, case) for row in truth)[
        : len(by_text)
    ]
    assert [length(row) for row in rest] == sorted(map(length, truth - set(by_text)))[: len(rest)]


@settings(max_examples=30)
@given(case=cases(), limit=st.integers(1, 20))
def test_swapped_ends_give_the_same_paths_in_the_same_order_reversed(case, limit, tmp_path) -> None:
    with opened(case, tmp_path) as kg:
        found, back = asked(kg, case, limit), asked(kg, case, limit, swapped=True)
        assert [path.reversed() for path in back] == list(found)
    assert back.truncated == found.truncated
    assert back.lengths.tolist() == found.lengths.tolist()


@settings(max_examples=15)
@given(case=cases())
def test_the_arrays_say_what_the_paths_say(case, tmp_path) -> None:
    with opened(case, tmp_path) as kg:
        found = asked(kg, case, limit=50)
        for row, path in enumerate(found):
            size = path.length
            assert found.lengths[row] == size
            assert found.vertices[row, : size + 1].tolist() == [node.id for node in path.nodes]
            assert found.hop_codes[row, :size].tolist() == codes_of(path.hops)
            assert (found.vertices[row, size + 1 :] == -1).all()
            assert (found.hop_codes[row, size:] == -1).all()
    assert found.vertices.shape == (len(found), case.hops + 1)
    assert found.hop_codes.shape == (len(found), case.hops)


@pytest.fixture
def graph(build_graph):
    """Six ways of three hops from Ann to Zoe, all named below, and two of two hops."""
    return build_graph(
        """
        ex:ann rdfs:label "Ann" ; ex:knows ex:one, ex:two, ex:three, ex:four, ex:five, ex:six ;
            ex:likes ex:x, ex:y .
        ex:one rdfs:label "Oneida" ; ex:knows ex:hub . ex:two rdfs:label "Twombly" ;
        ex:knows ex:hub . ex:three rdfs:label "Threlfall" ; ex:knows ex:hub .
        ex:four rdfs:label "Fourier" ; ex:knows ex:hub . ex:five rdfs:label "Fiveash" ;
        ex:knows ex:hub . ex:six rdfs:label "Sixsmith" ; ex:knows ex:hub .
        ex:hub rdfs:label "Hubble" ; ex:knows ex:zoe . ex:zoe rdfs:label "Zoe" .
        ex:x rdfs:label "Xavier" ; ex:likes ex:zoe . ex:y rdfs:label "Yvonne" ; ex:likes ex:zoe .
        """
    )


TEXT = "Oneida, Twombly, Threlfall, Fourier, Fiveash and Sixsmith met Hubble."


@pytest.mark.parametrize(
    ("limit", "lengths", "truncated"),
    [
        (1, [3], "limit"),
        (5, [3, 3, 3, 3, 3], "limit"),
        (6, [3, 3, 3, 3, 3, 2], "limit"),  # the last place is for the shortest
        (7, [3, 3, 3, 3, 3, 3, 2], "limit"),
        (8, [3, 3, 3, 3, 3, 3, 2, 2], ""),
        (9, [3, 3, 3, 3, 3, 3, 2, 2], ""),
    ],
)
def test_what_the_text_names_comes_before_what_is_short(graph, limit, lengths, truncated) -> None:
    context = Context(graph, TEXT)
    found = candidates_for(
        context, graph.entity("Ann"), graph.entity("Zoe"), PathOptions(max_hops=3), limit
    )
    assert found.lengths.tolist() == lengths
    assert found.truncated == truncated


def test_without_a_word_on_them_the_shortest_come_first(graph) -> None:
    found = candidates_for(Context(graph, ""), graph.entity("Ann"), graph.entity("Zoe"))
    assert found.lengths.tolist() == [2, 2, 3, 3, 3, 3, 3, 3]


def test_a_linked_entity_counts_as_named(graph) -> None:
    yvonne = graph.entity("Yvonne")
    context = Context(graph, "She said so.", [kgpath.linking.mentions.Link(yvonne.id, "She")])
    found = candidates_for(context, graph.entity("Ann"), graph.entity("Zoe"), limit=1)
    assert str(found[0]) == "Ann –likes→ Yvonne –likes→ Zoe"


@pytest.mark.parametrize(
    ("options", "lengths"),
    [
        ({"max_hops": 1}, []),
        ({"max_hops": 2}, [2, 2]),
        ({"keep": ["likes"]}, [2, 2]),
        ({"drop": ["likes"]}, [3, 3, 3, 3, 3, 3]),
        ({"exclude": ["Xavier", "Hubble"]}, [2]),
        ({"keep": ["likes"], "exclude": ["Xavier", "Yvonne"]}, []),
    ],
)
def test_filters_and_hops_hold(graph, options, lengths) -> None:
    ends = graph.entity("Ann"), graph.entity("Zoe")
    found = candidates_for(Context(graph, ""), *ends, PathOptions(**options))
    assert found.lengths.tolist() == lengths
    assert found.truncated == ""
    for path in found:
        kept = {hop.relation.label for hop in path.hops}
        assert kept <= set(options.get("keep", kept))
        assert kept.isdisjoint(options.get("drop", ()))


def test_a_spent_budget_is_said_also_where_only_the_shortest_spent_it(build_graph) -> None:
    # 30 · 100 short paths through entities that the text names, 40 · 40 longer ones that are
    # nowhere named. There is room for 4,096 partial paths before the budget counts.
    named, ones = [f"ex:n{n}" for n in range(30)], [f"ex:a{n}" for n in range(40)]
    others = ", ".join(f"ex:b{n}" for n in range(40))
    relations = [f"ex:r{n}" for n in range(100)]
    graph = build_graph(
        f"ex:head ex:r {', '.join(named + ones)}, ex:more .",  # where a search begins: the largest
        "\n".join(f'{one} rdfs:label "Named {one}" .' for one in named),
        "\n".join(f"{one} {relation} ex:tail ." for one in named for relation in relations),
        "\n".join(f"{one} ex:r {others} ." for one in ones),
        f"ex:tail ex:r {others} .",
    )
    context = Context(graph, ", ".join(f"Named {one}" for one in named))
    ends = graph.entity("ex:head"), graph.entity("ex:tail")
    some = candidates_for(context, *ends, PathOptions(max_hops=3, budget=0), limit=1000)
    assert (len(some), some.truncated) == (1000, "limit")
    more = candidates_for(context, *ends, PathOptions(max_hops=3, budget=0), limit=3600)
    assert 3000 <= len(more) < 3600
    assert more.truncated == "budget"
    every = candidates_for(context, *ends, PathOptions(max_hops=3), limit=5000)
    assert (len(every), every.truncated) == (4600, "")


def test_they_are_a_sequence(graph) -> None:
    found = candidates_for(Context(graph, TEXT), graph.entity("Ann"), graph.entity("Zoe"))
    paths = list(found)
    assert len(paths) == len(found) == 8
    assert [found[at] for at in range(8)] == paths
    assert found[-1] == found[7] == paths[7]
    assert found[-8] == paths[0]
    assert found[2:5] == paths[2:5]
    assert found[::-3] == paths[::-3]
    assert found[20:] == []
    assert list(reversed(found)) == paths[::-1]
    assert paths[3] in found
    assert found.index(paths[3]) == 3
    assert found.paths([4, 1, 4]) == [paths[4], paths[1], paths[4]]
    assert repr(found) == "<8 paths Ann … Zoe>"
    for at in (8, -9):
        with pytest.raises(IndexError, match=f"path {at} of 8"):
            found[at]


def test_no_path_is_an_empty_sequence(graph) -> None:
    ends = graph.entity("Ann"), graph.entity("Zoe")
    found = candidates_for(Context(graph, TEXT), *ends, PathOptions(max_hops=1))
    assert list(found) == found[:] == []
    assert not found
    assert found.vertices.dtype == found.hop_codes.dtype == np.int32
    with pytest.raises(IndexError, match="path 0 of 0"):
        found[0]


def test_through_leaves_just_the_paths_that_lead_there(graph) -> None:
    context, ends = Context(graph, TEXT), (graph.entity("Ann"), graph.entity("Zoe"))
    everything = candidates_for(context, *ends)
    inner = sorted({node.id for path in everything for node in path.nodes[1:-1]})
    for entity in inner:
        options = PathOptions(through=[entity])
        expected = [path for path in everything if entity in [node.id for node in path.nodes]]
        found = candidates_for(context, *ends, options)
        assert {tuple(path.iris()) for path in found} == {tuple(path.iris()) for path in expected}
        assert not found.truncated
        back = candidates_for(context, *ends[::-1], options)
        assert [path.reversed() for path in back] == list(found)
        for limit in range(1, len(expected)):
            some = candidates_for(context, *ends, options, limit)
            assert (len(some), some.truncated) == (limit, "limit")
            assert all(entity in [node.id for node in path.nodes] for path in some)
