"""The frame of Lo & Lim (2023): a question and a path as vectors, one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features import PathFeatures
from kgpath.rankers.ranker import Example, Learner, Scores
from kgpath.registry import CONTEXT_ENCODERS, PATH_ENCODERS

if TYPE_CHECKING:
    from kgpath.candidates import Candidates
    from kgpath.context import Context
    from kgpath.graph import Graph

Rows = NDArray[np.float32]


class EncodedRanker(Learner):
    """Scores ``[z_head, z_tail, z_path]``; a subclass says how.

    ``context_encoder`` and ``path_encoder`` are names (``kgpath ls context_encoders``) or objects.
    They are fitted first and separately, on the graph, the texts and the candidates, never on
    which path is true (section 6.3).
    """

    def __init__(
        self, context_encoder: Any = "tfidf", path_encoder: Any = "path-mean", seed: int = 0
    ) -> None:
        self.context_encoder = context_encoder
        self.path_encoder = path_encoder
        self.seed = seed

    @cached_property
    def contexts(self) -> Any:
        """The context encoder itself."""
        return CONTEXT_ENCODERS.make(self.context_encoder)

    @cached_property
    def paths(self) -> Any:
        """The path encoder itself."""
        return PATH_ENCODERS.make(self.path_encoder)

    @abstractmethod
    def learn(self, questions: list[tuple[Rows, Rows, tuple[int, ...]]]) -> None:
        """Learn from questions: the context's vector, a row for each path, the true places."""

    @abstractmethod
    def judge(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row of context and path."""

    def fit(self, examples: Iterable[Example]) -> None:
        """Fit both encoders, then learn to rank what they give."""
        graph = next((example.features.context.graph for example in examples), None)
        if graph is None:
            raise BadOption("No question to learn from: none has its true path among candidates.")
        self.contexts.fit(graph, _Contexts(examples))
        self.paths.fit(graph, _Paths(examples))
        questions = []
        for example in examples:
            context, rows = self._vectors(example.features)
            questions.append((context, rows, example.true))
        self.learn(questions)

    def score(self, features: PathFeatures) -> Scores:
        if not len(features.candidates):
            return Scores(np.zeros(0), {"score": np.zeros(0)})
        context, paths = self._vectors(features)
        return Scores.sum_of({"score": self.judge(joined(context, paths))})

    def needs(self, graph: Graph) -> dict[str, str]:
        return {**self.contexts.needs(graph), **self.paths.needs(graph)}

    def save(self, folder: Path) -> None:
        """Write both encoders; a subclass adds what it learned."""
        self.contexts.save(folder / "context_encoder")
        self.paths.save(folder / "path_encoder")

    def load(self, folder: Path) -> None:
        """Read both encoders."""
        self.contexts.load(folder / "context_encoder")
        self.paths.load(folder / "path_encoder")

    def _vectors(self, features: PathFeatures) -> tuple[Rows, Rows]:
        found, context = features.candidates, features.context
        # The result must not depend on which end was named first: the ends in the order of IRIs.
        ends = sorted((found.head, found.tail), key=lambda end: end.iri)
        question = np.concatenate([self.contexts.encode(context, end.id) for end in ends])
        return question.astype(np.float32), self.paths.encode(found)


def joined(context: Rows, paths: Rows) -> Rows:
    """The question's vector in front of every path's."""
    return np.hstack([np.broadcast_to(context, (len(paths), len(context))), paths])


class _Contexts:
    """The texts of some examples, each once in a row."""

    def __init__(self, examples: Iterable[Example]) -> None:
        self._examples = examples

    def __iter__(self) -> Iterator[Context]:
        last = None
        for example in self._examples:
            if example.features.context is not last:
                last = example.features.context
                yield last


class _Paths:
    """The candidates of some examples."""

    def __init__(self, examples: Iterable[Example]) -> None:
        self._examples = examples

    def __iter__(self) -> Iterator[Candidates]:
        return (example.features.candidates for example in self._examples)
