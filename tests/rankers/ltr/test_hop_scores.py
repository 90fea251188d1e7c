"""Scores of facts from comparing paths: the gradient, and that it learns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from kgpath.rankers.ltr.hop_scores import HopExample, _Objective, hop_example, learn_scores

OF = np.array([[0, 1], [2, -1], [0, 3]])


def test_an_example_keeps_only_the_facts_that_its_paths_use() -> None:
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    made = hop_example(table, np.array([[5, -1], [1, 5]]), np.array([True, False]))
    assert made.rows.tolist() == [[2, 3], [10, 11]]
    assert made.along.tolist() == [[1, -1], [0, 1]]


def test_the_gradient_is_that_of_choosing_the_true_path() -> None:
    one = HopExample(np.zeros((4, 1), np.float32), OF, np.array([False, True, False]))
    other = HopExample(np.zeros((2, 1), np.float32), np.array([[0], [1]]), np.array([True, True]))
    scores = np.array([0.3, -0.2, 0.1, 0.7, 1.0, -1.0])

    def loss(values: np.ndarray) -> float:
        first = np.array([values[0] + values[1], values[2], values[0] + values[3]])
        second = values[4:]
        return float(
            np.log(np.exp(first).sum())
            - first[1]
            + np.log(np.exp(second).sum())
            - second.mean()  # both true: each is wanted half of the time
        )

    steps = 1e-6 * np.eye(6)
    wanted = [(loss(scores + step) - loss(scores - step)) / 2e-6 for step in steps]
    gradient, hessian = _Objective([one, other], 6)(scores, None)
    assert gradient == pytest.approx(wanted, abs=1e-6)
    assert (hessian > 0).all()


def test_facts_that_true_paths_share_get_the_higher_scores() -> None:
    rng = np.random.default_rng(0)
    examples = []
    for _ in range(60):
        rows = rng.normal(size=(4, 3)).astype(np.float32)
        of = np.array(list(combinations(range(4), 2)))
        total = rows[of, 1].sum(axis=1)  # the second number says how much a fact is expressed
        examples.append(HopExample(rows, of, total == total.max()))
    settings = {"verbose": -1, "num_threads": 1, "seed": 0, "min_data_in_leaf": 5, "num_leaves": 7}
    model = learn_scores(examples[:50], 60, settings)
    right = 0
    for rows, of, true in examples[50:]:
        scores = model.predict(rows, raw_score=True)[of].sum(axis=1)
        right += bool(true[scores.argmax()])
    assert right >= 8  # by chance one or two of ten
