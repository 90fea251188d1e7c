"""Chance: a candidate drawn uniformly, the same one on every run."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector, check, first_best, source_of


class RandomChoice(Selector):
    """A candidate at random, by seed and by the turn itself: not by what was selected before."""

    name = "random"

    def __init__(self, seed: int = 42) -> None:
        self.seed = seed

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        check(turn)
        said = "\0".join((turn.id, turn.query, *(c.sentence for c in turn.candidates)))
        rng = np.random.default_rng([self.seed, crc32(said.encode("utf-8", "replace"))])
        drawn = rng.random(len(turn.candidates))
        return Selection(
            turn, self.name, source_of(turn, before), first_best(drawn), drawn,
            np.zeros(len(drawn)),
        )  # fmt: skip
