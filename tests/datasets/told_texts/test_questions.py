"""Questions over generated texts: their answers are facts that the text was made to tell."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgpath
from kgpath.datasets.told_texts import told_questions
from kgpath.datasets.told_texts.questions import _TextQuestions
from kgpath.datasets.told_texts.things import Things
from kgpath.datasets.told_texts.tree import Trees
from kgpath.errors import BadSource
from kgpath.io.queries import Query
from kgpath.lexicon.text import fold, without_qualifier


@pytest.fixture(scope="module")
def graph(sample_path):
    with kgpath.open(sample_path) as kg:
        yield kg


@pytest.fixture(scope="module")
def queries(graph) -> list[Query]:
    return list(told_questions(graph, 150, seed=3))


def test_the_same_seed_gives_the_same_questions(graph, queries) -> None:
    assert list(told_questions(graph, 150, seed=3)) == queries
    assert list(told_questions(graph, 150, seed=4)) != queries


def test_a_longer_run_begins_with_a_shorter_one(graph, queries) -> None:
    few = list(told_questions(graph, 20, seed=3))
    assert queries[: len(few)] == few


def test_every_question_has_an_id_of_its_own(queries) -> None:
    assert len({query.id for query in queries}) == len(queries)


def test_there_are_told_and_untold_questions_of_several_lengths(queries) -> None:
    hops = [len(query.paths[0]) // 2 if query.told else 0 for query in queries]
    assert {0, 1, 2, 3} <= set(hops) <= {0, 1, 2, 3, 4}
    assert 0.05 < hops.count(0) / len(hops) < 0.5
    assert 0.25 < hops.count(1) / len(hops) < 0.7


def test_every_told_path_is_one_of_the_graph_and_simple(graph, queries) -> None:
    for query in queries:
        for path in query.paths:
            assert (path[0], path[-1]) == (query.head, query.tail)
            assert len(set(path[::2])) == len(path) // 2 + 1
            for one, relation, other in zip(path[::2], path[1::2], path[2::2], strict=False):
                head, tail = (other, one) if relation.startswith("^") else (one, other)
                found = graph.neighbours(head, relation.removeprefix("^"), "out")
                assert tail in {edge.tail.iri for edge in found}


def test_both_ends_are_named_in_the_text(graph, queries) -> None:
    for query in queries:
        for iri in (query.head, query.tail):
            name = without_qualifier(graph.entity(iri).label).partition(",")[0]
            assert fold(name) in fold(query.document), (iri, query.document)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_every_fact_of_a_told_path_is_told_and_an_untold_pair_misses_one(graph, seed: int) -> None:
    trees = Trees(graph, Things(graph))
    text = _TextQuestions(trees, np.random.default_rng(seed), seed)
    told = {
        (graph.entity(f.head).iri, graph.store.relations[f.relation].iri, graph.entity(f.tail).iri)
        for f in text.facts
    }
    for query in text.all():
        for path in query.paths:
            for one, relation, other in zip(path[::2], path[1::2], path[2::2], strict=False):
                bare = relation.removeprefix("^")
                assert ((other, bare, one) if bare != relation else (one, bare, other)) in told
        if not query.told:
            reached = {query.head}
            for _ in range(8):
                reached |= {t for h, _, t in told if h in reached}
                reached |= {h for h, _, t in told if t in reached}
            assert query.tail not in reached


def test_texts_are_sentences(queries) -> None:
    for query in queries:
        assert "{" not in query.document
        assert ",," not in query.document
        assert query.document[-1] in ".?"
        assert query.document[0] == query.document[0].upper()


def test_a_graph_that_no_sentence_could_tell_is_refused(build_graph) -> None:
    with build_graph("ex:a ex:title ex:b .") as kg, pytest.raises(BadSource) as refused:
        next(told_questions(kg, 1))
    assert "has no relation that a sentence could tell." in str(refused.value)


def test_nothing_is_made_before_it_is_asked_for(graph) -> None:
    assert len(list(islice(told_questions(graph, 10**9), 5))) == 5
