"""Zero-shot with a reader: does a sentence of the text say what a hop says?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder, Versioned, kinds_of
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.plugins import TEXT_ENCODERS
from kgpath.rankers.ltr.sentence_match import read_facts
from kgpath.rankers.ranker import Numbers, Scores
from kgpath.rankers.zero_shot import ZeroShot

#: Set by hand, as those of zero-shot.
WEIGHTS = {"hop read": 6.0, "weakest hop read": 4.0, "relation read": 8.0}


class ZeroShotText(ZeroShot):
    """The best paths of zero-shot, read again: cosine of each hop with its closest sentence.

    ``best`` paths are read; all others come after them.
    """

    def __init__(self, encoder: str | TextEncoder = "minilm", best: int = 40) -> None:
        if not isinstance(best, int) or best < 1:
            raise BadOption(f"best is {best!r}; it can be 1 or more.")
        self.encoder = encoder
        self.best = best

    @cached_property
    def reader(self) -> TextEncoder:
        """The encoder itself."""
        encoder: TextEncoder = TEXT_ENCODERS.make(self.encoder)
        return encoder

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self.reader)

    def score(self, features: PathFeatures) -> Scores:
        scores = super().score(features)
        if not len(scores.total):
            return scores
        read = scores.total >= np.sort(scores.total)[-self.best :][0]  # ties are all read
        parts = self._read(features, read)
        # What is not read gets no credit, and stays behind the least of what is.
        parts["not read"] = np.where(read, 0.0, -sum(WEIGHTS.values()))
        return Scores.sum_of({**scores.parts, **parts})

    def _read(self, features: PathFeatures, read: NDArray[np.bool_]) -> dict[str, Numbers]:
        used = np.unique(features.facts.along[read])
        hops, relations = read_facts(features, used[used >= 0], self.reader)
        return {
            "hop read": np.where(read, WEIGHTS["hop read"] * features.mean(hops), 0),
            "weakest hop read": np.where(
                read, WEIGHTS["weakest hop read"] * -features.most(-hops), 0
            ),
            "relation read": np.where(read, WEIGHTS["relation read"] * features.mean(relations), 0),
        }
