"""Scores of facts that add up to the score of a path, learned by comparing whole paths.

Of each fact alone, "is this expressed?" has no sure answer in training data: a text expresses facts
that no query is about. Which of the candidate paths is the true one is known. So the trees
score facts, the score of a path is the sum over its hops, and what is made likely is the choice of
the true path among all (softmax cross-entropy, which is what XE-NDCG is with one true path).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.rankers.ltr.trees import lightgbm, of_data

if TYPE_CHECKING:
    from lightgbm import Booster

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

_LEAST_HESSIAN = 1e-3


class HopExample(NamedTuple):
    """A query to learn from: rows of facts, the facts along each path, and the true paths."""

    rows: NDArray[np.float32]
    along: Places  # paths, hops; -1 after the end of a path
    true: NDArray[np.bool_]


def hop_example(table: NDArray[np.float32], along: Places, true: NDArray[np.bool_]) -> HopExample:
    """A query with only those rows that its paths use."""
    used = np.unique(along)
    used = used[used >= 0]
    return HopExample(table[used], np.where(along >= 0, np.searchsorted(used, along), -1), true)


def learn_scores(
    examples: Sequence[HopExample],
    trees: int,
    settings: dict[str, Any],
    before: Booster | None = None,
) -> Booster:
    """Trees that score facts so that the true paths come first; so many beside those ``before``."""
    rows = np.concatenate([example.rows for example in examples])
    chosen = {**settings, "objective": _Objective(examples, len(rows))}
    data = lightgbm().Dataset(rows, np.zeros(len(rows)), params=of_data(settings))
    model: Booster = lightgbm().train(chosen, data, trees, init_model=before)
    return model


class _Objective:
    """Gradient and Hessian of the cross-entropy between the true paths and all of a query."""

    def __init__(self, examples: Sequence[HopExample], rows: int) -> None:
        sizes = np.array([len(example.true) for example in examples])
        self.starts = np.cumsum(sizes) - sizes
        self.query = np.repeat(np.arange(len(examples)), sizes)
        true = np.concatenate([example.true for example in examples]).astype(np.float64)
        self.wanted = true / np.add.reduceat(true, self.starts)[self.query]
        facts, paths = [], []
        first_fact = 0
        for start, example in zip(self.starts.tolist(), examples, strict=True):
            path, hop = np.nonzero(example.along >= 0)
            facts.append(first_fact + example.along[path, hop])
            paths.append(start + path)
            first_fact += len(example.rows)
        self.fact, self.path = np.concatenate(facts), np.concatenate(paths)
        self.rows = rows

    def __call__(self, scores: Numbers, data: Any) -> tuple[Numbers, Numbers]:
        total = np.bincount(self.path, scores[self.fact], len(self.query))
        total = np.exp(total - np.maximum.reduceat(total, self.starts)[self.query])
        chance = total / np.add.reduceat(total, self.starts)[self.query]
        gradient = self._by_fact(chance - self.wanted)
        share = np.minimum(self._by_fact(chance), 1)
        return gradient, np.maximum(share * (1 - share), _LEAST_HESSIAN)

    def _by_fact(self, of_paths: Numbers) -> Numbers:
        """The sum over all paths that a fact is on."""
        return np.bincount(self.fact, of_paths[self.path], self.rows).astype(np.float64)
