"""The words of relations: of label and IRI, without little ones; and the table by hand."""

from __future__ import annotations

from math import log

import pytest

from kgpath.lexicon.text import fold
from kgpath.linking.relation_words import (
    _SYNONYMS,
    SYNONYMS,
    RelationWords,
)


@pytest.mark.parametrize(
    ("iri", "label", "spellings"),
    [
        ("birthPlace", "", {("birth", "place")}),
        ("birthPlace", "birth place", {("birth", "place")}),
        ("birthPlace", "Place of Birth", {("place", "birth"), ("birth", "place")}),
        ("P19", "place of birth", {("place", "birth"), ("p19",)}),
        ("isPartOf", "", {("part",)}),
        ("is_a", "", {("is", "a")}),  # nothing but little words: better than none
        ("_1", "", set()),
        ("team2", "team 2", {("team",), ("team2",)}),
        ("placeOfPlace", "", {("place",)}),
        ("métier", "Métier", {("metier",)}),
    ],
)
def test_the_spellings_of_a_relation(build_graph, iri, label, spellings) -> None:
    named = f'<http://example.org/{iri}> rdfs:label "{label}" .' if label else ""
    graph = build_graph(f"ex:a <http://example.org/{iri}> ex:b . {named}")
    number = graph.relation(f"http://example.org/{iri}").id
    found = graph.derived(RelationWords).spellings[number]
    assert set(found) == spellings
    assert len(found) == len(spellings)


def test_a_word_of_many_relations_is_less_rare(build_graph) -> None:
    graph = build_graph(
        """
        ex:a ex:birthPlace ex:b ; ex:deathPlace ex:b ; ex:restingPlace ex:b ; ex:knows ex:b .
        ex:birthPlace rdfs:label "place of birth" .
        """
    )
    words = RelationWords(graph)
    # Four relations; "place" is counted once in "birth place" and "place of birth".
    assert words.rarity == {
        "place": pytest.approx(log(5 / 3)),
        "birth": pytest.approx(log(5)),
        "death": pytest.approx(log(5)),
        "resting": pytest.approx(log(5)),
        "knows": pytest.approx(log(5)),
    }
    assert len(words.spellings) == 4


def test_the_table_has_single_folded_words_and_no_line_twice() -> None:
    assert len(SYNONYMS) == len(_SYNONYMS.strip().splitlines())
    for word, others in SYNONYMS.items():
        assert others
        assert len(set(others)) == len(others)
        assert word not in others
        for one in (word, *others):
            assert one == fold(one)
            assert " " not in one


@pytest.mark.parametrize(
    ("word", "other"), [("birth", "born"), ("spouse", "married"), ("starring", "cast")]
)
def test_the_table_knows_how_people_say_it(word: str, other: str) -> None:
    assert other in SYNONYMS[word]
