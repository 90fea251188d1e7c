"""Evidence of first paths, and what a run makes of queries that have none."""

from __future__ import annotations

import json
from math import isnan, nan

import pytest
from sklearn.metrics import precision_recall_fscore_support

from kgpath.errors import UnknownName
from kgpath.metrics import Evidence, JudgedRanking, Overlap, compare, evaluate

NAMES = ["Evidence(P)", "Evidence(R)", "Evidence(F1)"]


def ranking(name: str, evidence: Overlap | None, group: str = "") -> JudgedRanking:
    return JudgedRanking(name, (1.0,), (0,), evidence=evidence, group=group)


def test_precision_recall_and_f1_of_the_sentences_of_the_first_path() -> None:
    run = [ranking("q", Overlap(common=1, shown=2, named=4))]
    assert evaluate(run, NAMES).means() == pytest.approx(
        {"Evidence(P)": 1 / 2, "Evidence(R)": 1 / 4, "Evidence(F1)": 1 / 3}
    )
    nothing = evaluate([ranking("q", Overlap(0, 0, 2))], NAMES).means()
    assert set(nothing.values()) == {0}
    with pytest.raises(UnknownName, match=r"^No Evidence\(F2\)\. Known: Evidence\(P\), Evid"):
        Evidence("F2")


def test_scikit_learn_agrees_on_two_sets() -> None:
    shown, named = {0, 3, 4}, {3, 4, 5, 6}
    theirs = precision_recall_fscore_support(
        [n in named for n in range(8)], [n in shown for n in range(8)], average="binary"
    )
    found = Overlap.of(shown, named)
    assert (found.precision, found.recall, found.f1) == pytest.approx(theirs[:3])
    assert Overlap.sum([]) == Overlap() == (0, 0, 0)
    assert Overlap.sum([found, found]) == (4, 6, 8)


def test_queries_without_evidence_have_no_figure_and_are_left_out_of_the_mean() -> None:
    queries = [
        ranking("a", Overlap(1, 1, 1), "x"),
        ranking("b", None, "y"),
        ranking("c", Overlap()),
    ]
    found = evaluate(queries, ["MRR", "Evidence(F1)"])
    assert found["Evidence(F1)"] == pytest.approx((1, nan, nan), nan_ok=True)
    assert found.means() == {"MRR": 1, "Evidence(F1)": 1}
    assert found.figures("Evidence(F1)") == ([1], ["x"])
    assert [row["Evidence(F1)"] for row in found.rows()] == [1, None, None]
    none = evaluate(queries[1:], ["Evidence(F1)"])
    assert isnan(none.means()["Evidence(F1)"])
    assert json.dumps(none.to_json(), allow_nan=False)


def test_two_runs_are_compared_on_the_queries_that_have_a_figure_in_both() -> None:
    half, whole = Overlap(1, 2, 2), Overlap(2, 2, 2)
    one = evaluate([ranking("a", half), ranking("b", whole), ranking("c", None)], NAMES)
    two = evaluate([ranking("a", whole), ranking("b", None), ranking("c", whole)], NAMES)
    compared = compare(one, two, "Evidence(F1)", by_group=True)
    assert (compared.first, compared.second, compared.difference.mean) == (0.5, 1, -0.5)
