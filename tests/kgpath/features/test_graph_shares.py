"""Shares of a graph instead of counts, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.features.graph_shares import GraphShares, _shares_below

# Ann has three facts, Ulm two; Bob, Cid and Dan one each: eight ends of four facts.
FACTS = """
ex:ann ex:knows ex:bob, ex:cid ; ex:home ex:ulm .
ex:dan ex:knows ex:ulm .
"""


def shares(graph) -> tuple[dict[str, float], dict[str, float]]:
    """What each entity and each relation has, by label."""
    made = graph.derived(GraphShares)
    entities = {label: graph.entity(label).id for label in ("ann", "bob", "cid", "dan", "ulm")}
    of_entities = made.of_entities(np.array(list(entities.values()), dtype=np.int64)).tolist()
    relations = graph.store.relations
    of_relations = made.of_relations(np.arange(len(relations))).tolist()
    labels = [relation.label for relation in relations]
    return (
        dict(zip(entities, of_entities, strict=True)),
        dict(zip(labels, of_relations, strict=True)),
    )


def test_shares_by_hand(build_graph) -> None:
    entities, relations = shares(build_graph(FACTS))
    # Three of five have one fact: half of these, then one half of one, and so on.
    assert entities == {"bob": 0.3, "cid": 0.3, "dan": 0.3, "ulm": 0.7, "ann": 0.9}
    # One fact of four is "home": half of it; the other three are all but the first and their half.
    assert relations == {"home": 0.125, "knows": 0.625}


def test_shares_do_not_depend_on_the_ids_of_a_graph(build_graph) -> None:
    plain = build_graph(FACTS, output="plain.kg")
    labels = ("ann", "bob", "cid", "dan", "ulm")
    turned_facts = FACTS
    for number, name in enumerate((*reversed(labels), "knows", "home")):
        turned_facts = turned_facts.replace(f"ex:{name}", f"ex:n{number}")
    named = "".join(f'ex:n{n} rdfs:label "{name}" . ' for n, name in enumerate(reversed(labels)))
    named += 'ex:n5 rdfs:label "knows" . ex:n6 rdfs:label "home" .'
    turned = build_graph(turned_facts + named, output="turned.kg")
    ids = [[graph.entity(label).id for label in labels] for graph in (plain, turned)]
    assert ids[0] == ids[1][::-1]
    assert [relation.label for relation in turned.store.relations] == ["knows", "home"]
    assert [relation.label for relation in plain.store.relations] == ["home", "knows"]
    assert shares(turned) == shares(plain)


def test_relations_that_are_equally_common_have_the_same_share(build_graph) -> None:
    graph = build_graph("ex:ann ex:p ex:bob ; ex:q ex:bob ; ex:r ex:bob .")
    made = graph.derived(GraphShares)
    assert made.of_relations(np.arange(3)).tolist() == [0.5, 0.5, 0.5]
    assert made.of_entities(np.array([0, 1])).tolist() == [0.5, 0.5]


def test_a_graph_with_one_fact(build_graph) -> None:
    made = build_graph("ex:ann ex:p ex:bob .").derived(GraphShares)
    assert made.of_relations(np.array([0, 0])).tolist() == [0.5, 0.5]
    assert made.of_relations(np.zeros(0, np.int64)).tolist() == []


def test_a_graph_that_is_ten_times_larger_has_the_same_shares(build_graph) -> None:
    lines = [
        f"ex:ann{n} ex:knows ex:bob{n}, ex:cid{n} ; ex:home ex:ulm{n} . "
        f"ex:dan{n} ex:knows ex:ulm{n} ."
        for n in range(10)
    ]
    large = build_graph("\n".join(lines)).derived(GraphShares)
    assert sorted(set(large.of_relations(np.arange(2)).tolist())) == [0.125, 0.625]
    assert sorted(set(large.of_entities(np.arange(50)).tolist())) == [0.3, 0.7, 0.9]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_the_shares_of_all_members_have_the_middle_in_common(sizes: list[int]) -> None:
    below = _shares_below(np.array(sizes))
    assert (np.diff(below) >= 0).all() and (below >= 0).all() and (below <= 1).all()
    if sum(sizes):
        assert np.average(below, weights=sizes) == pytest.approx(0.5)
