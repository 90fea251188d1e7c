"""What holds for every metric: name, range, direction, the perfect run, the empty run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kgpath.errors import BadOption, UnknownName
from kgpath.metrics import (
    MRR,
    NGEO,
    PED,
    Evaluation,
    Evidence,
    Hits,
    JudgedRanking,
    Metric,
    OntologyPaths,
    Overlap,
    Recall,
    evaluate,
    judge,
    parse,
)
from kgpath.plugins import METRICS
from kgpath.registry import Entry
from kgpath.types import Path

MakePath = Callable[..., Path]
# Each registered metric, by an example of it.
CASES: dict[str, Metric] = {
    "MRR": MRR(),
    "Hits@k": Hits(3),
    "Recall": Recall(),
    "NGEO(Ent)": NGEO("Ent"),
    "NGEO(Rel)": NGEO("Rel"),
    "NGEO(full)": NGEO("full"),
    "PED": PED(),
    "Evidence(P)": Evidence("P"),
    "Evidence(R)": Evidence("R"),
    "Evidence(F1)": Evidence("F1"),
}
LOWER_IS_BETTER = {"NGEO(Ent)", "NGEO(Rel)", "NGEO(full)", "PED"}
NAMES = "abcd"
every_metric = pytest.mark.parametrize("metric", CASES.values(), ids=str)
#: Those that read nothing but the ranking, so that every query has a figure.
of_rankings = pytest.mark.parametrize(
    "metric", [metric for metric in CASES.values() if metric.every_query], ids=str
)


def encode(paths: Sequence[Path]) -> NDArray[np.float64]:
    """How often each letter occurs, less a half: angles of all kinds."""
    return np.array([["".join(p.iris()).count(letter) - 0.5 for letter in "abcdrs"] for p in paths])


def values(metric: Metric, run: Sequence[JudgedRanking]) -> tuple[float, ...]:
    ontology = OntologyPaths.from_dicts({"a": ["A"], "b": ["A"]}, {"A": ["B"]})
    return evaluate(run, [metric], ontology=ontology, encoder=encode)[metric]


def candidates(path: MakePath) -> list[Path]:
    return [path("a", relation, end) for relation in ("r", "^r", "s") for end in NAMES]


@st.composite
def runs(draw: st.DrawFn, path: MakePath) -> list[JudgedRanking]:
    """Some queries with any candidates, scores and truths, found or not."""
    paths = candidates(path)
    some = st.lists(st.sampled_from(range(len(paths))), unique=True, max_size=5)
    run = []
    for name in "123"[: draw(st.integers(1, 3))]:
        chosen, truths = draw(some), draw(some.filter(bool))
        scores = [draw(st.sampled_from([0.0, 0.5, 1.0])) for _ in chosen]
        run.append(judge(name, [paths[at] for at in chosen], scores, [paths[at] for at in truths]))
    return run


def test_every_registered_metric_is_tested_here() -> None:
    assert {entry.name for entry in METRICS if entry.target.startswith("kgpath.")} == set(CASES)


@pytest.mark.parametrize("entry", list(METRICS), ids=lambda entry: entry.name)
def test_every_metric_has_a_line_for_the_user(entry: Entry) -> None:
    assert entry.line
    assert METRICS.load(entry.name).__doc__


@every_metric
def test_it_prints_parses_compares_and_hashes(metric: Metric) -> None:
    again = parse(str(metric))
    assert again == metric
    assert again is not metric
    assert hash(again) == hash(metric)
    assert parse(f" {metric} ") == parse(metric) == metric
    assert len({*CASES.values(), again}) == len(CASES)


@pytest.mark.parametrize(
    "metric", [metric for metric in CASES.values() if not metric.every_query], ids=str
)
def test_where_not_every_query_has_a_figure_it_is_no_number_and_in_range_elsewhere(
    metric: Metric, path: MakePath
) -> None:
    (bare,) = values(metric, [judge("q", [path("a", "r", "b")], [1], [path("a", "r", "b")])])
    assert isnan(bare)
    overlaps = [Overlap(0, 3, 2), Overlap(1, 3, 2), Overlap(2, 2, 2)]
    run = [JudgedRanking("q", (1,), (0,), evidence=overlap) for overlap in overlaps]
    worst, between, best = values(metric, run)
    assert (worst, best) == (metric.worst, metric.best)
    assert metric.lowest < between < metric.highest


@of_rankings
def test_it_knows_which_way_is_better(metric: Metric, path: MakePath) -> None:
    assert metric.higher_is_better == (str(metric) not in LOWER_IS_BETTER)
    assert (metric.lowest, metric.highest) == (0, 1)
    assert {metric.best, metric.worst} == {metric.lowest, metric.highest}
    truth, other = path("a", "r", "b"), path("a", "s", "c", "s", "d", "s", "b")
    perfect, poor = judge("1", [truth], [1], [truth]), judge("2", [other], [1], [truth])
    good, bad = values(metric, [perfect, poor])
    assert good > bad if metric.higher_is_better else good < bad


@of_rankings
def test_a_perfect_run_has_the_best_value(metric: Metric, path: MakePath) -> None:
    paths = candidates(path)
    run = [
        judge("one", paths, range(len(paths), 0, -1), paths[:1]),
        judge("alone", paths[2:3], [0], paths[2:3]),
        judge("two true", paths, [-at for at in range(len(paths))], paths[:2]),
        judge("all true, all tied", paths, [1] * len(paths), paths),
    ]
    assert values(metric, run) == (metric.best,) * 4


@of_rankings
def test_without_candidates_it_has_the_worst_value(metric: Metric, path: MakePath) -> None:
    assert values(metric, [judge("q", [], [], [path("a", "r", "b")])]) == (metric.worst,)
    assert values(metric, [JudgedRanking("q", (), missing=1)]) == (metric.worst,)


@every_metric
def test_a_run_without_queries_has_no_values(metric: Metric) -> None:
    assert values(metric, []) == ()


@of_rankings
@settings(max_examples=25)
@given(data=st.data())
def test_it_stays_in_its_range_and_a_batch_equals_one_by_one(
    metric: Metric, path: MakePath, data: st.DataObject
) -> None:
    run = data.draw(runs(path))
    together = values(metric, run)
    assert all(metric.lowest <= value <= metric.highest for value in together)
    assert together == pytest.approx([values(metric, [query])[0] for query in run], abs=1e-12)


@of_rankings
@settings(max_examples=25)
@given(data=st.data())
def test_the_order_of_the_candidates_makes_no_difference(
    metric: Metric, path: MakePath, data: st.DataObject
) -> None:
    (query, *_) = data.draw(runs(path))
    order = data.draw(st.permutations(range(len(query.scores))))
    shuffled = judge(
        "q", [query.paths[at] for at in order], [query.scores[at] for at in order], query.truths
    )
    assert values(metric, [shuffled]) == pytest.approx(values(metric, [query]), abs=1e-12)


@of_rankings
@settings(max_examples=25)
@given(data=st.data())
def test_a_better_score_for_a_true_path_never_harms(
    metric: Metric, path: MakePath, data: st.DataObject
) -> None:
    (query, *_) = data.draw(runs(path).filter(lambda run: bool(run[0].true)))
    place = data.draw(st.sampled_from(query.true))
    more = data.draw(st.sampled_from([0.5, 1.0, 2.0]))
    scores = [score + more * (at == place) for at, score in enumerate(query.scores)]
    before, after = values(metric, [query, judge("better", query.paths, scores, query.truths)])
    gain = after - before if metric.higher_is_better else before - after
    assert gain >= -1e-12


@pytest.mark.parametrize(
    "name", ["mrr", "MRR@5", "Hits", "Hits@", "NGEO", "NGEO(Foo)", "PED()", ""]
)
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    evidence = r"Evidence\(F1\), Evidence\(P\), Evidence\(R\)"
    known = (
        rf"Known: {evidence}, Hits@k, MRR, NGEO\(Ent\), NGEO\(Rel\), NGEO\(full\), PED, Recall\."
    )
    with pytest.raises(UnknownName, match=known):
        parse(name)


def test_a_k_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadOption, match="no Hits@0; k is 1 or more"):
        parse("Hits@0")
    with pytest.raises(
        BadOption, match="Hits@k stands for many metrics: say which k, as in Hits@5"
    ):
        parse("Hits@k")


def test_metrics_are_keys_of_the_results() -> None:
    results = evaluate([JudgedRanking("q", (1,), (0,))], ["MRR", Hits(1), "Hits@5"])
    assert isinstance(results, Evaluation)
    assert list(results.values) == [MRR(), Hits(1), Hits(5)]
