"""What the averaged encoders have in common: a space of vectors, from a file or trained by fit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.vectors.word_space import Space
from kgpath.encoders.vectors.word_vectors import file_hash
from kgpath.errors import BadOption, BadStore
from kgpath.io.model_cache import fit_cached
from kgpath.linking.context import Context

if TYPE_CHECKING:
    from kgpath.graph import Graph


class LearnedSpace(ContextEncoder):
    """``vectors`` is a file; without one, ``dim`` dimensions are trained on the graph.

    The queries do not count in training, so one graph needs it once, for all folds.
    """

    name: ClassVar[str]  # by its name among the encoders
    LIMITS: ClassVar[dict[str, int]] = {"dim": 10_000}

    def __init__(
        self, scope: str = "window", vectors: str = "", dim: int = 100, seed: int = 0
    ) -> None:
        super().__init__(scope)
        if dim < 1:
            raise BadOption(f"dim is {dim}; it can be 1 or more.")
        self.vectors, self.dim, self.seed = vectors, dim, seed
        self._space: Space | None = None

    @abstractmethod
    def read(self, path: Path) -> Space:
        """The vectors of a file."""

    @abstractmethod
    def train(self, graph: Graph) -> Space:
        """Vectors learned from a graph."""

    @property
    def space(self) -> Space:
        """The vectors; those of a file are read when first needed."""
        if self._space is None and self.vectors:
            self._space = self.read(Path(self.vectors))
        if self._space is None:
            raise BadStore(f"{self.name} has no vectors yet: they are trained by fit.")
        return self._space

    def fit(self, graph: Graph, contexts: Iterable[Context]) -> None:
        if not self.vectors:
            known = _TRAINED.setdefault(graph, {})
            key = type(self), self.dim, self.seed
            if key not in known:
                fit_cached(self, graph.fingerprint, learn=lambda: self._learn(graph))
                known[key] = self.space
            self._space = known[key]

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return {"word vectors": file_hash(Path(self.vectors))} if self.vectors else {}

    def _learn(self, graph: Graph) -> None:
        self._space = self.train(graph)

    def save(self, folder: Path) -> None:
        if not self.vectors:
            self.space.save(folder)

    def load(self, folder: Path) -> None:
        if not self.vectors:
            self._space = Space.load(folder)


_TRAINED: WeakKeyDictionary[Graph, dict[tuple[type, int, int], Space]] = WeakKeyDictionary()
