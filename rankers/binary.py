"""Is this path the true one? A small network over question and path (Lo & Lim 2023, 6.1)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption, BadStore, MissingExtra
from kgpath.rankers.encoded import EncodedRanker, Rows, joined

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
        seed: int = 0,
    ) -> None:
        super().__init__(context_encoder, path_encoder, seed)
        if epochs < 1:
            raise BadOption(f"epochs is {epochs}; it can be 1 or more.")
        self.epochs = epochs
        self.rate = rate
        self._network: torch.nn.Module | None = None
        self._losses: list[float] = []

    def learn(self, questions: list[tuple[Rows, Rows, tuple[int, ...]]]) -> None:
        torch = _torch()
        rng = np.random.default_rng(self.seed)
        rows, labels = [], []
        for context, paths, true in questions:
            wrong = np.setdiff1d(np.arange(len(paths)), true)
            chosen = rng.choice(wrong, min(NEGATIVES * len(true), len(wrong)), replace=False)
            places = np.concatenate([true, np.sort(chosen)]).astype(np.int64)
            rows.append(joined(context, paths[places]))
            labels.append(np.isin(places, true))
        inputs = torch.from_numpy(np.concatenate(rows))
        targets = torch.from_numpy(np.concatenate(labels).astype(np.float32))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            network = _network(inputs.shape[1])
            optimizer = torch.optim.Adam(network.parameters(), lr=self.rate)
            loss_of = torch.nn.BCEWithLogitsLoss()
            self._losses = []
            for _ in range(self.epochs):
                total = 0.0
                for batch in torch.randperm(len(inputs)).split(256):
                    optimizer.zero_grad()
                    loss = loss_of(network(inputs[batch])[:, 0], targets[batch])
                    loss.backward()
                    optimizer.step()
                    total += float(loss.detach()) * len(batch)
                self._losses.append(total / len(inputs))
        self._network = network

    def judge(self, rows: Rows) -> NDArray[np.float64]:
        if self._network is None:
            raise BadOption("binary has to be trained first: kgpath train … --ranker binary")
        torch = _torch()
        with torch.no_grad():
            out = self._network(torch.from_numpy(np.ascontiguousarray(rows)))[:, 0]
        return np.asarray(out.numpy(), dtype=np.float64)

    def report(self) -> dict[str, Any]:
        return {"loss": [round(loss, 4) for loss in self._losses]}

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
