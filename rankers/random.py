"""Chance: what any ranker has to beat."""

from __future__ import annotations

import numpy as np

from kgpath.features.path_features import PathFeatures
from kgpath.rankers.ranker import Ranker, Scores


class RandomGuess(Ranker):
    """Every path is as good as any other; metrics take ties by expectation, so no seed matters."""

    def score(self, features: PathFeatures) -> Scores:
        return Scores.sum_of({"chance": np.zeros(len(features.candidates))})
