"""Asking with a text on the real graph: figures that must not fall, and symmetry."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgpath
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.evaluate import Evaluator, make_rankers


@pytest.fixture(scope="module")
def queries(real_data: Path) -> list[Query]:
    # The training part: the other one is for reporting.
    return QueryFile(real_data / "cpr" / "webnlg-train.jsonl.gz").queries[::37]


def test_zero_shot_finds_and_ranks_the_true_paths(
    dbpedia: kgpath.Graph, queries: list[Query]
) -> None:
    evaluator = Evaluator(dbpedia, queries)
    assert evaluator.notes == []
    shortest, zero_shot = evaluator.run(make_rankers(["shortest", "zero-shot"]))
    means = zero_shot.paths.means()
    assert means["Recall"] >= 0.98
    assert means["MRR"] >= 0.78
    assert means["MRR"] > shortest.paths.means()["MRR"] + 0.1
    assert zero_shot.entities.means()["MRR"] >= 0.88


def test_swapping_the_ends_gives_the_same_answers_reversed(
    dbpedia: kgpath.Graph, queries: list[Query]
) -> None:
    for query in queries[::5]:
        one = dbpedia.query(query.head, query.tail, query.document, k=10)
        other = dbpedia.query(query.tail, query.head, query.document, k=10)
        assert [answer.path for answer in one] == [answer.path.reversed() for answer in other]
        assert [answer.score for answer in one] == [answer.score for answer in other]
        assert [answer.support for answer in one] == [answer.support for answer in other]


def test_a_text_about_something_else_does_not_explain_a_pair(
    dbpedia: kgpath.Graph, queries: list[Query]
) -> None:
    verdicts = [
        dbpedia.query(query.head, query.tail, "It rained all day in the village.").verdict
        for query in queries[::10]
    ]
    assert set(verdicts) == {"none"}
