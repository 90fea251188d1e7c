"""Is this path the true one? A small network over question and path (Lo & Lim 2023, 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption, BadStore, MissingExtra
from kgpath.one_thread import one_thread
from kgpath.rankers.encoded import EncodedRanker
from kgpath.rankers.encoded_questions import Encoded, Rows

if TYPE_CHECKING:
    import torch

HIDDEN = 128
NEGATIVES = 5


class Binary(EncodedRanker):
    """Two layers of 128, binary cross-entropy, at most five wrong paths for a true one."""

    def __init__(
        self,
        context_encoder: Any = "tfidf",
        path_encoder: Any = "path-mean",
        epochs: int = 30,
        rate: float = 1e-3,
        vectors: str = "",
        similar: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(context_encoder, path_encoder, vectors, similar, seed)
        if epochs < 1:
            raise BadOption(f"epochs is {epochs}; it can be 1 or more.")
        self.epochs = epochs
        self.rate = rate
        self._network: torch.nn.Module | None = None
        self._losses: list[float] = []

    def wrong_for(self, true: int) -> int:
        return NEGATIVES * true

    def learn(self, questions: Sequence[Encoded]) -> None:
        torch = _torch()
        contexts = torch.from_numpy(np.stack([question.context for question in questions]))
        paths = torch.from_numpy(np.concatenate([question.of_paths() for question in questions]))
        of = torch.from_numpy(
            np.repeat(np.arange(len(questions)), [len(question.paths) for question in questions])
        )
        labels = [np.isin(np.arange(len(one.paths)), one.true) for one in questions]
        targets = torch.from_numpy(np.concatenate(labels).astype(np.float32))
        with one_thread(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            network = _network(contexts.shape[1] + paths.shape[1])
            optimizer = torch.optim.Adam(network.parameters(), lr=self.rate)
            loss_of = torch.nn.BCEWithLogitsLoss()
            self._losses = []
            for _ in range(self.epochs):
                total = 0.0
                for batch in torch.randperm(len(paths)).split(256):
                    optimizer.zero_grad()
                    inputs = torch.cat([contexts[of[batch]], paths[batch]], dim=1)
                    loss = loss_of(network(inputs)[:, 0], targets[batch])
                    loss.backward()
                    optimizer.step()
                    total += float(loss.detach()) * len(batch)
                self._losses.append(total / len(paths))
        self._network = network

    def judge(self, rows: Rows) -> NDArray[np.float64]:
        if self._network is None:
            raise BadOption("binary has to be trained first: kgpath train … --ranker binary")
        torch = _torch()
        with one_thread(), torch.no_grad():
            out = self._network(torch.from_numpy(np.ascontiguousarray(rows)))[:, 0]
        return np.asarray(out.numpy(), dtype=np.float64)

    def report(self) -> dict[str, Any]:
        losses = {"loss": [round(loss, 4) for loss in self._losses]} if self._losses else {}
        return {**super().report(), **losses}

    def save(self, folder: Path) -> None:
        if self._network is None:
            raise BadOption("binary has learned nothing yet, so there is nothing to save.")
        from safetensors.torch import save_file

        super().save(folder)
        save_file(self._network.state_dict(), folder / "network.safetensors")

    def load(self, folder: Path) -> None:
        from safetensors import SafetensorError

        super().load(folder)
        path = folder / "network.safetensors"
        _torch()
        from safetensors.torch import load_file

        try:
            state = load_file(path)
        except (OSError, SafetensorError) as error:
            raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
        network = _network(state["0.weight"].shape[1])
        network.load_state_dict(state)
        self._network = network


def _network(width: int) -> torch.nn.Module:
    nn = _torch().nn
    layers: torch.nn.Module = nn.Sequential(
        nn.Linear(width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, 1),
    )  # fmt: skip
    return layers


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise MissingExtra(
            'binary needs torch: pip install "kgpath[neural]", or use xendcg or kgpath-ltr'
        ) from error
    return torch
