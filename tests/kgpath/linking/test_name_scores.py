"""How clearly a text names an entity: in full, cut short, by initials, by some of its words."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kgpath.datasets.sample_files import FOLDER
from kgpath.lexicon.name_index import LOWER_CASE
from kgpath.lexicon.text import BEFORE_COMMA, initials_in, initials_of, tokenize
from kgpath.linking.name_hits import name_hits
from kgpath.linking.name_scores import _by_name, name_match_scores


@pytest.fixture
def graph(build_graph):
    return build_graph(
        """
        ex:us rdfs:label "United States" ; ex:near ex:uk .
        ex:uk rdfs:label "United Kingdom" ; ex:near ex:abilene .
        ex:abilene rdfs:label "Abilene, Texas" ; ex:near ex:italy .
        ex:italy rdfs:label "Italy" ; ex:near ex:film .
        ex:film rdfs:label "Casino Royale (2006 film)" ; ex:near ex:casino .
        ex:casino rdfs:label "Casino" ; ex:near ex:tolkien .
        ex:tolkien rdfs:label "John Ronald Reuel Tolkien" ; ex:near ex:bank .
        ex:bank rdfs:label "Bank of the United States" ; ex:near ex:us .
        """
    )


def scores(graph, text: str) -> dict[str, float]:
    found = name_match_scores(graph, text)
    return {
        graph.entity(number).iri.rpartition("/")[2]: round(float(score), 3)
        for number, score in enumerate(found)
        if score > 0.001
    }


@pytest.mark.parametrize(
    ("text", "entity", "score"),
    [
        ("the united states", "us", 1.0),  # case does not count here
        ("Abilene", "abilene", 0.93),
        ("Casino Royale was a hit", "film", 1.0),
        ("Casino Royale was a hit", "casino", 0.85),  # stands only within a longer name
        ("a U.S. film", "us", 0.9),
        ("the USA and the UK", "uk", 0.9),
        ("Italian food", "italy", 0.85),  # by what comes from it
        ("J. R. R. T. wrote", "tolkien", 0.9),
    ],
)
def test_the_ways_to_name_an_entity(graph, text: str, entity: str, score: float) -> None:
    assert scores(graph, text)[entity] == pytest.approx(score, abs=0.001)


def test_rare_words_weigh_more_and_nothing_points_to_the_rest(graph) -> None:
    found = scores(graph, "Tolkien lived in a kingdom")
    assert set(found) == {"tolkien", "uk"}
    # One of four equally rare words.
    assert found["tolkien"] == pytest.approx(0.85 / 4, abs=0.001)
    # "kingdom" is rarer than "united": more than half of the name.
    assert found["uk"] > 0.85 / 2
    assert scores(graph, "") == {}
    assert scores(graph, "nothing fits") == {}


def test_initials() -> None:
    text = "The UK, U.S. and J. R. R. Tolkien of NATO; a B test. A I"
    tokens = tokenize(text)
    found = list(initials_in(text, tokens))
    assert [letters for letters, _, _ in found] == ["uk", "us", "jrr", "nato"]
    # Each with the tokens that it is made of.
    assert [tokens.words[first:last] for _, first, last in found] == [
        ["uk"], ["u", "s"], ["j", "r", "r"], ["nato"]
    ]  # fmt: skip
    assert initials_of(["bank", "of", "england"]) == "be"
    assert initials_of(["of", "mice"]) == ""


def test_of_entities_with_the_same_initials_the_best_known_is_meant(build_graph) -> None:
    graph = build_graph(
        """
        ex:us rdfs:label "United States" ; ex:near ex:a, ex:b, ex:c .
        ex:song rdfs:label "Uptown Song" ; ex:near ex:a .
        """
    )
    found = scores(graph, "a U.S. film")
    assert found["us"] == pytest.approx(0.9)
    assert found["song"] == pytest.approx(0.9 / 2)  # log 2 / log 4


def test_a_score_lies_between_0_and_1_and_a_full_name_has_1(sample) -> None:
    for entity in range(0, len(sample), 7):
        found = name_match_scores(sample, f"It was {sample.entity(entity).label} again.")
        assert found.min() >= 0 and found.max() <= 1
        label = sample.entity(entity).label
        assert found[entity] == 1 or label.isdigit() or len(label.split()) > 8, label


def test_a_name_within_a_longer_one_counts_less(sample) -> None:
    texts = map(json.loads, (FOLDER / "documents.jsonl").read_text().splitlines())
    for text in {one["document"] for one in texts}:
        tokens = tokenize(text)
        hits = list(name_hits(sample, tokens))
        expected = [
            (entity, (0.93 if form % LOWER_CASE == BEFORE_COMMA else 1.0) - 0.15 * within)
            for hit in hits
            for within in [
                any(
                    other.first <= hit.first
                    and hit.last <= other.last
                    and other.last - other.first > hit.last - hit.first
                    for other in hits
                )
            ]
            for entity, form in zip(
                sample.index.name_entities[hit.low : hit.high].tolist(),
                sample.index.name_forms[hit.low : hit.high].tolist(),
                strict=True,
            )
        ]
        entities, values = _by_name(sample, tokens)
        assert list(zip(entities.tolist(), values.tolist(), strict=True)) == expected


def test_a_long_text_is_read_in_no_more_than_its_share_of_time_and_memory(graph) -> None:
    # 40,000 names: each compared with each other one would take minutes, or gigabytes.
    found = name_match_scores(graph, "Casino Royale. Italy " * 20_000)
    assert np.flatnonzero(found == 1).tolist() == sorted(
        graph.entity(name).id for name in ("ex:film", "ex:italy")
    )
