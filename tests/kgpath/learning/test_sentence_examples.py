"""Sentences that people marked, as labels of those that may tell a fact."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.features.path_features import PathFeatures
from kgpath.learning.marked_sentences import MarkedSentences
from kgpath.learning.sentence_examples import sentence_examples
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.types import Hop, Path

TEXT = "Astrid Lind paints. She was born in Ulm. Ulm is old."


@pytest.fixture
def graph(build_graph):
    return build_graph(
        'ex:lind rdfs:label "Astrid Lind" ; ex:birthPlace ex:ulm ; ex:likes ex:ulm .'
        'ex:ulm rdfs:label "Ulm" .'
    )


def labels(graph, starts: tuple[int, ...], sentences: set[int]) -> tuple[list[int], list[int]]:
    ends = graph.entity("ex:lind"), graph.entity("ex:ulm")
    relations = [graph.relation(name) for name in ("ex:likes", "ex:birthPlace")]
    paths = PathArrays.from_paths(graph, [Path(ends, (Hop(one, True),)) for one in relations])
    features = PathFeatures(Context(graph, TEXT), paths)
    fact = ends[0].id, relations[1].id, ends[1].id
    rows, told = sentence_examples(features, MarkedSentences({fact: frozenset(sentences)}, starts))
    assert set(features.facts.relations[rows.fact].tolist()) == {fact[1]}
    return rows.sentence.tolist(), told.tolist()


def test_only_marked_facts_are_examples_and_marked_sentences_tell_them(graph) -> None:
    assert labels(graph, (), {0, 1}) == ([0, 1, 2], [1, 1, 0])


def test_sentences_of_another_split_are_found_in_ours(graph) -> None:
    assert labels(graph, (0, 41), {0}) == ([0, 1, 2], [1, 1, 0])
    assert labels(graph, (0, 41), {1}) == ([0, 1, 2], [0, 0, 1])


def test_a_text_without_marked_facts_has_no_examples(graph) -> None:
    paths = PathArrays.nothing(1)
    rows, told = sentence_examples(
        PathFeatures(Context(graph, TEXT), paths), MarkedSentences({}, ())
    )
    assert len(rows.table) == len(told) == 0
    assert told.dtype == np.int8
