"""What the text says of a path, with weights set by hand: the default, without any training."""

from __future__ import annotations

from typing import ClassVar

from kgpath.features.path_features import PathFeatures
from kgpath.rankers.ranker import Ranker, Scores

#: Set by hand, in round numbers, while looking at texts; nothing was fitted. Doubling or halving
#: any one of them changes little: the order comes from the signs.
WEIGHTS = {
    "unnamed": -3.0,
    "least named": 3.0,
    "together": 2.0,
    "widest gap": -0.3,
    "relation words": 2.0,
    "relation near": 4.0,
    "tfidf": 4.0,
    "length": -1.0,
    "frequency": -0.2,
    "degree": -0.2,
}


class ZeroShot(Ranker):
    """Named entities, relation words and closeness in the text; then short, rare, few hubs."""

    version: ClassVar[int] = 2  # see Component

    def score(self, features: PathFeatures) -> Scores:
        return Scores.sum_of({name: weight * features[name] for name, weight in WEIGHTS.items()})
