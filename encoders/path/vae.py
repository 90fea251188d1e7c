"""PathVAE of Lo & Lim (2023), section 5: a path as the mean of a Gaussian from which it decodes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.budget import budget_for
from kgpath.encoders.path.path_rows import by_length, rows_of
from kgpath.encoders.path.random_paths import distinct, random_paths
from kgpath.encoders.path_encoder import PathEncoder
from kgpath.encoders.vectors.embedding import Embedding, OnTransE, embedding_of
from kgpath.errors import BadOption, BadStore
from kgpath.extras import require
from kgpath.io.arrays import hash_of, hash_of_named
from kgpath.io.atomic import write_whole
from kgpath.io.cache import cache_enabled, key_of
from kgpath.io.disk_cache import cached_array
from kgpath.io.model_cache import cached_folder, fit_cached
from kgpath.io.one_thread import one_thread
from kgpath.io.saved_json import finite, parse_json
from kgpath.paths.path_arrays import PathArrays, joined

if TYPE_CHECKING:
    from kgpath.encoders.path.vae_network import Network
    from kgpath.graph import Graph

CELLS = ("lstm", "bilstm", "transformer")
#: So many paths are learned from on a large graph.
_PATHS = 100_000
#: The share of paths that may be candidates of queries, and the share for validation.
_CANDIDATES, _VALIDATION = 0.5, 0.05
_MOST_VALIDATION = 2000
_BATCH = 1024
_FILE = "path_vae.safetensors"
#: Options on which nothing depends but how many paths there are, and how long they are learned.
_NOT_LEARNED = ("paths", "budget")


class PathVAE(OnTransE, PathEncoder):
    """Variational auto-encoder over TransE vectors: what a path needs to be decoded again.

    A recurrent network reads the elements of a path (entity, relation, entity, …) from both ends;
    the mean of the two readings gives μ and σ. A second one decodes them from z, which it sees at
    every step, and from what it has decoded before. Every true element is to be told apart from 255
    others of its batch, by dot product with their TransE vectors, which stay as they are: paths
    that were never seen can be encoded. The vector of a path is μ.

    ``hidden`` and ``latent`` are sizes; ``cell`` is what reads: lstm, bilstm or transformer.
    ``beta`` weighs the KL term, which grows to it from 0 in each of ``cycles``, and of which
    ``free_bits`` a dimension cost nothing. ``dropout`` is the share of decoded elements that the
    decoder does not see. Learned from are ``paths`` random walks and candidates, ``epochs`` times
    or until ``budget`` minutes are over. With ``paths=0`` they are up to 100,000, as many as the
    facts of the graph are worth: see :mod:`kgpath.encoders.budget`. ``report_`` says, for paths not
    learned from, how many dimensions are in use and how much is reconstructed, also with z of
    another path. An interrupted training goes on after the last epoch that was whole.
    """

    LIMITS: ClassVar[dict[str, int]] = {
        "hidden": 8192, "latent": 8192, "epochs": 1_000_000, "paths": 100_000_000
    }  # fmt: skip

    def __init__(
        self,
        hidden: int = 128,
        latent: int = 64,
        cell: str = "lstm",
        beta: float = 0.1,
        cycles: int = 4,
        free_bits: float = 0.05,
        dropout: float = 0.3,
        epochs: int = 12,
        paths: int = 0,
        budget: float = 20,
        seed: int = 0,
    ) -> None:
        if cell not in CELLS:
            raise BadOption(f"cell is {cell!r}; it can be {', '.join(CELLS)}.")
        # An even number for two directions, a multiple of four for the heads of attention.
        if not isinstance(hidden, int) or hidden < 4 or hidden % 4:
            raise BadOption(f"hidden is {hidden!r}; it can be a multiple of 4.")
        counts = (("latent", latent, 1), ("epochs", epochs, 1), ("paths", paths, 0))
        for name, value, least in counts:
            if not isinstance(value, int) or value < least:
                raise BadOption(f"{name} is {value!r}; it can be {least} or more.")
        for name, number in {"beta": beta, "cycles": cycles, "free_bits": free_bits}.items():
            if not number >= 0:
                raise BadOption(f"{name} is {number!r}; it can be 0 or more.")
        if not 0 <= dropout < 1:
            raise BadOption(f"dropout is {dropout!r}; it can be from 0 to under 1.")
        if not budget > 0:
            raise BadOption(f"budget is {budget!r}; it can be a number of minutes above 0.")
        self.hidden, self.latent, self.cell = hidden, latent, cell
        self.beta, self.cycles, self.free_bits, self.dropout = beta, cycles, free_bits, dropout
        self.epochs, self.paths, self.budget, self.seed = epochs, paths, budget, seed
        self.report_: dict[str, Any] = {}
        self._network: Network | None = None
        self._vectors = self._digest = ""
        self._scales = (1.0, 1.0)
        self._checked: Embedding | None = None

    def fit(self, graph: Graph, candidates: Iterable[PathArrays]) -> None:
        _torch_modules()
        embedding = embedding_of(graph)
        paths = self._paths(graph, candidates)
        if not len(paths.lengths):
            raise BadOption("path-vae has nothing to learn from: the graph has no facts.")
        rows = [array.tobytes() for array in _arrays(paths)]
        options = {k: v for k, v in self.options().items() if k not in _NOT_LEARNED}
        folder = cached_folder("tuning", self.versions(), options, embedding.identity, *rows)
        fit_cached(
            self, embedding.identity, *rows,
            learn=lambda: self._learn(embedding, paths, folder), whole=self._all_epochs,
        )  # fmt: skip
        if cache_enabled() and self._all_epochs():
            shutil.rmtree(folder, ignore_errors=True)

    def _all_epochs(self) -> bool:
        """Whether the time was enough: how far one comes in it depends on the machine."""
        return bool(self.report_["epochs"] == self.epochs)

    def _learn(self, embedding: Embedding, paths: PathArrays, folder: Path) -> None:
        _, elements, training = _torch_modules()
        from kgpath.encoders.checkpoint import Checkpoint

        count = min(_MOST_VALIDATION, int(len(paths.lengths) * _VALIDATION))
        validation = paths.take(slice(count or None))
        learned = paths.take(np.arange(count, len(paths.lengths)))
        options = {name: value for name, value in self.options().items() if name != "paths"}
        # Assigned only now: what was learned before survives an interrupted training.
        network, report = training.train(
            learned, validation, embedding, training.Settings(**options),
            Checkpoint(folder if cache_enabled() else None),
        )  # fmt: skip
        self._network, self.report_ = network, report
        self._scales = elements.scales_of(embedding)
        # Of relations only: entities may come and go.
        self._vectors, self._checked = hash_of(embedding.relations), embedding
        self._digest = ""

    def encode(self, candidates: PathArrays) -> NDArray[np.float32]:
        embedding = embedding_of(candidates.graph)
        self._check(embedding)
        rows = (array.tobytes() for array in _arrays(candidates))
        key = key_of(
            self.versions(), self._weights(), embedding.identity, candidates.vertices.shape, *rows
        )
        shape = len(candidates), self.latent
        return cached_array(key, shape, lambda: self._encode(candidates, embedding))

    def _encode(self, candidates: PathArrays, embedding: Embedding) -> NDArray[np.float32]:
        network = self._learned()
        import torch

        _, elements_module, _ = _torch_modules()
        elements = elements_module.Elements(embedding, self._scales)
        vectors = np.zeros((len(candidates), self.latent), dtype=np.float32)
        with one_thread(), torch.no_grad():
            for length, rows in by_length(candidates.lengths):
                for at in range(0, len(rows), _BATCH):
                    some = rows[at : at + _BATCH]
                    both = elements.read(*rows_of(candidates, some, length))
                    vectors[some] = network.posterior(*both)[0].numpy()
        return vectors

    def report(self) -> dict[str, Any]:
        return self.report_

    def save(self, folder: Path) -> None:
        """Weights and all they depend on in one file that is there whole or not at all."""
        from kgpath.encoders.weights import write_weights

        notes = {
            "vectors": self._vectors,
            "size": str(self._learned().blank.shape[0]),
            "scales": json.dumps(self._scales),
            "report": json.dumps(self.report_),
        }
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "path_vae.json", json.dumps(self.report_, indent=2).encode() + b"\n")
        write_weights(folder / _FILE, self._learned().state_dict(), notes)

    def load(self, folder: Path) -> None:
        network_module, _, _ = _torch_modules()
        from kgpath.encoders.weights import network_of, read_weights, whole_model

        path = folder / _FILE
        with whole_model(path):
            weights, notes = read_weights(path)
            sizes = len(weights["blank"]), self.hidden, self.latent, self.cell
            network = network_of(lambda: network_module.Network(*sizes), weights)
            entities, relations = parse_json(notes["scales"], list)
            scales = finite(entities, "scales"), finite(relations, "scales")
            if not min(scales) > 0:
                raise ValueError("scales are not above 0")
            report, vectors = parse_json(notes["report"], dict), notes["vectors"]
        self._network = network
        self._vectors, self._scales, self.report_ = vectors, scales, report
        self._checked, self._digest = None, ""

    def _paths(self, graph: Graph, candidates: Iterable[PathArrays]) -> PathArrays:
        """What to learn from, in random order: candidates for up to half, the rest by walks."""
        rng = np.random.default_rng(self.seed)
        count = self.paths or budget_for(graph, _PATHS)
        parts = [some for some in candidates if len(some)]
        if parts:
            parts = [distinct(joined(parts), rng).take(slice(int(count * _CANDIDATES)))]
        walks = count - sum(map(len, parts))
        return distinct(joined([*parts, random_paths(graph.index, walks, self.seed)]), rng)

    def _learned(self) -> Network:
        if self._network is None:
            raise BadOption("path-vae has not learned yet: call fit(graph, candidates) first.")
        return self._network

    def _weights(self) -> str:
        """Tells this network from others."""
        if not self._digest:
            weights = self._learned().state_dict()
            self._digest = hash_of_named({name: one.numpy() for name, one in weights.items()})
        return self._digest

    def _check(self, embedding: Embedding) -> None:
        """Refuse other vectors than those it learned from: all would be noise."""
        self._learned()
        if embedding is not self._checked:
            width = len(self._learned().blank)
            if embedding.size != width or hash_of(embedding.relations) != self._vectors:
                raise BadStore(
                    "path-vae was trained on other TransE vectors than those of this graph. "
                    "Train it again."
                )
            self._checked = embedding


def _torch_modules() -> tuple[Any, Any, Any]:
    """The modules that need torch: the network, what it reads, and its training."""
    require("torch safetensors", "neural", "path-vae")
    from kgpath.encoders.path import vae_elements, vae_network, vae_training

    return vae_network, vae_elements, vae_training


def _arrays(paths: PathArrays) -> tuple[NDArray[np.int32], ...]:
    """All that a vector depends on."""
    arrays = paths.vertices, paths.hop_codes, paths.lengths
    return tuple(map(np.ascontiguousarray, arrays))
