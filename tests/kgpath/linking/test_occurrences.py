"""Where a text shows an entity: by a name, cut short, by initials, a rare word or a link."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.linking.context import Context
from kgpath.linking.mentions import Link
from kgpath.linking.name_scores import DEMONYM
from kgpath.linking.occurrences import find_occurrences

# Nine names; "daniel" and "united" stand in two of them, all other words in one.
GRAPH = """
    ex:us rdfs:label "United States" ; ex:near ex:uk .
    ex:uk rdfs:label "United Kingdom" ; ex:near ex:abilene .
    ex:abilene rdfs:label "Abilene, Texas" ; ex:near ex:italy .
    ex:italy rdfs:label "Italy" ; ex:near ex:film .
    ex:film rdfs:label "Casino Royale (2006 film)" ; ex:near ex:tolkien .
    ex:tolkien rdfs:label "John Ronald Reuel Tolkien" ; ex:near ex:craig .
    ex:craig rdfs:label "Daniel Craig" ; skos:altLabel "Danny" ; ex:near ex:radcliffe .
    ex:radcliffe rdfs:label "Daniel Radcliffe" ; ex:near ex:us .
"""
NAMES = 9
SOME = 0.85
RARE, LESS_RARE = log((NAMES + 1) / 1), log((NAMES + 1) / 2)


@pytest.fixture
def graph(build_graph):
    return build_graph(GRAPH)


def seen(graph, text: str, name: str, *links: Link):
    """The spans of one entity and how clearly it is named."""
    number = graph.entity(name).id
    found = find_occurrences(Context(graph, text, links), range(len(graph)))
    return found.of(number), round(float(found.named[number]), 4)


def filler(number: int) -> str:
    return "and " * number


@pytest.mark.parametrize(
    ("text", "name", "spans", "named"),
    [
        # In full, whatever the case, with a plural or possessive ending.
        ("Then Daniel Craig met daniel craig", "ex:craig", [(1, 3), (4, 6)], 1),
        ("Daniel Craig's car, two Daniel Craigs", "ex:craig", [(0, 2), (4, 6)], 1),
        ("Danny is Daniel Craig", "ex:craig", [(0, 1), (2, 4)], 1),
        # Cut short: before a comma, without brackets.
        ("a day in Abilene", "ex:abilene", [(3, 4)], 0.93),
        ("born in Abilene, Texas", "ex:abilene", [(2, 4)], 1),
        ("Casino Royale was a hit", "ex:film", [(0, 2)], 1),
        # By initials, unless it is named in full.
        ("a U.S. film from the US", "ex:us", [(1, 3), (6, 7)], 0.9),
        ("the United States, the US", "ex:us", [(1, 3)], 1),
        # By the rarest word; a word with the same first letters counts .7 of it.
        ("Tolkien and John", "ex:tolkien", [(0, 1)], SOME * 2 / 4),
        ("tolkienesque food", "ex:tolkien", [(0, 1)], SOME * 0.7 * 1 / 4),
        # By what comes from a country.
        ("Italian food", "ex:italy", [(0, 1)], DEMONYM),
        ("two Americans, born in the USA", "ex:us", [(1, 2), (5, 6)], DEMONYM),
        ("the Craig of Daniel", "ex:craig", [(1, 2)], SOME),
        ("the Daniel of old, Daniel", "ex:craig", [(1, 2), (4, 5)],
         SOME * LESS_RARE / (RARE + LESS_RARE)),
        # Not at all.
        ("He met the others", "ex:craig", [], 0),
        ("", "ex:craig", [], 0),
        ("Craigslist dan", "ex:radcliffe", [], 0),
    ],
)  # fmt: skip
def test_the_ways_to_see_an_entity(graph, text, name, spans, named) -> None:
    assert seen(graph, text, name) == (spans, pytest.approx(named, abs=1e-4))


@pytest.mark.parametrize("between", range(8))
def test_words_of_a_name_count_together_only_where_they_stand_close(graph, between) -> None:
    """Two words and three more: up to five tokens from one to the other."""
    spans, named = seen(graph, f"Craig {filler(between)}Daniel", "ex:craig")
    assert spans == [(0, 1)]
    alone = RARE / (RARE + LESS_RARE)
    assert named == pytest.approx(SOME * (1 if between + 1 <= 5 else alone), abs=1e-4)


def test_the_clearest_of_several_places_counts(graph) -> None:
    text = f"Craig {filler(30)} Craig {filler(30)} Daniel and Craig"
    spans, named = seen(graph, text, "ex:craig")
    assert [last - first for first, last in spans] == [1, 1, 1]
    assert named == pytest.approx(SOME, abs=1e-4)


def test_naming_does_not_ask_for_closeness_but_sightings_do(graph) -> None:
    text = f"Craig {filler(30)} Daniel"
    number = graph.entity("ex:craig").id
    assert Context(graph, text).name_scores[number] == pytest.approx(SOME)
    assert seen(graph, text, "ex:craig")[1] < 0.6


def test_a_link_shows_its_entity(graph) -> None:
    link = Link(graph.entity("ex:tolkien").id, "The professor")
    text = "The professor wrote. The old professor, Tolkien, slept."
    assert seen(graph, text, "ex:tolkien", link) == ([(0, 2)], 1)
    assert seen(graph, text, "ex:tolkien") == ([(6, 7)], pytest.approx(SOME / 4, abs=1e-4))


def test_a_link_whose_words_are_not_in_a_row_is_no_trouble(graph) -> None:
    """None of its words is in a name of the graph."""
    link = Link(graph.entity("ex:tolkien").id, "the professor")
    assert seen(graph, "The old professor wrote", "ex:tolkien", link) == ([], 0)
    spans, named = seen(graph, "The old professor Tolkien", "ex:tolkien", link)
    assert spans == [(3, 4)]
    assert named == pytest.approx(SOME / 4, abs=1e-4)


def test_a_link_without_letters_shows_nothing(graph) -> None:
    link = Link(graph.entity("ex:tolkien").id, " ")
    assert seen(graph, "He wrote.", "ex:tolkien", link) == ([], 0)


def test_the_arrays_are_sorted_and_hold_each_entity_once(graph) -> None:
    craig, italy, us = (graph.entity(name).id for name in ("ex:craig", "ex:italy", "ex:us"))
    context = Context(graph, "Daniel Craig left Italy. Daniel Craig!")
    found = find_occurrences(context, [us, craig, italy, craig])
    order = sorted([us, craig, italy])
    assert found.entities.tolist() == order
    sizes = {us: 0, craig: 2, italy: 1}
    assert np.diff(found.offsets).tolist() == [sizes[entity] for entity in order]
    assert found.named.tolist() == [{us: 0, craig: 1, italy: 1}[entity] for entity in order]
    assert (found.of(us), found.of(italy)) == ([], [(3, 4)])
    assert found.of(craig) == [(0, 2), (4, 6)]


def test_nobody_asked_for_nobody_seen(graph) -> None:
    found = find_occurrences(Context(graph, "Daniel Craig"), [])
    assert [len(column) for column in found] == [0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("He sang rhythm and blues. Then the blues.", [(7, 8)]),
        ("The blues, then rhythm and blues.", [(1, 2)]),
        ("He sang rhythm and blues.", [(4, 5)]),  # better there than nowhere
        ("He sang blues and rhythm.", [(2, 3)]),
        ("The blues. Blues!", [(1, 2), (2, 3)]),
    ],
)
def test_a_name_within_a_longer_one_is_meant_only_if_it_stands_nowhere_else(
    build_graph, text: str, spans: list[tuple[int, int]]
) -> None:
    graph = build_graph(
        """
        ex:blues rdfs:label "Blues" ; ex:near ex:rhythm .
        ex:rhythm rdfs:label "Rhythm and blues" ; ex:near ex:soul .
        """
    )
    assert seen(graph, text, "ex:blues")[0] == spans


WORDS = "Daniel Craig Danny U.S. United States Abilene Texas Italian casino Royale Tolkien a b ."


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
def test_spans_lie_in_the_text_and_are_no_clearer_than_the_name(graph, parts: list[str]) -> None:
    context = Context(graph, " ".join(parts))
    found = find_occurrences(context, range(len(graph)))
    for entity in range(len(graph)):
        spans = found.of(entity)
        assert spans == sorted(set(spans))
        assert all(0 <= first < last <= len(context.tokens) for first, last in spans)
        assert 0 <= found.named[entity] <= context.name_scores[entity] <= 1
        if not spans:
            assert found.named[entity] == 0
        # Alone, nobody's longer name stands in the way.
        alone = find_occurrences(context, [entity])
        assert set(spans) <= set(alone.of(entity))
        assert bool(spans) == bool(alone.of(entity))
        assert alone.named[0] == found.named[entity]


@pytest.mark.parametrize(
    ("text", "name", "spans"),
    [
        ("He left CD FAS.", "C.D. FAS", [(2, 4)]),
        ("He left C.D. FAS.", "C.D. FAS", [(2, 5)]),
        ("F.C. Bari and FC Bari", "FC Bari", [(0, 3), (4, 6)]),
        ("a book by JRR Tolkien", "J. R. R. Tolkien", [(3, 5)]),
        ("tomatoes and a tomato", "Tomato", [(0, 1), (3, 4)]),
        ("two new studies, a Study", "Study", [(2, 3), (4, 5)]),
    ],
)
def test_dots_and_plurals_make_no_other_name(build_graph, text: str, name: str, spans) -> None:
    kg = build_graph(f'ex:one rdfs:label "{name}" ; ex:near ex:two . ex:two rdfs:label "Two" .')
    assert seen(kg, text, "ex:one") == (spans, 1)
    written = Context(kg, text).mentions()
    assert {(one.first, one.last) for one in written} <= set(spans)


def test_a_word_for_a_country_within_another_name_is_not_the_country(build_graph) -> None:
    kg = build_graph(
        """
        ex:us rdfs:label "United States" ; ex:group ex:african .
        ex:african rdfs:label "African Americans" .
        """
    )
    assert seen(kg, "She met African Americans.", "ex:us")[0] == []
    assert seen(kg, "African Americans and other Americans", "ex:us")[0] == [(4, 5)]
