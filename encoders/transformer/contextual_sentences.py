"""Sentence vectors of the contextualised encoders, for rankers that read facts and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component, Versioned, versions_of
from kgpath.encoders.cached import CachedEncoder
from kgpath.encoders.transformer.contextual import Contextual
from kgpath.errors import BadOption
from kgpath.io.one_thread import one_thread
from kgpath.plugins import CONTEXT_ENCODERS

if TYPE_CHECKING:
    from typing import Any

    from kgpath.graph import Graph

_AT_ONCE = 32


class ContextualSentences(Component):
    """Unit vectors: the mean hidden state of bert, kg-bert, k-bert or kepler over a text.

    ``encoder`` is one of these, with its options. It learns from the graph whose texts are read.
    """

    def __init__(self, encoder: str = "kepler") -> None:
        self.encoder = encoder
        self._readers: WeakKeyDictionary[Graph, CachedEncoder] = WeakKeyDictionary()

    @cached_property
    def contextual(self) -> Contextual:
        """The encoder itself."""
        made = CONTEXT_ENCODERS.make(self.encoder)
        if not isinstance(made, Contextual):
            raise BadOption(
                f"{self.encoder} has no sentence vectors; bert, kg-bert, k-bert and kepler have."
            )
        return made

    def of(self, graph: Graph) -> CachedEncoder:
        """What reads texts of this graph; learned from it now, if nothing was learned yet."""
        if graph not in self._readers:
            if not self.contextual.has_learned:
                self.contextual.fit(graph)
            self._readers[graph] = CachedEncoder(_Sentences(self.contextual, graph))
        return self._readers[graph]

    @property
    def identity(self) -> str:
        return self.contextual.identity

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Refused: which graph is it?"""
        raise BadOption(f"{self.encoder} reads the texts of a graph: use it with kgpath-ltr.")

    def made_of(self) -> tuple[type[Versioned], ...]:
        return type(self.contextual), *self.contextual.made_of()

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return self.contextual.check_requirements(graph)

    def report(self) -> dict[str, Any]:
        return self.contextual.report()

    def save(self, folder: Path) -> None:
        self.contextual.save(folder)

    def load(self, folder: Path) -> None:
        self.contextual.load(folder)
        self._readers.clear()


class _Sentences:
    """A text encoder over a network and a graph."""

    def __init__(self, contextual: Contextual, graph: Graph) -> None:
        self.contextual, self.graph = contextual, graph

    @property
    def identity(self) -> str:
        """What the vectors depend on, besides the text."""
        own = self.graph.fingerprint if self.contextual.reads_entities else ""
        versions = versions_of(ContextualSentences)
        return f"{versions} {self.contextual.identity} {self.contextual.options()} {own}"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text; zeros for one without words."""
        import torch

        from kgpath.encoders.transformer.hidden_states import by_size, hidden_states

        network = self.contextual.network
        sums = np.zeros((len(texts), network.size), dtype=np.float64)
        owners, chunks = [], []
        for number, text in enumerate(texts):
            found = self.contextual.chunks(
                self.graph, text, self.contextual.named(self.graph, text)
            )
            chunks += found
            owners += [number] * len(found)
        with one_thread(), torch.inference_mode():
            for places in by_size(chunks, _AT_ONCE):
                states = hidden_states(network, [chunks[at] for at in places]).numpy()
                for rows, at in zip(states, places, strict=True):
                    of_text = np.flatnonzero(chunks[at].places[:, 0] >= 0)
                    sums[owners[at]] += rows[of_text].sum(axis=0, dtype=np.float64)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)
