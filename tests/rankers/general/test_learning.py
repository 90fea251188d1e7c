"""How kgpath-general learns: the line that calibrates, folds by text, a problem it must solve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example as case
from hypothesis import given
from hypothesis import strategies as st

from kgpath.rankers.general.learning import logistic_line

SCORES = st.lists(st.tuples(st.floats(-40, 40), st.booleans()), min_size=1, max_size=30)


def platt_targets(right: np.ndarray) -> np.ndarray:
    yes, no = right.sum(), len(right) - right.sum()
    return np.where(right > 0, (yes + 1) / (yes + 2), 1 / (no + 2))


@given(SCORES)
@case([(-34.5, False)] * 5)  # whole steps of Newton's method led to a slope of 1,480
@case([(score, score < 0) for score in (8.0, 7.0, -8.0, -7.0) * 20])
def test_the_line_has_the_least_loss_of_all_with_a_positive_slope(pairs) -> None:
    scores, right = (np.array(side, dtype=np.float64) for side in zip(*pairs, strict=True))
    slope, shift = logistic_line(scores, right)
    logits = slope * scores + shift
    apart = np.exp(-np.logaddexp(0, -logits)) - platt_targets(right)
    by_slope = apart @ scores + 0.1 * (slope - 1)
    by_shift = apart.sum() + 0.1 * shift
    assert by_shift == pytest.approx(0, abs=1e-6)
    assert slope >= 0.05
    # At the least slope, less would be better; above it, neither more nor less.
    assert by_slope >= -1e-6 if slope == 0.05 else by_slope == pytest.approx(0, abs=1e-6)


def test_the_line_is_that_of_scikit_learn() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(3)
    scores = rng.normal(1, 3, 2000)
    right = (rng.random(2000) < 1 / (1 + np.exp(1 - 0.6 * scores))).astype(np.float64)
    target = platt_targets(right)
    # A target between yes and no is both, as often as it says.
    theirs = linear_model.LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.tile(scores, 2)[:, None],
        np.repeat([1, 0], 2000),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    # Ours is drawn a little to slope 1 and shift 0, which 2,000 scores hardly leave it to be.
    expected = (float(theirs.coef_[0, 0]), float(theirs.intercept_[0]))
    assert logistic_line(scores, right) == pytest.approx(expected, abs=2e-3)
    assert expected == pytest.approx((0.6, -1), abs=0.15)


def test_scores_that_say_nothing_get_the_share_of_true_ones() -> None:
    rng = np.random.default_rng(0)
    scores, right = rng.normal(0, 10, 200), np.array([0.0, 1.0, 1.0, 1.0] * 50)
    slope, shift = logistic_line(scores, right)
    assert slope == 0.05  # once 8,654
    chances = 1 / (1 + np.exp(-(slope * scores + shift)))
    assert chances.mean() == pytest.approx(0.75, abs=0.01)


def test_a_sample_of_one_kind_alone_is_no_proof_of_certainty() -> None:
    for right in (0.0, 1.0):
        slope, shift = logistic_line(np.array([2.0, 3.0]), np.full(2, right))
        chance = 1 / (1 + np.exp(-(slope * 2 + shift)))
        assert 0.1 < chance < 0.9
