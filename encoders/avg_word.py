"""AVG-Word2vec of Lo & Lim (2023), section 4.2.2: what the words around an entity are about."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kgpath.context import Context
from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.word_space import Space, passages, word2vec
from kgpath.encoders.word_vectors import WordVectors
from kgpath.errors import BadOption, BadSource, BadStore
from kgpath.text import tokenize

if TYPE_CHECKING:
    from kgpath.graph import Graph


class AvgWord(ContextEncoder):
    """The mean vector of the words in range, from a file or trained on the texts of the graph.

    ``vectors`` is a file of word2vec or GloVe; without one, word2vec of ``dim`` dimensions is
    trained on the graph's own texts. Zeros where no word is known.
    """

    def __init__(
        self, range: str = "window", vectors: str = "", dim: int = 100, seed: int = 0
    ) -> None:
        super().__init__(range)
        if dim < 1:
            raise BadOption(f"dim is {dim}; it can be 1 or more.")
        self.vectors, self.dim, self.seed = vectors, dim, seed
        self._space: Space | None = None

    def fit(self, graph: Graph, contexts: Iterable[Context]) -> None:
        if not self.vectors:
            self._space = _trained(graph, self.dim, self.seed)

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        words = self.words(context, entity)
        if self.vectors:
            return np.asarray(self._file.encode([" ".join(words)])[0])
        if self._space is None:
            raise BadStore("avg-word has no word vectors yet: they are trained by fit.")
        return self._space.mean(words)

    def save(self, folder: Path) -> None:
        if self._space is not None:
            self._space.save(folder)

    def load(self, folder: Path) -> None:
        if not self.vectors:
            self._space = Space.load(folder)

    @cached_property
    def _file(self) -> WordVectors:
        return WordVectors(self.vectors)


def _trained(graph: Graph, dim: int, seed: int) -> Space:
    """Word2vec of a graph's texts; the questions do not count, so every fold has the same."""
    known = _TRAINED.setdefault(graph, {})
    if (dim, seed) not in known:
        sentences = [words for _, text in passages(graph) if (words := tokenize(text).words)]
        if not sentences:
            raise BadSource(
                f"{graph.path} holds no texts to train word vectors on. Give a file with "
                "--vectors, or use tfidf or avg-transe."
            )
        known[dim, seed] = word2vec(sentences, dim, window=5, negative=5, seed=seed)
    return known[dim, seed]


_TRAINED: WeakKeyDictionary[Graph, dict[tuple[int, int], Space]] = WeakKeyDictionary()
