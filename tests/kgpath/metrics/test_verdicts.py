"""Verdicts on told and untold questions, worked out by hand."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.metrics.verdicts import (
    JudgedVerdict,
    figures_of,
    reliability_of,
    share_from,
    threshold_keeping,
)

TOLD = [
    JudgedVerdict(0.9, "relevant", True, True, "a"),
    JudgedVerdict(0.6, "relevant", True, False, "a"),
    JudgedVerdict(0.3, "doubtful", True, True, "b"),
    JudgedVerdict(0.0, "none", True, False, "b"),
]
UNTOLD = [
    JudgedVerdict(0.6, "relevant", False, group="b"),
    JudgedVerdict(0.3, "doubtful", False, group="c"),
    JudgedVerdict(0.1, "none", False, group="c"),
    JudgedVerdict(0.0, "none", False),
]


def test_figures_by_hand() -> None:
    found = figures_of([*UNTOLD, *TOLD])
    assert (found.told, found.untold) == (4, 4)
    # 0.9 is above all; 0.6 ties with one; 0.3 ties with one and is above two; 0 ties with one.
    assert found.auc.mean == (4 + 3.5 + 2.5 + 0.5) / 16
    assert found.auc.low <= found.auc.mean <= found.auc.high
    assert (found.told_relevant, found.untold_relevant, found.untold_doubtful) == (0.5, 0.25, 0.25)
    # By bins: 0 with 0; 0.1 with 0; 0.3 with one of two; 0.6 with none of two; 0.9 with one.
    error = (0 + 0.1 + 2 * 0.2 + 2 * 0.6 + 0.1) / 8
    assert found.calibration_error == pytest.approx(error)
    assert (found.threshold, found.untold_kept) == (0, 1)  # 90 % of four are all four
    assert [one.cases for one in reliability_of(TOLD)] == [1, 0, 0, 1, 0, 0, 1, 0, 0, 1]


def test_without_untold_questions_only_the_calibration_error_can_be_given() -> None:
    found = figures_of(TOLD)
    assert found.calibration_error == pytest.approx((0 + 0.7 + 0.6 + 0.1) / 4)
    assert found.told_relevant == 0.5
    missing = (found.auc.mean, found.untold_relevant, found.untold_doubtful, found.untold_kept)
    assert all(map(isnan, missing))


def test_without_told_questions_there_is_no_auc() -> None:
    found = figures_of(UNTOLD)
    assert (found.untold_relevant, found.untold_doubtful) == (0.25, 0.25)
    missing = (found.auc.mean, found.told_relevant, found.threshold, found.untold_kept)
    assert all(map(isnan, missing))
    assert isnan(figures_of([]).calibration_error)


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0.01, 1))
def test_the_threshold_keeps_what_was_asked_and_no_higher_one_does(
    numbers: list[float], kept: float
) -> None:
    threshold = threshold_keeping(numbers, kept)
    assert share_from(threshold, numbers) >= kept - 1e-9
    higher = [number for number in numbers if number > threshold]
    assert not higher or share_from(min(higher), numbers) < kept


def test_nine_of_ten_are_nine_though_a_tenth_cannot_be_written() -> None:
    tens = [n / 10 for n in range(1, 11)]
    assert threshold_keeping(tens, 0.9) == 0.2
    assert threshold_keeping(tens, 0.7) == 0.4
