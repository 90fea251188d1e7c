"""Is this path the true one? A small network over query and path (Lo & Lim 2023, 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgpath.rankers.encoded.network import NetworkRanker, torch_for

if TYPE_CHECKING:
    import torch

NEGATIVES = 5
_ROWS = 256


@dataclass(eq=False)
class Binary(NetworkRanker):
    """Two layers of 128, binary cross-entropy, at most five wrong paths for a true one."""

    name = "binary"

    def negatives_for(self, true: int) -> int:
        return NEGATIVES * true

    def steps(self, counts: Sequence[int]) -> Iterator[torch.Tensor]:
        yield from torch_for(self.name).randperm(sum(counts)).split(_ROWS)

    def loss(self, scores: torch.Tensor, true: torch.Tensor, lists: torch.Tensor) -> torch.Tensor:
        of_rows = torch_for(self.name).nn.functional.binary_cross_entropy_with_logits
        loss: torch.Tensor = of_rows(scores, true)
        return loss
