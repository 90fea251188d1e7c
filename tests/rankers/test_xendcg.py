"""LambdaMART by XE-NDCG: its relevance, its gradient, what it learns; options of all that learn."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from kgpath.errors import BadOption
from kgpath.rankers.encoded.encoded_examples import EncodedExample
from kgpath.rankers.kgpath_ltr import KgpathLTR
from kgpath.rankers.listwise import Listwise
from kgpath.rankers.xendcg import RELEVANCES, TOP_GRADE, XendcgRanker, real_xendcg


def test_only_the_true_path_has_the_top_grade() -> None:
    rows = np.array([[1, 0], [1, 0], [0, 1], [-1, 0]], dtype=np.float32)
    graded = XendcgRanker().relevance_of(rows, (0,))
    # Its double has the next grade, a right angle half of the top, the opposite none.
    assert graded.tolist() == [TOP_GRADE, TOP_GRADE - 1, TOP_GRADE / 2, 0]
    assert XendcgRanker(relevance="truncated").relevance_of(rows, (0,)).tolist() == [1, 0, 0, 0]
    real = XendcgRanker(relevance="real").relevance_of(rows, (0,))
    assert real[0] == 1 and real[1] < 1 and real.tolist() == pytest.approx([1, 1, 0.5, 0], abs=1e-5)


def test_the_real_gradient_begins_with_that_of_the_cross_entropy() -> None:
    scores, relevance = np.array([0.3, -0.2, 0.1]), np.array([1.0, 0.5, 0.0])
    data = SimpleNamespace(get_label=lambda: relevance, get_group=lambda: [3])

    def loss(values: np.ndarray) -> float:
        weights = np.exp2(relevance) / np.exp2(relevance).sum()
        return float(-(weights * (values - np.log(np.exp(values).sum()))).sum())

    first = np.array(
        [(loss(scores + step) - loss(scores - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    )
    rho = np.exp(scores) / np.exp(scores).sum()
    second = first / (1 - rho)
    second = rho * (second.sum() - second)
    third = second / (1 - rho)
    third = rho * (third.sum() - third)
    gradient, hessian = real_xendcg(scores, data)
    assert gradient == pytest.approx(first + second + third, abs=1e-5)
    assert hessian == pytest.approx(rho * (1 - rho))


def examples(count: int) -> list[EncodedExample]:
    """The true path is the one whose first number is positive, wherever it stands."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(count):
        rows = rng.normal(size=(6, 4)).astype(np.float32)
        rows[:, 0] = -np.abs(rows[:, 0])
        true = int(rng.integers(6))
        rows[true, 0] *= -1
        made.append(EncodedExample(np.zeros(2, np.float32), rows, (true,)))
    return made


@pytest.mark.parametrize("relevance", RELEVANCES)
def test_xendcg_learns_what_tells_the_true_path(relevance: str) -> None:
    ranker = XendcgRanker(relevance=relevance, trees=60)
    ranker.learn(examples(150))
    hits = [int(ranker.score_rows(one.rows()).argmax()) in one.true for one in examples(200)[150:]]
    assert np.mean(hits) > 0.8


def test_options_that_make_no_sense_are_refused() -> None:
    for wrong in (
        lambda: XendcgRanker(relevance="rank"),
        lambda: XendcgRanker(sample=1),
        lambda: Listwise(epochs=0),
        lambda: Listwise(sample=0),
        lambda: KgpathLTR(trees=0),
        lambda: KgpathLTR(dropout=1),
        lambda: KgpathLTR(rounds=0),
        lambda: KgpathLTR().learn([]),
    ):
        with pytest.raises(BadOption):
            wrong()
