"""Two runs compared: intervals and p by hand, by enumeration and by simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import BadOption, UnknownName
from kgpath.metrics import Evaluation, Interval, bootstrap, compare, parse, randomisation_test

numbers = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=8)


def results(values: list[float], metric: str = "MRR", groups: str = "") -> Evaluation:
    names = tuple(map(str, range(len(values))))
    owners = tuple(groups) or ("",) * len(values)
    return Evaluation(names, owners, (2,) * len(values), {parse(metric): tuple(values)})


def test_the_interval_of_a_coin() -> None:
    interval = bootstrap([0.0, 1.0] * 200, resamples=2000)
    assert interval.mean == 0.5
    # 1.96 standard errors of 0.5 / sqrt(400) = 0.025 to each side
    assert interval.low == pytest.approx(0.451, abs=0.006)
    assert interval.high == pytest.approx(0.549, abs=0.006)
    narrow = bootstrap([0.0, 1.0] * 200, resamples=2000, level=0.5)
    assert interval.low < narrow.low < narrow.high < interval.high


def test_one_value_leaves_no_doubt() -> None:
    assert bootstrap([0.25]) == (0.25, 0.25, 0.25)
    assert bootstrap([0.25] * 8) == (0.25, 0.25, 0.25)


def test_the_seed_decides() -> None:
    values = np.random.default_rng(1).random(50)
    assert bootstrap(values, seed=3) == bootstrap(values, seed=3)
    assert bootstrap(values, seed=3) != bootstrap(values, seed=4)


def test_many_values_are_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random(50) - 0.4
    whole = bootstrap(values), randomisation_test(values)
    monkeypatch.setattr("kgpath.metrics.comparison._BLOCK", 300)
    assert (bootstrap(values), randomisation_test(values)) == whole


def test_groups_are_drawn_whole() -> None:
    # Two documents, one all right, one all wrong: by group the mean can be 0, 1/2 or 1.
    values, groups = [1.0] * 50 + [0.0] * 50, ["a"] * 50 + ["b"] * 50
    assert bootstrap(values, groups) == (0.5, 0.0, 1.0)
    alone = bootstrap(values)
    assert 0.35 < alone.low < alone.high < 0.65
    assert bootstrap(values, [""] * 100) == alone  # no group: each for itself


def test_groups_of_different_size_are_weighed_by_it() -> None:
    interval = bootstrap([1.0, 1.0, 1.0, 0.0], ["a", "a", "a", "b"], resamples=500)
    assert interval == (0.75, 0.0, 1.0)


@given(numbers)
def test_the_interval_holds_what_can_be_drawn(values: list[float]) -> None:
    interval = bootstrap(values, resamples=200)
    assert interval.mean == pytest.approx(sum(values) / len(values))
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12


@pytest.mark.parametrize(
    ("interval", "clear"),
    [((1, 0.5, 2), True), ((-1, -2, -0.5), True), ((1, 0, 2), False), ((0, -1, 1), False)],
)
def test_clear_of_zero(interval: tuple[float, float, float], clear: bool) -> None:
    assert Interval(*interval).clear_of_zero == clear


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([0.5], 1.0),
        ([1.0, 1.0], 2 / 4),
        ([1.0] * 5, 2 / 32),
        ([1.0] * 5 + [0.0] * 100, 2 / 32),  # equal queries say nothing
        ([3.0, -1.0], 1.0),
        ([2.0, 1.0, 1.0], 2 / 8),
        ([0.6, 0.5, -0.5], 6 / 8),  # 0.6 four times, but for rounding
        ([0.0, 0.0], 1.0),
    ],
)
def test_the_randomisation_test_by_hand(differences: list[float], p: float) -> None:
    assert randomisation_test(differences) == p
    assert randomisation_test([-d for d in differences]) == p


@given(numbers)
def test_it_is_exact_for_few_queries(values: list[float]) -> None:
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]
    expected = sum(total >= abs(sum(values)) - 1e-9 for total in sums) / len(sums)
    assert randomisation_test(values) == pytest.approx(expected)


def test_the_sample_of_signs_is_near_the_exact_value(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).normal(0.4, 1, 14)
    exact = randomisation_test(values)
    monkeypatch.setattr("kgpath.metrics.comparison.EXACT", 0)
    sampled = randomisation_test(values, resamples=20_000)
    assert 0.01 < exact < 0.9
    assert sampled == pytest.approx(exact, abs=0.015)
    assert sampled == randomisation_test(values, resamples=20_000)
    assert sampled != randomisation_test(values, resamples=20_000, seed=1)


def test_with_many_queries_p_is_never_zero() -> None:
    assert randomisation_test([1.0] * 100, resamples=999) == 1 / 1000


def test_groups_change_sign_together() -> None:
    assert randomisation_test([1.0] * 6) == 2 / 64
    assert randomisation_test([1.0] * 6, list("aaabbb")) == 2 / 4


def test_comparing_two_runs() -> None:
    good, bad = [1.0, 0.5] * 20, [0.25, 0.5] * 20
    comparison = compare(results(good), results(bad), "MRR")
    assert (comparison.first, comparison.second) == (0.75, 0.375)
    assert comparison.difference.mean == 0.375
    assert comparison.difference.clear_of_zero
    assert comparison.p < 0.001
    assert comparison.winner == "first"
    assert compare(results(bad), results(good), "MRR").winner == "second"
    assert compare(results(good), results(good), "MRR").winner == ""
    assert compare(results(good), results(good), "MRR").p == 1


def test_of_a_distance_the_smaller_wins() -> None:
    near, far = results([0.1] * 9, "NGEO(Ent)"), results([0.9] * 9, "NGEO(Ent)")
    assert compare(near, far, "NGEO(Ent)").winner == "first"


def test_by_group_the_same_figures_say_less() -> None:
    good, bad = results([1.0] * 8, groups="aaaabbbb"), results([0.0] * 8, groups="aaaabbbb")
    assert compare(good, bad, "MRR").p == 2 / 256
    assert compare(good, bad, "MRR", by_group=True).p == 2 / 4


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(BadOption, match=r"different queries \(1 and 2\)"):
        compare(results([1.0]), results([1.0, 0.0]), "MRR")
    with pytest.raises(UnknownName, match="Hits@1 was not evaluated"):
        compare(results([1.0]), results([1.0]), "Hits@1")
    with pytest.raises(BadOption, match="no queries"):
        compare(results([]), results([]), "MRR")
    with pytest.raises(BadOption, match="2 values, but 1 groups"):
        bootstrap([1.0, 2.0], ["a"])
    with pytest.raises(BadOption, match="resamples is 0"):
        randomisation_test([1.0], resamples=0)
    with pytest.raises(BadOption, match="level is 95"):
        bootstrap([1.0], level=95)
