"""Learning to rank over the score of another ranker (Lo & Lim 2023, supervised baselines)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kgpath.component import Versioned, kinds_of
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.plugins import RANKERS
from kgpath.rankers.ltr.trees import grown, lightgbm, predicted, read_model, write_model
from kgpath.rankers.ranker import Example, Ranker, Scores, TrainableRanker

if TYPE_CHECKING:
    from lightgbm import Booster

    from kgpath.graph import Graph


class ScoreLTR(TrainableRanker):
    """XE-NDCG trees over one number a path: the score that ``of`` gives it.

    ``of`` is a ranker that need not learn, such as ``tfidf-cosine(scope=window)``. The true path
    is 1 and all others 0: without vectors of paths there are no degrees between.
    """

    learns_from_graphs: ClassVar[bool] = True
    LIMITS: ClassVar[dict[str, int]] = {"trees": 100_000}

    def __init__(self, of: Any = "tfidf-cosine", trees: int = 50, seed: int = 0) -> None:
        self.of, self.trees, self.seed = of, trees, seed
        self._model: Booster | None = None

    @cached_property
    def base_ranker(self) -> Ranker:
        """The ranker whose scores are read."""
        made = RANKERS.make(self.of)
        if isinstance(made, TrainableRanker) and not made.ready:
            raise BadOption(f"score-ltr(of={self.of}): that ranker learns itself. Take another.")
        ranker: Ranker = made
        return ranker

    def fit(self, examples: Iterable[Example]) -> None:
        scores, relevance = [], []
        for features, true, _ in examples:
            if len(features.candidates) > 1:
                scores.append(self.base_ranker.score(features).total)
                relevance.append(np.isin(np.arange(len(scores[-1])), true).astype(np.float64))
        if not scores:
            raise BadOption("No query to learn from: none has a true path and others beside it.")
        settings = {
            "objective": "rank_xendcg", "num_leaves": 15, "learning_rate": 0.1, "verbose": -1,
            "seed": self.seed, "objective_seed": self.seed, "deterministic": True,
            "force_row_wise": True, "num_threads": 1,
        }  # fmt: skip
        data = lightgbm().Dataset(
            np.concatenate(scores)[:, None], np.concatenate(relevance),
            group=[len(some) for some in scores], params={"verbose": -1},
        )  # fmt: skip
        self._model = grown(settings, data, self.trees, "score-ltr")

    def score(self, features: PathFeatures) -> Scores:
        if self._model is None:
            raise BadOption("score-ltr has to be trained first: kgpath train … --ranker score-ltr")
        if not len(features.candidates):
            return Scores(np.zeros(0), {"score": np.zeros(0)})
        rows = self.base_ranker.score(features).total[:, None]
        return Scores.sum_of({"score": predicted(self._model, rows)})

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self.base_ranker)

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return self.base_ranker.check_requirements(graph)

    def save(self, folder: Path) -> None:
        if self._model is None:
            raise BadOption("score-ltr has learned nothing yet, so there is nothing to save.")
        write_model(folder / "trees.txt", self._model)

    def load(self, folder: Path) -> None:
        self._model = read_model(folder / "trees.txt", self.trees)
