"""Entities found in texts: which span, which entity, and what is not a name."""

from __future__ import annotations

import gc
import json
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.datasets.sample_files import FOLDER
from kgpath.lexicon.text import tokenize
from kgpath.linking import mentions as mentions_module
from kgpath.linking import name_hits
from kgpath.linking.mentions import Link


def named(kg, text: str, **options) -> list[tuple[str, str]]:
    return [
        (text[m.start : m.end], kg.entity(m.entity).iri.rpartition("/")[2])
        for m in kg.mentions(text, **options)
    ]


@pytest.fixture
def places(build_graph):
    return build_graph(
        """
        ex:abilene rdfs:label "Abilene, Texas" ; ex:in ex:texas .
        ex:texas rdfs:label "Texas" ; ex:in ex:us .
        ex:us rdfs:label "United States" ; skos:altLabel "U.S.", "USA" .
        ex:york rdfs:label "York" ; ex:in ex:england . ex:england rdfs:label "England" .
        ex:newyork rdfs:label "New York" ; ex:in ex:us .
        ex:court rdfs:label "Court, Switzerland" ; ex:in ex:switzerland .
        ex:beyonce rdfs:label "Beyoncé" ; ex:in ex:us . ex:oceans rdfs:label "Ocean's Eleven" ;
            ex:in ex:us . ex:lang rdfs:label "k.d. lang" ; ex:in ex:us .
        ex:film rdfs:label "Casino Royale (film)" ; ex:star ex:craig .
        ex:novel rdfs:label "Casino Royale (novel)" ; ex:author ex:fleming .
        ex:craig rdfs:label "Daniel Craig" . ex:fleming rdfs:label "Ian Fleming" .
        ex:who rdfs:label "The Who" ; ex:in ex:england . ex:it rdfs:label "It" ; ex:in ex:us .
        ex:switzerland rdfs:label "Switzerland" . ex:n2010 rdfs:label "2010" ; ex:in ex:us .
        """
    )


def test_the_longest_name_wins_and_offsets_are_exact(places) -> None:
    assert named(places, "From New York to York, in England.") == [
        ("New York", "newyork"),
        ("York", "york"),
        ("England", "england"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BEYONCE sang.", [("BEYONCE", "beyonce")]),
        ("Beyonce\u0301's song", [("Beyonce\u0301's", "beyonce")]),
        ("Oceans Eleven", [("Oceans Eleven", "oceans")]),
        ("Ocean’s Eleven", [("Ocean’s Eleven", "oceans")]),
        ("two Daniel Craigs", [("Daniel Craigs", "craig")]),
        ("in the U.S. and the USA", [("U.S", "us"), ("USA", "us")]),
        ("Newyork, Yorkshire", []),  # words, not letters
        ("texas", []),  # a name with a capital needs one
        ("we heard k.d. lang", [("k.d. lang", "lang")]),  # and one without needs none
        ("It was 2010. The who and what.", []),
        ("The Who played.", [("The Who", "who")]),
        ("", []),
    ],
)  # fmt: skip
def test_what_is_a_name(places, text: str, found: list[tuple[str, str]]) -> None:
    assert named(places, text) == found


def test_homonyms_are_settled_by_neighbours_in_the_text(places) -> None:
    assert named(places, "Casino Royale stars Daniel Craig.")[0] == ("Casino Royale", "film")
    assert named(places, "Ian Fleming wrote Casino Royale.")[1] == ("Casino Royale", "novel")
    told = places.entity("ex:novel")
    assert named(places, "Casino Royale again.", expected=[told]) == [("Casino Royale", "novel")]


def test_a_name_cut_at_its_comma_needs_a_neighbour(places) -> None:
    assert named(places, "Abilene lies in Texas.") == [("Abilene", "abilene"), ("Texas", "texas")]
    assert named(places, "The Court ruled in Texas.") == [("Texas", "texas")]


def test_supplied_links_are_taken_as_they_are(places) -> None:
    links = [Link(places.entity("ex:us").id, "the states")]
    assert named(places, "He left the states for York.", links=links) == [
        ("the states", "us"),
        ("York", "york"),
    ]


def test_a_link_without_any_letter_names_nothing(places) -> None:
    links = [Link(places.entity("ex:us").id, "–")]
    assert named(places, "York – a town.", links=links) == [("York", "york")]


def test_another_word_with_the_same_hash_is_not_the_name(places, monkeypatch) -> None:
    known = name_hits._KNOWN
    monkeypatch.setitem(known, "zork", known["york"])
    monkeypatch.setitem(known, "cabino", known["casino"])
    assert named(places, "From Zork to York.") == [("York", "york")]
    assert named(places, "Cabino Royale, Casino Royale; Ian Fleming.") == [
        ("Casino Royale", "novel"),
        ("Ian Fleming", "fleming"),
    ]


def test_each_graph_remembers_its_own_entities_and_not_for_ever(places, build_graph) -> None:
    assert named(places, "Abilene, Texas") == [("Abilene, Texas", "abilene")]
    other = build_graph('ex:a rdfs:label "Abba" ; ex:in ex:b . ex:b rdfs:label "Bern, Ohio" .')
    assert named(other, "Abba in Bern") == [("Abba", "a"), ("Bern", "b")]
    spellings = mentions_module._SPELLINGS
    everyone = set(range(len(places)))
    at_once = spellings.of(places.store, everyone)
    spellings._known.pop(places.store)
    one_by_one = {e: spellings.of(places.store, {e}, most=2)[e] for e in [*everyone, *everyone]}
    assert at_once == one_by_one
    assert len(spellings._known[places.store]) <= 2


def test_what_is_cached_does_not_keep_a_graph_open(places) -> None:
    graph = kgpath.open(places.path)
    assert named(graph, "York") == [("York", "york")]
    graph.close()
    gone = weakref.ref(graph)
    del graph
    gc.collect()
    assert gone() is None


def test_both_ends_of_every_sample_query_are_found_in_its_text(sample) -> None:
    for line in (FOLDER / "documents.jsonl").read_text().splitlines():
        query = json.loads(line)
        ends = [sample.entity(query["head"]), sample.entity(query["tail"])]
        found = {m.entity for m in sample.mentions(query["document"], expected=ends)}
        assert {end.id for end in ends} <= found, query["id"]


@given(st.text(max_size=200))
def test_any_text_can_be_read(film, text: str) -> None:
    tokens = tokenize(text)
    last = 0
    for mention in film.mentions(text):
        assert last <= mention.start < mention.end <= len(text)
        assert tokens.starts[mention.first] == mention.start
        last = mention.end
