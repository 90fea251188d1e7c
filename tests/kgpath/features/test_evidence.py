"""How a text expresses facts, by hand on a small graph."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.features.evidence import NEXT_SENTENCE, Evidence, closest_occurrences, evidence
from kgpath.features.relation_matches import word_places
from kgpath.linking.context import Context
from kgpath.linking.occurrences import Occurrences, find_occurrences
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.paths.path_arrays import Facts

TEXT = "James Bond was created by Ian Fleming. Daniel Craig played him."
#       0     1    2   3       4  5   6        7      8     9      10
LENGTH = 11


@pytest.fixture
def graph(build_graph):
    return build_graph(
        """
        ex:craig rdfs:label "Daniel Craig" .
        ex:fleming rdfs:label "Ian Fleming" ; ex:birthPlace ex:london .
        ex:london rdfs:label "London" .
        ex:bond rdfs:label "James Bond" ; ex:portrayer ex:craig ; ex:creator ex:fleming ;
            ex:likes ex:craig .
        ex:craig ex:likes ex:bond .
        """
    )


def stated(graph, facts: Facts) -> list[tuple[str, str, str]]:
    return [
        (graph.entity(head).label, graph.store.relations[relation].label, graph.entity(tail).label)
        for head, relation, tail in zip(
            facts.heads.tolist(), facts.relations.tolist(), facts.tails.tolist(), strict=True
        )
    ]


def evidence_of(graph, text: str, head: str, relation: str, tail: str) -> Evidence:
    """How a text expresses one fact; every column is one number."""
    ends = graph.entity(head).id, graph.entity(tail).id
    columns = (np.array([n]) for n in (ends[0], graph.relation(relation).id, ends[1]))
    context = Context(graph, text)
    found = evidence(context, Facts(*columns, np.array([[0]])), find_occurrences(context, ends))
    return Evidence(*(column.item() for column in found))


def test_every_fact_is_listed_once_whichever_way_it_is_walked(graph) -> None:
    context = Context(graph, TEXT)
    there = candidates_for(context, graph.entity("ex:craig"), graph.entity("ex:fleming"))
    back = candidates_for(context, graph.entity("ex:fleming"), graph.entity("ex:craig"))
    expected = {
        ("James Bond", "portrayer", "Daniel Craig"),
        ("James Bond", "likes", "Daniel Craig"),
        ("Daniel Craig", "likes", "James Bond"),
        ("James Bond", "creator", "Ian Fleming"),
    }
    facts = there.facts()
    assert len(there) == 3
    assert len(facts.heads) == 4
    assert set(stated(graph, facts)) == expected
    other = back.facts()
    assert stated(graph, other) == stated(graph, facts)
    assert other.along[:, :2].tolist() == facts.along[:, 1::-1].tolist()


def test_each_hop_knows_its_fact(sample) -> None:
    """Also paths of different lengths: -1 after the end."""
    ends = sample.entity("Daniel Craig"), sample.entity("Roger Moore")
    for head, tail in (ends, ends[::-1]):
        found = candidates_for(Context(sample, ""), head, tail)
        assert len(set(found.lengths.tolist())) > 1
        facts = found.facts()
        triples = np.stack([facts.heads, facts.relations, facts.tails], axis=1).tolist()
        assert len({tuple(triple) for triple in triples}) == len(triples)
        assert set(facts.along[facts.along >= 0].tolist()) == set(range(len(triples)))
        for row, path in enumerate(found):
            assert (facts.along[row, path.length :] == -1).all()
            for at, hop in enumerate(path.hops):
                one, other = path.nodes[at].id, path.nodes[at + 1].id
                fact = [one, hop.relation.id, other] if hop.forward else [
                    other, hop.relation.id, one]  # fmt: skip
                assert triples[facts.along[row, at]] == fact


def test_without_paths_there_are_no_facts(graph) -> None:
    ends = graph.entity("ex:craig"), graph.entity("ex:london")
    found = candidates_for(Context(graph, TEXT), *ends, PathOptions(max_hops=2))
    facts = found.facts()
    assert [column.shape for column in facts] == [(0,), (0,), (0,), (0, 2)]
    context = Context(graph, TEXT)
    for column in evidence(context, facts, find_occurrences(context, [])):
        assert column.shape == (0,)


def test_two_ends_in_one_sentence(graph) -> None:
    assert evidence_of(graph, TEXT, "ex:bond", "creator", "ex:fleming") == Evidence(
        seen=True,
        gap=3,  # was created by
        same_sentence=True,
        first=0,
        last=7,
        words=0.8,  # "created" is a form of "creator"
        near=0.8,  # and stands between the two
    )


def test_two_ends_in_different_sentences(graph) -> None:
    found = evidence_of(graph, TEXT, "ex:bond", "portrayer", "ex:craig")
    assert found[:5] == (True, 5, False, 0, 9)
    assert found.words == pytest.approx(0.7)  # "played" is another word for it
    assert found.near == pytest.approx(0.7 * exp(-1 / 8))  # one token after the two


def test_an_end_that_is_not_seen_leaves_the_whole_text(graph) -> None:
    text = "Ian Fleming was born in a town of England."
    found = evidence_of(graph, text, "ex:fleming", "birthPlace", "ex:london")
    assert found[:5] == (False, 60, False, 0, 9)
    # "born" for "birth", nothing for "place", which is as rare.
    assert found.words == found.near == pytest.approx(0.7 / 2)
    assert evidence_of(graph, "", "ex:fleming", "birthPlace", "ex:london") == (
        False, 60, False, 0, 0, 0, 0
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("the creator", 1),
        ("created", 0.8),
        ("creation", 0.8),
        ("the creator of creation", 1),
        ("crea", 0),  # a form has more than the beginning
        ("made", 0),
    ],
)
def test_a_relations_word_itself_a_form_of_it_or_nothing(graph, text, share) -> None:
    assert evidence_of(graph, text, "ex:bond", "creator", "ex:fleming").words == pytest.approx(
        share
    )


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("a portrayer", 1),
        ("he portrayed", 0.8),
        ("he played", 0.7),
        ("his role", 0.7),
        ("he portrayed, he played", 0.8),
        ("he was", 0),
    ],
)
def test_another_word_counts_least(graph, text, share) -> None:
    assert evidence_of(graph, text, "ex:bond", "portrayer", "ex:craig").words == pytest.approx(
        share
    )


def test_rare_words_of_a_relation_weigh_more_and_the_best_spelling_counts(build_graph) -> None:
    graph = build_graph(
        """
        ex:a rdfs:label "Ann" ; ex:birthPlace ex:b ; ex:deathPlace ex:b ; ex:p1 ex:b .
        ex:b rdfs:label "Bath" .
        ex:p1 rdfs:label "resting place" .
        """
    )
    common, rare = log(4 / 3), log(4)
    place = evidence_of(graph, "a place", "ex:a", "birthPlace", "ex:b").words
    birth = evidence_of(graph, "her birth", "ex:a", "birthPlace", "ex:b").words
    assert place == pytest.approx(common / (common + rare))
    assert birth == pytest.approx(rare / (common + rare))
    assert evidence_of(graph, "p1", "ex:a", "ex:p1", "ex:b").words == 1
    assert evidence_of(graph, "p1 place", "ex:a", "ex:p1", "ex:b").words == 1


def test_a_relation_without_words_is_not_expressed(build_graph) -> None:
    graph = build_graph('ex:a rdfs:label "Ann" ; ex:_1 ex:b . ex:b rdfs:label "Bath" .')
    assert evidence_of(graph, "Ann is 1 of Bath", "ex:a", "ex:_1", "ex:b") == (
        True,
        3,
        True,
        0,
        5,
        0,
        0,
    )
    assert word_places(Context(graph, "Ann is 1 of Bath"), 0) == []


@given(st.integers(0, 30), st.booleans())
def test_a_word_farther_away_is_less_near(graph, away: int, before: bool) -> None:
    parts = ["James Bond Ian Fleming", *["and"] * away, "creator"]
    text = " ".join(reversed(parts) if before else parts)
    found = evidence_of(graph, text, "ex:bond", "creator", "ex:fleming")
    assert found.words == 1
    assert found.near == pytest.approx(exp(-(away + 1) / 8))


def test_of_equally_close_occurrences_the_first_counts(graph) -> None:
    text = "James Bond and Ian Fleming. James Bond and Ian Fleming."
    assert evidence_of(graph, text, "ex:bond", "creator", "ex:fleming")[:5] == (True, 1, True, 0, 5)


def test_a_sentence_boundary_counts_as_ten_tokens(graph) -> None:
    # Next to each other across two sentences, or 9 between in one; then 11.
    near = f"James Bond! Ian Fleming {'x ' * 9} James Bond."
    assert evidence_of(graph, near, "ex:bond", "creator", "ex:fleming")[1:4] == (9, True, 2)
    far = f"James Bond {'x ' * 11} Ian Fleming. James Bond!"
    assert evidence_of(graph, far, "ex:bond", "creator", "ex:fleming")[1:4] == (0, False, 13)


def test_word_places_are_all_tokens_that_name_a_relation(graph) -> None:
    context = Context(graph, "He was born in his birth place, a native of that place.")
    #                         0  1   2    3  4   5     6      7 8      9  10   11
    assert word_places(context, graph.relation("birthPlace").id) == [5, 6, 11]
    other = Context(graph, "Born there, native of a place.")
    assert word_places(other, graph.relation("birthPlace").id) == [0, 2, 5]
    assert word_places(other, graph.relation("creator").id) == []


# Where two ends stand closest: the array code against plain loops

ENTITIES = 5


@st.composite
def seen_somewhere(draw: st.DrawFn) -> tuple[str, Occurrences]:
    """A text of some sentences and spans in it, within a sentence each; they may hold another."""
    sizes = draw(st.lists(st.integers(1, 12), min_size=1, max_size=6))
    text = " ".join(" ".join(["Word", *["word"] * (size - 1)]) + "." for size in sizes)
    every = [
        (start + first, start + last)
        for start, size in zip(np.cumsum([0, *sizes[:-1]]).tolist(), sizes, strict=True)
        for first in range(size)
        for last in range(first + 1, min(size, first + 4) + 1)
    ]
    spans = [sorted(draw(st.sets(st.sampled_from(every), max_size=5))) for _ in range(ENTITIES)]
    flat = np.array([span for some in spans for span in some], dtype=np.int64).reshape(-1, 2)
    return text, Occurrences(
        entities=10 * np.arange(ENTITIES),
        named=np.ones(ENTITIES),
        offsets=np.cumsum([0, *map(len, spans)]),
        first=flat[:, 0],
        last=flat[:, 1],
        is_coreference=np.zeros(len(flat), dtype=np.bool_),
    )


@given(seen_somewhere())
def test_the_closest_occurrences_are_those_that_plain_loops_find(film, case) -> None:
    text, seen = case
    context = Context(film, text)
    pairs = [(one, other) for one in range(ENTITIES) for other in range(ENTITIES) if one != other]
    heads, tails = 10 * np.array(pairs).T
    facts = Facts(heads, np.zeros(len(pairs), dtype=np.int64), tails, np.zeros((1, 1), np.int64))
    closest = closest_occurrences(context, seen, facts)
    found = zip(*(column.tolist() for column in closest), strict=True)
    sentence = context.sentence_of
    for head, tail, (both, gap, same, first, last) in zip(heads, tails, found, strict=True):
        # Every pair of occurrences: what it costs, and what is said of it.
        ways = [
            (between + NEXT_SENTENCE * (not together), (between, together, min(a, c), max(b, d)))
            for a, b in seen.of(head)
            for c, d in seen.of(tail)
            for between in [max(c - b, a - d, 0)]
            for together in [bool(sentence[a] == sentence[c])]
        ]
        assert both == bool(ways)
        if ways:
            least = min(ways)[0]
            assert (gap, same, first, last) in [said for cost, said in ways if cost == least]
        else:
            assert (gap, same, first, last) == (60, False, 0, len(context.tokens.words))
