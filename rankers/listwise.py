"""Which of these paths is the true one? The network of `binary`, learned over whole lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgpath.errors import BadOption
from kgpath.rankers.encoded.network import NetworkRanker, torch_for

if TYPE_CHECKING:
    import torch

_LISTS = 32


@dataclass(eq=False)
class Listwise(NetworkRanker):
    """The cross-entropy of a list, as `xendcg` has it, with the network of `binary`.

    Trees split one number at a time, and what a path means is spread over all numbers of its
    vector: from vectors side by side a network learns to choose much better. Of each query
    at most ``sample`` wrong candidates are learned from, drawn at random.
    """

    name = "listwise"

    epochs: int = 10
    sample: int = 30

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sample < 1:
            raise BadOption(f"sample is {self.sample}; it can be 1 or more.")

    def negatives_for(self, true: int) -> int:
        return self.sample

    def steps(self, counts: Sequence[int]) -> Iterator[torch.Tensor]:
        torch = torch_for(self.name)
        rows = torch.arange(sum(counts)).split(list(counts))
        for some in torch.randperm(len(counts)).split(_LISTS):
            yield torch.cat([rows[place] for place in some.tolist()])

    def loss(self, scores: torch.Tensor, true: torch.Tensor, lists: torch.Tensor) -> torch.Tensor:
        """How unlikely the true ones are among their lists, which stand one after the other."""
        library = torch_for(self.name)
        counts = library.unique_consecutive(lists, return_counts=True)[1].tolist()
        padded = library.nn.utils.rnn.pad_sequence
        table = padded(library.split(scores, counts), batch_first=True, padding_value=-1e9)
        right = padded(library.split(true, counts), batch_first=True)
        shares = right / right.sum(dim=1, keepdim=True)
        loss: torch.Tensor = -(shares * table.log_softmax(dim=1)).sum() / len(counts)
        return loss
