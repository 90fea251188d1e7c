"""Several things learned at once: their examples share a batch, their losses are added.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor, nn

from kgpath.encoders.transformer.training import Objective


class Joint(Objective):
    """The sum of some objectives; each has its part of every batch."""

    def __init__(self, *parts: Objective) -> None:
        super().__init__(parts[0].base)
        self.parts = nn.ModuleList(parts)

    def sample(self, rng: np.random.Generator, size: int) -> list[tuple[int, Any]]:
        shares = [len(some) for some in np.array_split(np.arange(size), len(self.parts))]
        drawn = [
            [(number, one) for one in self._part(number).sample(rng, share)]
            for number, share in enumerate(shares)
        ]
        # By turns, so that half of a batch has some of each.
        return [some[at] for at in range(max(shares)) for some in drawn if at < len(some)]

    def losses(self, examples: Sequence[tuple[int, Any]]) -> dict[str, Tensor]:
        found: dict[str, Tensor] = {}
        for number in range(len(self.parts)):
            own = [one for of, one in examples if of == number]
            if own:
                found |= self._part(number).losses(own)
        return found

    def figures(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for number in range(len(self.parts)):
            found |= self._part(number).figures()
        return found

    def about(self, examples: int) -> str:
        share = examples // len(self.parts)
        return " and ".join(self._part(number).about(share) for number in range(len(self.parts)))

    def _part(self, number: int) -> Objective:
        part = self.parts[number]
        assert isinstance(part, Objective)
        return part
