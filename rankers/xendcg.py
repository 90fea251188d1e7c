"""Learning to rank by cross-entropy: XE-NDCG-MART over query and path (Lo & Lim 2023, 6.2).

The relevance of a path is the cosine of its vector with the true one's. LightGBM truncates it to a
whole number, so that every cosine below 1 would be 0: it is graded instead, or the objective with
real numbers is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.extras import require
from kgpath.rankers.encoded.encoded_examples import EncodedExample, Rows
from kgpath.rankers.encoded.encoded_ranker import EncodedRanker
from kgpath.rankers.ltr.trees import grown, lightgbm, predicted, read_model, write_model

if TYPE_CHECKING:
    from lightgbm import Booster

Numbers = NDArray[np.float64]

RELEVANCES = ("graded", "truncated", "real")
#: The grade of the true path; all others have less.
TOP_GRADE = 4
#: With fewer numbers that are not 0, the texts of all queries are kept as a sparse table.
_SPARSE = 0.2


@dataclass(eq=False)
class XendcgRanker(EncodedRanker):
    """LightGBM's rank_xendcg with graded relevance, or another by ``relevance``.

    ``graded``: the cosine in whole steps, the true path alone at the top. ``truncated``: what
    LightGBM makes of raw cosines, the true path 1 and all others 0; better where most candidates
    are alike. ``real``: the objective with real numbers, as the paper prints it.

    Of each query at most ``sample`` candidates are learned from, drawn at random, and the true
    ones: the paper has 8 candidates on average, a real graph has hundreds.
    """

    RENAMED_OPTIONS: ClassVar[dict[str, str]] = {"labels": "relevance"}
    LIMITS: ClassVar[dict[str, int]] = {"trees": 100_000}

    relevance: str = "graded"
    trees: int = 200
    sample: int = 30

    def __post_init__(self) -> None:
        if self.relevance not in RELEVANCES:
            raise BadOption(f"relevance is {self.relevance!r}; it can be {', '.join(RELEVANCES)}.")
        if self.trees < 1 or self.sample < 2:
            raise BadOption(f"trees is {self.trees} and sample {self.sample}; at least 1 and 2.")
        self._model: Booster | None = None

    def negatives_for(self, true: int) -> int:
        return self.sample

    def learn(self, examples: Sequence[EncodedExample]) -> None:
        usable = [example for example in examples if len(example.paths) > 1]
        if not usable:
            raise BadOption("No query to learn from: each has a single candidate.")
        relevance = [self.relevance_of(example.paths, example.true) for example in usable]
        settings: dict[str, Any] = {
            "num_leaves": 15, "min_data_in_leaf": 20, "learning_rate": 0.1, "verbose": -1,
            "feature_fraction": 0.4, "seed": self.seed, "objective_seed": self.seed,
            "deterministic": True, "force_row_wise": True,
            # More threads add in another order, and other trees grow.
            "num_threads": 1,
            "label_gain": list(range(TOP_GRADE + 1)),
        }  # fmt: skip
        settings["objective"] = "rank_xendcg" if self.relevance == "graded" else real_xendcg
        data = lightgbm().Dataset(
            _table(usable), np.concatenate(relevance), group=[len(some) for some in relevance],
            params={"verbose": -1},
        )  # fmt: skip
        self._model = grown(settings, data, self.trees, "xendcg")

    def relevance_of(self, paths: Rows, true: Sequence[int]) -> Numbers:
        """From 0 to 1 by cosine to the closest true path; the true ones alone at the top."""
        unit = paths / np.maximum(np.linalg.norm(paths, axis=1, keepdims=True), 1e-9)
        cosine = (unit @ unit[list(true)].T).max(axis=1)
        relevance = (cosine.astype(np.float64) + 1) / 2
        right = np.isin(np.arange(len(paths)), true)
        if self.relevance == "truncated":
            return right.astype(np.float64)
        if self.relevance == "real":
            return np.where(right, 1.0, np.minimum(relevance, 1 - 1e-6))
        grade = np.minimum(np.rint(TOP_GRADE * relevance), TOP_GRADE - 1)
        return np.where(right, TOP_GRADE, grade)

    def score_rows(self, rows: Rows) -> Numbers:
        if self._model is None:
            raise BadOption("xendcg has to be trained first: kgpath train … --ranker xendcg")
        return predicted(self._model, rows)

    def save(self, folder: Path) -> None:
        if self._model is None:
            raise BadOption("xendcg has learned nothing yet, so there is nothing to save.")
        super().save(folder)
        write_model(folder / "trees.txt", self._model)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self._model = read_model(folder / "trees.txt", self.trees)


def _table(examples: Sequence[EncodedExample]) -> Any:
    """All rows of all queries; sparse where texts are, such as by their words."""
    contexts = np.stack([example.context for example in examples])
    of = np.repeat(np.arange(len(examples)), [len(example.paths) for example in examples])
    paths = np.concatenate([example.of_paths() for example in examples])
    if np.count_nonzero(contexts) > _SPARSE * contexts.size:
        return np.hstack([contexts[of], paths])
    sparse = require("scipy.sparse", "learn", "xendcg")
    return sparse.hstack([sparse.csr_matrix(contexts)[of], sparse.csr_matrix(paths)], format="csr")


def real_xendcg(scores: Numbers, data: Any) -> tuple[Numbers, Numbers]:
    """Gradient and Hessian of the cross-entropy with real relevance, to the third order.

    Equations 5 and 6 of the paper with γ = 0; the same terms as LightGBM's own objective.
    """
    relevance = np.asarray(data.get_label(), dtype=np.float64)
    gradient, hessian = np.empty_like(relevance), np.empty_like(relevance)
    stops = np.cumsum(data.get_group())
    for start, stop in zip([0, *stops[:-1]], stops, strict=True):
        here = slice(start, stop)
        shifted = np.exp(scores[here] - scores[here].max())
        rho = shifted / shifted.sum()
        phi = np.exp2(relevance[here])
        rest = np.maximum(1 - rho, 1e-9)
        first = rho - phi / phi.sum()
        second = first / rest
        second = rho * (second.sum() - second)
        third = second / rest
        third = rho * (third.sum() - third)
        gradient[here] = first + second + third
        hessian[here] = rho * (1 - rho)
    return gradient, hessian
