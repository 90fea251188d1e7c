"""AUC by hand, by scikit-learn, and what must hold for any numbers."""

from __future__ import annotations

from math import exp, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from kgpath.errors import BadOption
from kgpath.metrics.auc import auc, auc_interval

#: Few different numbers, so that many tie.
numbers = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=1, max_size=30)


def test_by_hand() -> None:
    assert auc([0.9, 0.8], [0.1]) == 1
    assert auc([0.1], [0.9, 0.8]) == 0
    assert auc([0.5], [0.5]) == 0.5
    assert auc([0.9, 0.5], [0.5, 0.1]) == (1 + 1 + 0.5 + 1) / 4


def test_without_a_case_of_a_kind_it_is_not_a_number() -> None:
    assert isnan(auc([], [0.1])) and isnan(auc([0.1], [])) and isnan(auc([], []))
    assert all(map(isnan, auc_interval([0.1, 0.2], [True, True], ["a", "b"])))
    assert all(map(isnan, auc_interval([], [], [])))


@given(numbers, numbers)
def test_scikit_learn_agrees(higher: list[float], lower: list[float]) -> None:
    theirs = roc_auc_score([1] * len(higher) + [0] * len(lower), higher + lower)
    assert auc(higher, lower) == pytest.approx(theirs)


@given(numbers, numbers)
def test_only_the_order_of_the_numbers_counts(higher: list[float], lower: list[float]) -> None:
    steeper = [[exp(3 * n) for n in part] for part in (higher, lower)]
    assert auc(*steeper) == auc(higher, lower)
    assert auc([-n for n in lower], [-n for n in higher]) == pytest.approx(auc(higher, lower))
    assert auc(lower, higher) == pytest.approx(1 - auc(higher, lower))


def test_the_interval_draws_whole_documents() -> None:
    rng = np.random.default_rng(5)
    kinds = rng.random(200) < 0.6
    support = np.where(kinds, rng.normal(1, 1, 200), rng.normal(0, 1, 200)).tolist()
    alone = auc_interval(support, kinds.tolist(), [""] * 200)
    assert alone.mean == pytest.approx(roc_auc_score(kinds, support))
    assert alone.low < alone.mean < alone.high
    # The same cases, each ten times in its document: what is known is no more than before.
    groups = [f"d{at}" for at in range(200)]
    tenfold = auc_interval(support * 10, kinds.tolist() * 10, groups * 10)
    assert tenfold == pytest.approx(auc_interval(support, kinds.tolist(), groups))
    assert tenfold == pytest.approx(alone)
    assert auc_interval(support, kinds.tolist(), groups) == alone  # the same seed, the same draws


def test_a_draw_without_a_kind_does_not_count() -> None:
    found = auc_interval([0.9, 0.1], [True, False], ["a", "b"])
    assert found == (1, 1, 1)
    with pytest.raises(BadOption, match="resamples is 0"):
        auc_interval([0.9, 0.1], [True, False], ["a", "b"], resamples=0)
