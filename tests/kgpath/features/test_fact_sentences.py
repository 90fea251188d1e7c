"""Which sentences may tell a fact, by hand on a small graph."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.features.fact_sentences import (
    FAR,
    SENTENCE_FEATURES,
    SentenceRows,
    sentence_table,
    told_sentences,
)
from kgpath.features.path_features import PathFeatures
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.types import Hop, Path

GRAPH = """
    ex:lind rdfs:label "Astrid Lind" ; a ex:Person ; ex:birthPlace ex:ulm ; ex:award ex:medal .
    ex:Person rdfs:label "person" .
    ex:Town rdfs:label "town" .
    ex:ulm rdfs:label "Ulm" ; a ex:Town .
    ex:medal rdfs:label "Gold Medal" .
    ex:rome rdfs:label "Rome" ; a ex:Town .
    ex:moss rdfs:label "Peter Moss" ; a ex:Person ; ex:birthPlace ex:rome .
"""
BORN = ("ex:lind", "ex:birthPlace", "ex:ulm")
WON = ("ex:lind", "ex:award", "ex:medal")
MOSS = ("ex:moss", "ex:birthPlace", "ex:rome")
TEXT = (
    "Astrid Lind is a painter. She was born in Ulm. Rain fell. Nobody came. All was quiet. "
    "Lind never won the Gold Medal."
)


@pytest.fixture
def graph(build_graph):
    return build_graph(GRAPH)


def path_of(graph, head: str, relation: str, tail: str) -> Path:
    ends = graph.entity(head), graph.entity(tail)
    return Path(ends, (Hop(graph.relation(relation), forward=True),))


def features_of(graph, text: str, *facts: tuple[str, str, str]) -> PathFeatures:
    paths = PathArrays.from_paths(graph, [path_of(graph, *fact) for fact in facts])
    return PathFeatures(Context(graph, text), paths)


def rows_of(graph, text: str, *facts: tuple[str, str, str]) -> SentenceRows:
    features = features_of(graph, text, *facts)
    return sentence_table(features, np.arange(len(features.facts.heads)))


def by_sentence(rows: SentenceRows, name: str) -> dict[int, float]:
    return dict(zip(rows.sentence.tolist(), rows.table[name].tolist(), strict=True))


def test_rows_are_the_sentences_that_show_an_end_and_those_next_to_one(graph) -> None:
    assert rows_of(graph, TEXT, BORN).sentence.tolist() == [0, 1, 2, 4, 5]


def test_an_end_is_shown_by_its_name_by_a_part_of_it_and_by_a_pronoun(graph) -> None:
    rows = rows_of(graph, TEXT, BORN)
    assert by_sentence(rows, "head named") == {0: 1, 1: 0, 2: 0, 4: 0, 5: 0}
    assert by_sentence(rows, "head meant") == {0: 0, 1: 1, 2: 0, 4: 0, 5: 0}
    assert by_sentence(rows, "head partly") == {0: 0, 1: 0, 2: 0, 4: 0, 5: 1}
    assert by_sentence(rows, "tail named") == {0: 0, 1: 1, 2: 0, 4: 0, 5: 0}
    assert by_sentence(rows, "less shown") == {0: 0, 1: 1, 2: 0, 4: 0, 5: 0}
    assert by_sentence(rows, "ends") == {0: 1, 1: 2, 2: 0, 4: 0, 5: 1}
    assert set(rows.table["head person"]) == {1}
    assert set(rows.table["tail person"]) == {0}


def test_a_sentence_knows_how_far_away_the_ends_stand(graph) -> None:
    rows = rows_of(graph, "Astrid Lind paints. Rain fell. Ulm is far. Ulm is old.", BORN)
    assert by_sentence(rows, "head since") == {0: 0, 1: 1, 2: 2, 3: 3}
    assert by_sentence(rows, "head until") == {0: 0, 1: FAR, 2: FAR, 3: FAR}
    assert by_sentence(rows, "tail begun") == {0: -2, 1: -1, 2: 0, 3: 1}
    assert by_sentence(rows, "away") == {0: 2, 1: 2, 2: 2, 3: 3}
    assert by_sentence(rows, "away behind") == {0: 0, 1: 0, 2: 0, 3: 1}


def test_of_several_sentences_with_both_ends_each_knows_the_others(graph) -> None:
    rows = rows_of(graph, "Astrid Lind saw Ulm. Ulm, wrote Peter Moss, bores Astrid Lind.", BORN)
    assert by_sentence(rows, "both") == {0: 2, 1: 2}
    assert by_sentence(rows, "both before") == {0: 0, 1: 1}
    assert by_sentence(rows, "others between") == {0: 0, 1: 1}
    assert by_sentence(rows, "gap behind")[0] == 0 < by_sentence(rows, "gap behind")[1]


def test_what_is_denied_is_known(graph) -> None:
    unsaid = by_sentence(rows_of(graph, TEXT, WON), "unsaid")
    assert unsaid[5] > 0.5
    assert unsaid[0] == 0


def test_the_words_of_the_relation_are_looked_for_in_the_sentence(graph) -> None:
    words = by_sentence(rows_of(graph, TEXT, BORN), "words")
    assert max(words, key=lambda sentence: words[sentence]) == 1


def test_a_fact_has_the_same_numbers_whatever_else_is_asked(graph) -> None:
    text = TEXT + " Peter Moss saw it. He was born in Rome."
    alone = [rows_of(graph, text, fact).table.values for fact in (BORN, WON, MOSS)]
    features = features_of(graph, text, BORN, WON, MOSS)
    known = features.facts
    for fact, values in zip((BORN, WON, MOSS), alone, strict=True):
        ids = [graph.entity(fact[0]).id, graph.entity(fact[2]).id]
        (place,) = np.flatnonzero((known.heads == ids[0]) & (known.tails == ids[1]))
        together = sentence_table(features, np.arange(3))
        assert together.table.values[together.fact == place].tolist() == values.tolist()
        chosen = sentence_table(features, np.array([place]))
        assert chosen.table.values.tolist() == values.tolist()
        assert set(chosen.fact.tolist()) == {place}


def test_a_graph_in_another_order_has_the_same_numbers(graph, build_graph) -> None:
    lines = [line for line in GRAPH.strip().splitlines() if line.strip()]
    other = build_graph("\n".join(reversed(lines)), output="other.kg")
    values = [rows_of(kg, TEXT, WON).table.values.tolist() for kg in (graph, other)]
    assert values[0] == values[1]


@pytest.mark.parametrize("text", ["", "...", "Nothing is named here. Nor here."])
def test_a_text_that_shows_nothing_has_no_rows(graph, text: str) -> None:
    rows = rows_of(graph, text, BORN)
    assert len(rows.fact) == len(rows.table) == 0
    assert rows.table.names == tuple(SENTENCE_FEATURES)
    assert told_sentences(rows, np.zeros(0), 0.5) == [()]


def test_no_facts_have_no_sentences(graph) -> None:
    rows = sentence_table(features_of(graph, TEXT, BORN), np.array([], dtype=np.int64))
    assert told_sentences(rows, np.zeros(0), 0.5) == []


def test_the_most_probable_sentence_tells_a_fact_and_so_do_all_above_the_threshold(graph) -> None:
    rows = rows_of(graph, TEXT, BORN)
    assert told_sentences(rows, np.array([0.1, 0.2, 0.2, 0.1, 0.1]), 0.5) == [(1,)]
    assert told_sentences(rows, np.array([0.6, 0.9, 0.2, 0.1, 0.5]), 0.5) == [(0, 1)]


def test_the_sentences_come_in_the_order_in_which_facts_were_asked_for(graph) -> None:
    features = features_of(graph, TEXT, BORN, WON)
    rows = sentence_table(features, np.array([1, 0, 1]))
    probability = rows.table["tail named"]
    first, second, third = told_sentences(rows, probability, 0.5)
    assert first == third != second
    assert {first, second} == {(1,), (5,)}


def test_a_fact_of_which_the_text_shows_one_end_is_not_told(graph) -> None:
    rows = rows_of(graph, "Astrid Lind paints.", BORN)
    assert len(rows.fact) == 1
    assert told_sentences(rows, np.array([0.9]), 0.5) == [()]
