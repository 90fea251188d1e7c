"""Candidates of queries, found or given, and what can be learned from."""

from __future__ import annotations

import pytest
from square_queries import DIRECT, EX, OVER_C, OVER_D, SQUARE, given, query

from kgpath.errors import BadOption
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.examples import QuerySet
from kgpath.paths.finder import PathOptions
from kgpath.rankers.shortest import Shortest
from kgpath.rankers.zero_shot import ZeroShot


def test_nothing_is_learned_from_a_query_without_a_true_candidate(build_graph) -> None:
    queries = [query(OVER_C), query(OVER_D), query("a q b"), query("a r nobody"), query(DIRECT)]
    query_set = QuerySet(build_graph(SQUARE), queries, options=PathOptions(2))
    examples = list(query_set.examples([4, 3, 2, 1, 0]))
    paths = [[str(e.features.candidates[at]) for at in e.true] for e in examples]
    assert paths == [["a –r→ b"], ["a –p→ c –p→ b"]]
    assert len({example.group for example in examples}) == 1  # one text


def test_given_candidates_are_ranked_as_they_are(build_graph) -> None:
    graph = build_graph(SQUARE)
    evaluator = Evaluator(graph, [given(OVER_D, OVER_C)], candidates="given")
    (run,) = evaluator.run({"shortest": Shortest()})
    (row,) = run.rows()
    # Found in the graph it would be third, after the two direct relations.
    assert (row["candidates"], row["MRR"], row["Recall"]) == (2, 1, 1)
    assert evaluator.notes == []


def test_a_given_candidate_that_is_not_in_the_graph_is_left_out_and_said(build_graph) -> None:
    graph = build_graph(SQUARE)
    queries = [given(OVER_C, OVER_D, "a p b", "a r x r b", OVER_C)]
    evaluator = Evaluator(graph, queries, candidates="given")
    runs = evaluator.run({"shortest": Shortest(), "zero-shot": ZeroShot()})
    assert [next(run.rows())["candidates"] for run in runs] == [2, 2]
    assert evaluator.notes == ["q (line 3): a candidate is not in the graph. It is left out."]


def test_a_true_path_that_is_not_given_is_missed(build_graph) -> None:
    evaluator = Evaluator(build_graph(SQUARE), [given(OVER_D)], candidates="given")
    (run,) = evaluator.run({"shortest": Shortest()})
    assert next(run.rows())["MRR"] == 0


def test_candidates_must_be_given_to_be_used(build_graph) -> None:
    graph = build_graph(SQUARE)
    with pytest.raises(BadOption, match=r"q brings no candidates. Leave out --candidates given"):
        Evaluator(graph, [query(OVER_C)], candidates="given")
    with pytest.raises(BadOption, match="it can be found or given"):
        Evaluator(graph, [query(OVER_C)], candidates="best")


def test_examples_are_made_again_each_time_and_counted(build_graph) -> None:
    reported: list[tuple[str, int, int]] = []
    query_set = QuerySet(build_graph(SQUARE), [query(OVER_C), query("a q b")])
    examples = query_set.examples(progress=lambda *what: reported.append(what))
    one, again = list(examples), list(examples)
    assert [example.true for example in one] == [example.true for example in again]
    assert one[0].features is not again[0].features
    assert examples.count == 1  # the other one has no true candidate
    assert reported[:3] == [
        ("reading queries", 0, 2),
        ("reading queries", 1, 2),
        ("learning", 0, 0),
    ]


def test_untold_questions_are_learned_from_only_where_a_ranker_asks_for_them(build_graph) -> None:
    untold = Query("u", EX + "a", EX + "b", "Another text.")
    nothing = Query("none", EX + "b", EX + "d", "Another text.")
    lost = query("a q b", name="lost")  # told, but not among the candidates
    queries = [query(OVER_C), untold, nothing, lost]
    query_set = QuerySet(build_graph(SQUARE), queries, options=PathOptions(1))
    assert [len(e.true) for e in query_set.examples()] == []
    query_set = QuerySet(build_graph(SQUARE), queries, options=PathOptions(2))
    assert [len(e.true) for e in query_set.examples()] == [1]
    both = list(query_set.examples(untold=True))
    assert [(len(e.true), len(e.features.candidates)) for e in both][:2] == [(1, 3), (0, 3)]
    assert query_set.notes == ["lost: the true path is not in the graph. It counts as missed."]
    evaluator = Evaluator(build_graph("ex:a ex:r ex:c ."), [untold])
    assert evaluator.notes[0].endswith("It counts as none.")
