"""Runs as a whole: every query counts, means, plain data, and the word of ir-measures."""

from __future__ import annotations

import json
import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import UnknownName
from kgpath.metrics import JudgedRanking, by_chance, evaluate

RUN = [
    JudgedRanking("first", (3, 2, 1), (0,), group="d1"),
    JudgedRanking("third", (3, 2, 1), (2,), group="d1"),
    JudgedRanking("alone", (0,), (0,), group="d2"),
    JudgedRanking("not found", (2, 1), missing=1),
    JudgedRanking("nothing", (), missing=1),
]


def test_every_query_counts() -> None:
    results = evaluate(RUN, ["MRR", "Hits@1", "Hits@3", "Recall"])
    assert results["MRR"] == (1, 1 / 3, 1, 0, 0)
    assert results["Hits@1"] == (1, 0, 1, 0, 0)
    assert results["Hits@3"] == (1, 1, 1, 0, 0)
    assert results.means() == pytest.approx(
        {"MRR": 7 / 15, "Hits@1": 2 / 5, "Hits@3": 3 / 5, "Recall": 3 / 5}
    )


def test_queries_with_a_choice_are_shown_apart() -> None:
    choice = evaluate(RUN, ["MRR"]).with_choice()
    assert choice.queries == ("first", "third", "not found")
    assert (choice.groups, choice.candidates) == (("d1", "d1", ""), (3, 3, 2))
    assert choice.means() == pytest.approx({"MRR": 4 / 9})


def test_recall_is_a_share_of_the_true_paths() -> None:
    assert evaluate([JudgedRanking("q", (2, 1), (0,), missing=3)], ["Recall"])["Recall"] == (0.25,)


def test_the_random_row_is_the_mean_over_queries() -> None:
    # Not k / mean(n), which the paper prints: (1/2 + 1/8) / 2 is more than 1/5.
    run = [by_chance(JudgedRanking(str(n), tuple(range(n)), (0,))) for n in (2, 8)]
    assert evaluate(run, ["Hits@1"]).means() == {"Hits@1": 5 / 16}


def test_results_are_plain_data() -> None:
    results = evaluate(RUN, ["MRR", "Recall"])
    rows = json.loads(json.dumps(list(results.rows())))
    assert rows[0] == {"query": "first", "group": "d1", "candidates": 3, "MRR": 1, "Recall": 1}
    assert rows[4] == {"query": "nothing", "candidates": 0, "MRR": 0, "Recall": 0}
    assert json.loads(json.dumps(results.to_json())) == {
        "queries": 5,
        "means": pytest.approx({"MRR": 7 / 15, "Recall": 3 / 5}),
        "with_choice": {"queries": 3, "means": pytest.approx({"MRR": 4 / 9, "Recall": 2 / 3})},
    }
    assert results == evaluate(RUN, ["MRR", "Recall"])


def test_the_means_of_no_queries() -> None:
    results = evaluate([], ["MRR"])
    assert math.isnan(results.means()["MRR"])
    assert results.to_json()["means"] == {"MRR": None}


def test_a_metric_that_was_not_evaluated_is_named() -> None:
    with pytest.raises(UnknownName, match=r"Hits@9 was not evaluated; these were: MRR, Hits@1\."):
        evaluate(RUN, ["MRR", "Hits@1"])["Hits@9"]


@st.composite
def without_ties(draw: st.DrawFn) -> list[JudgedRanking]:
    run = []
    for number in range(draw(st.integers(1, 5))):
        scores = draw(st.lists(st.integers(0, 50), unique=True, max_size=12))
        true = [place for place in range(len(scores)) if draw(st.integers(0, 3)) == 0]
        run.append(JudgedRanking(f"q{number}", tuple(scores), tuple(true), missing=not true))
    return run


@given(without_ties())
def test_ir_measures_agrees_where_nothing_ties(run: list[JudgedRanking]) -> None:
    theirs = {
        "MRR": ir_measures.RR,
        "Hits@1": ir_measures.Success @ 1,
        "Hits@3": ir_measures.Success @ 3,
        "Hits@5": ir_measures.Success @ 5,
    }
    judgements = [
        ir_measures.Qrel(query.query, f"c{place}", 1)
        for query in run
        for place in (query.true or [-1])  # a true path that was not found
    ]
    ranked = [
        ir_measures.ScoredDoc(query.query, f"c{place}", score)
        for query in run
        for place, score in enumerate(query.scores)
    ]
    ours = evaluate(run, theirs)
    for metric in ir_measures.iter_calc(list(theirs.values()), judgements, ranked):
        name = next(name for name, measure in theirs.items() if measure == metric.measure)
        place = ours.queries.index(metric.query_id)
        assert ours[name][place] == pytest.approx(metric.value)
    whole = ir_measures.calc_aggregate(list(theirs.values()), judgements, ranked)
    assert ours.means() == pytest.approx({name: whole[m] for name, m in theirs.items()})
