"""The table of several runs: means, intervals, differences and verdicts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import kgpath
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.learning.judge import Run
from kgpath.learning.report import as_json


@pytest.fixture
def runs(sample: kgpath.Graph, queries: list[Query]) -> Sequence[Run]:
    evaluator = Evaluator(sample, queries, limit=60)
    return evaluator.run(make_rankers(["random", "zero-shot", "shortest"]))


def test_the_report_has_means_intervals_and_the_difference_to_the_best(
    runs: Sequence[Run],
) -> None:
    data = as_json(runs)
    assert (data["queries"], data["documents"], data["single"]) == (18, 14, 0)
    assert data["candidates"] == 60
    rows = {row["ranker"]: row for row in data["rankers"]}
    assert list(rows) == ["random", "zero-shot", "shortest"]
    for row in rows.values():
        for metric, (low, high) in row["interval"].items():
            assert low <= row["all"][metric] <= high
        assert row["with_choice"] == row["all"]
        assert set(row["entities"]) == {"MRR", "Hits@1"}
    assert rows["zero-shot"]["difference"] is None
    for name in ("random", "shortest"):
        difference = rows[name]["difference"]
        assert (difference["to"], difference["metric"]) == ("zero-shot", "MRR")
        assert difference["mean"] == pytest.approx(
            rows[name]["all"]["MRR"] - rows["zero-shot"]["all"]["MRR"]
        )
        assert difference["low"] <= difference["mean"] <= difference["high"] < 0
        assert 0 < difference["p"] < 0.01
    assert as_json(runs) == data


def test_the_report_says_how_often_a_verdict_was_right(runs: Sequence[Run]) -> None:
    for row, run in zip(as_json(runs)["rankers"], runs, strict=True):
        verdicts = row["verdicts"]
        assert set(verdicts) == set(run.verdicts) <= {"relevant", "doubtful", "none"}
        assert sum(verdict["queries"] for verdict in verdicts.values()) == 18
        right = sum(verdict["queries"] * verdict["Hits@1"] for verdict in verdicts.values())
        assert right / 18 == pytest.approx(row["all"]["Hits@1"])


def test_where_less_is_better_the_best_is_the_least(
    sample: kgpath.Graph, queries: list[Query]
) -> None:
    evaluator = Evaluator(sample, queries[:6], limit=30, metrics=["NGEO(Ent)"])
    random, best = as_json(evaluator.run(make_rankers(["random", "zero-shot"])))["rankers"]
    assert best["all"]["NGEO(Ent)"] < random["all"]["NGEO(Ent)"]
    assert best["difference"] is None and random["difference"]["mean"] > 0
    assert all(set(verdict) == {"queries"} for verdict in best["verdicts"].values())
