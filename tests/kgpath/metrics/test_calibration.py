"""Reliability and calibration error by hand, by scikit-learn, and what must hold for any cases."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from kgpath.errors import BadOption
from kgpath.metrics.calibration import expected_calibration_error, reliability

#: Not on an edge between bins, where scikit-learn has the upper bin closed and we the lower.
inside = st.floats(0, 1).filter(lambda p: abs(p * 10 - round(p * 10)) > 1e-9)
cases = st.lists(st.tuples(inside, st.booleans()), min_size=1, max_size=40)


def test_by_hand() -> None:
    sure, right = [0.05, 0.15, 0.95, 0.93, 1.0], [False, True, True, True, False]
    bins = reliability(sure, right)
    assert [one.cases for one in bins] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert (bins[0].low, bins[0].high, bins[9].high) == (0, 0.1, 1)
    assert bins[9].probability == pytest.approx(0.96) and bins[9].right == pytest.approx(2 / 3)
    assert isnan(bins[4].probability) and isnan(bins[4].right)
    error = (0.05 + 0.85 + 3 * (0.96 - 2 / 3)) / 5
    assert expected_calibration_error(sure, right) == pytest.approx(error)


def test_an_edge_belongs_to_the_bin_above_it() -> None:
    at_edges = reliability([0.0, 0.1, 0.3, 0.6, 0.7, 1.0], [True] * 6)
    assert [one.cases for one in at_edges] == [1, 1, 0, 1, 0, 0, 1, 1, 0, 1]


@given(cases)
def test_scikit_learn_draws_the_same_curve(drawn: list[tuple[float, bool]]) -> None:
    sure, right = [p for p, _ in drawn], [true for _, true in drawn]
    # It asks for both kinds; a case in a bin of its own is taken out again below.
    filled = [one for one in reliability([*sure, 0.999, 0.001], [*right, True, False]) if one.cases]
    theirs = calibration_curve([*right, True, False], [*sure, 0.999, 0.001], n_bins=10)
    assert [one.right for one in filled] == pytest.approx(theirs[0].tolist())
    assert [one.probability for one in filled] == pytest.approx(theirs[1].tolist())


@given(cases, st.integers(1, 20))
def test_the_error_is_between_0_and_1(drawn: list[tuple[float, bool]], bins: int) -> None:
    sure, right = [p for p, _ in drawn], [true for _, true in drawn]
    assert 0 <= expected_calibration_error(sure, right, bins) <= 1
    assert sum(one.cases for one in reliability(sure, right, bins)) == len(drawn)


@given(st.dictionaries(st.integers(0, 4), st.integers(1, 5)))
def test_perfect_calibration_has_no_error(times: dict[int, int]) -> None:
    """Of four cases with a probability of n/4, n are true."""
    sure = [n / 4 for n, often in times.items() for _ in range(4 * often)]
    right = [at % 4 < n for n, often in times.items() for at in range(4 * often)]
    error = expected_calibration_error(sure, right)
    assert error == 0 if sure else isnan(error)


def test_all_wrong_with_full_certainty_is_the_worst() -> None:
    assert expected_calibration_error([1.0, 0.0], [False, True]) == 1


def test_what_is_no_probability_is_refused() -> None:
    with pytest.raises(BadOption, match=r"^A probability is not between 0 and 1\.$"):
        reliability([1.2], [True])
    with pytest.raises(BadOption, match="not between 0 and 1"):
        reliability([float("nan")], [True])
    with pytest.raises(BadOption, match=r"^2 probabilities, but 1 cases\.$"):
        reliability([0.1, 0.2], [True])
    with pytest.raises(BadOption, match="bins is 0"):
        reliability([0.1], [True], 0)
