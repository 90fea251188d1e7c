"""A small network over query and path; what it learns from at once, a subclass says."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption, BadStore
from kgpath.extras import require
from kgpath.io.one_thread import one_thread
from kgpath.io.progress import counted
from kgpath.rankers.encoded.encoded_examples import EncodedExample, Rows
from kgpath.rankers.encoded.encoded_ranker import EncodedRanker

if TYPE_CHECKING:
    import torch

HIDDEN = 128
_FILE = "network.safetensors"


@dataclass(eq=False)
class NetworkRanker(EncodedRanker):
    """Two layers of 128 and Adam; a subclass gives the steps of an epoch and their loss."""

    #: What `kgpath ls rankers` calls it.
    name: ClassVar[str]
    LIMITS: ClassVar[dict[str, int]] = {"epochs": 1_000_000}

    epochs: int = 30
    rate: float = 1e-3

    def __post_init__(self) -> None:
        if self.epochs < 1:
            raise BadOption(f"epochs is {self.epochs}; it can be 1 or more.")
        if not 0 < self.rate <= 1:
            raise BadOption(f"rate is {self.rate}; it can be above 0, and 1 at most.")
        self._network: torch.nn.Module | None = None
        self._losses: list[float] = []

    @abstractmethod
    def steps(self, counts: Sequence[int]) -> Iterator[torch.Tensor]:
        """The rows of each step of an epoch, in random order, if lists have so many rows."""

    @abstractmethod
    def loss(self, scores: torch.Tensor, true: torch.Tensor, lists: torch.Tensor) -> torch.Tensor:
        """Of the rows of a step: their scores, which are true, and the list of each."""

    def learn(self, examples: Sequence[EncodedExample]) -> None:
        torch = torch_for(self.name)
        counts = [len(example.paths) for example in examples]
        contexts = torch.from_numpy(np.stack([example.context for example in examples]))
        paths = torch.from_numpy(np.concatenate([example.of_paths() for example in examples]))
        lists = torch.from_numpy(np.repeat(np.arange(len(examples)), counts))
        targets = [np.isin(np.arange(len(one.paths)), one.true) for one in examples]
        true = torch.from_numpy(np.concatenate(targets).astype(np.float32))
        with one_thread(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            network = self._layers(contexts.shape[1] + paths.shape[1])
            optimizer = torch.optim.Adam(network.parameters(), lr=self.rate)
            self._losses = []
            for _ in counted(range(self.epochs), f"learning {self.name}", "epochs"):
                total = 0.0
                for rows in self.steps(counts):
                    optimizer.zero_grad()
                    inputs = torch.cat([contexts[lists[rows]], paths[rows]], dim=1)
                    loss: Any = self.loss(network(inputs)[:, 0], true[rows], lists[rows])
                    loss.backward()
                    optimizer.step()
                    total += float(loss.detach()) * len(rows)
                self._losses.append(total / len(paths))
        self._network = network

    def score_rows(self, rows: Rows) -> NDArray[np.float64]:
        if self._network is None:
            raise BadOption(
                f"{self.name} has to be trained first: kgpath train … --ranker {self.name}"
            )
        torch = torch_for(self.name)
        width = next(self._network.parameters()).shape[1]
        if rows.shape[1] != width:
            raise BadStore(
                f"The network scores rows of {width:,} numbers, and here a row has "
                f"{rows.shape[1]:,}. Train it again."
            )
        with one_thread(), torch.no_grad():
            out = self._network(torch.from_numpy(np.ascontiguousarray(rows)))[:, 0]
        return np.asarray(out.numpy(), dtype=np.float64)

    def report(self) -> dict[str, Any]:
        losses = {"loss": [round(loss, 4) for loss in self._losses]} if self._losses else {}
        return {**super().report(), **losses}

    def save(self, folder: Path) -> None:
        if self._network is None:
            raise BadOption(f"{self.name} has learned nothing yet, so there is nothing to save.")
        require("torch safetensors", "neural", self.name)
        from kgpath.encoders.weights import write_weights

        super().save(folder)
        write_weights(folder / _FILE, self._network.state_dict(), {})

    def load(self, folder: Path) -> None:
        super().load(folder)
        torch_for(self.name)
        require("safetensors", "neural", self.name)
        from kgpath.encoders.weights import network_of, read_weights, whole_model

        with whole_model(folder / _FILE):
            weights, _ = read_weights(folder / _FILE)
            width = weights["0.weight"].shape[1]
            self._network = network_of(lambda: self._layers(width), weights)

    def _layers(self, width: int) -> torch.nn.Module:
        nn = torch_for(self.name).nn
        layers: torch.nn.Module = nn.Sequential(
            nn.Linear(width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
            nn.Linear(HIDDEN, 1),
        )  # fmt: skip
        return layers


def torch_for(ranker: str) -> Any:
    """The library, or an error that says how to get it."""
    return require("torch", "neural", ranker, "use xendcg or kgpath-ltr")
