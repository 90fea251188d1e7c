"""The shortest path first, as graph databases answer."""

from __future__ import annotations

from kgpath.features.path_features import PathFeatures
from kgpath.rankers.ranker import Ranker, Scores


class Shortest(Ranker):
    """Fewer hops are better; paths of one length tie."""

    def score(self, features: PathFeatures) -> Scores:
        return Scores.sum_of({"length": -features["length"]})
