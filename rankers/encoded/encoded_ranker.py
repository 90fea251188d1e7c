"""The frame of Lo & Lim (2023): a question and a path as vectors, one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.io.progress import with_notes
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS
from kgpath.rankers.encoded.encoded_questions import Asked, Encoded, Rows, asked_in
from kgpath.rankers.encoded.tuning import choose_setting
from kgpath.rankers.ranker import Example, Scores, TrainableRanker

if TYPE_CHECKING:
    from kgpath.graph import Graph


class EncodedRanker(TrainableRanker):
    """Scores ``[z_head, z_tail, z_path]``; a subclass says how.

    ``context_encoder`` and ``path_encoder`` are names (``kgpath ls context_encoders``) or objects.
    They are fitted first and separately, on the graph, the texts and the candidates, never on
    which path is true (section 6.3). ``vectors`` is a file for context encoders that take one.
    ``similar`` adds, beyond the paper, how close each path is to the ends in the text, which trees
    cannot see in vectors side by side; both encoders need one space (minilm with path-text).
    """

    def __init__(
        self,
        context_encoder: Any = "tfidf",
        path_encoder: Any = "path-mean",
        vectors: str = "",
        similar: bool = False,
        seed: int = 0,
    ) -> None:
        self.context_encoder = context_encoder
        self.path_encoder = path_encoder
        self.vectors = vectors
        self.similar = similar
        self.seed = seed

    @cached_property
    def contexts(self) -> Any:
        """The context encoder itself."""
        return CONTEXT_ENCODERS.make(self.context_encoder, vectors=self.vectors)

    @cached_property
    def paths(self) -> Any:
        """The path encoder itself."""
        return PATH_ENCODERS.make(self.path_encoder)

    @abstractmethod
    def wrong_for(self, true: int) -> int:
        """How many wrong paths are learned from beside so many true ones."""

    @abstractmethod
    def learn(self, questions: Sequence[Encoded]) -> None:
        """Learn to rank from questions as vectors."""

    @abstractmethod
    def judge(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row of context and path."""

    def fit(self, examples: Iterable[Example]) -> None:
        """Fit both encoders, then learn to rank what they give."""
        asked = asked_in(examples)
        if not asked:
            raise BadOption("No query to learn from: none has its true path among candidates.")
        graph = asked[0].context.graph
        texts = {id(one.context): one.context for one in asked}
        self.contexts.fit(graph, texts.values())
        self.paths.fit(graph, [one.candidates for one in asked])
        choose_setting(self, asked)
        rng = np.random.default_rng(self.seed)
        chosen = [(one, self.chosen(len(one.candidates), one.true, rng)) for one in asked]
        self.learn([self.encoded(*both) for both in with_notes(chosen, "encoding questions")])

    def chosen(
        self, count: int, true: Sequence[int], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The paths to learn from: the true ones, and of the wrong ones some drawn at random."""
        wrong = np.setdiff1d(np.arange(count), true)
        most = min(self.wrong_for(len(true)), len(wrong))
        return np.union1d(true, rng.choice(wrong, most, replace=False)).astype(np.int64)

    def encoded(self, asked: Asked, places: NDArray[np.int64]) -> Encoded:
        """A question with some of its paths as vectors."""
        found = asked.candidates
        some = found.take(places)
        true = tuple(np.flatnonzero(np.isin(places, asked.true)).tolist())
        return self.joined(asked.context, some, self.rows(some), true)

    def joined(
        self, context: Context, found: PathArrays, paths: Rows, true: tuple[int, ...] = ()
    ) -> Encoded:
        """A question with the vectors of its paths."""
        encoded = Encoded(self.question(context, found), paths, true)
        return encoded.with_similar() if self.similar else encoded

    def score(self, features: PathFeatures) -> Scores:
        found = features.candidates
        if not len(found):
            return Scores(np.zeros(0), {"score": np.zeros(0)})
        encoded = self.joined(features.context, found, self.rows(found))
        return Scores.sum_of({"score": self.judge(encoded.rows())})

    def report(self) -> dict[str, Any]:
        """What the encoders tell of themselves."""
        told = {"context encoder": self.contexts.report(), "path encoder": self.paths.report()}
        return {name: about for name, about in told.items() if about}

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return {**self.contexts.check_requirements(graph), **self.paths.check_requirements(graph)}

    def save(self, folder: Path) -> None:
        """Write both encoders; a subclass adds what it learned."""
        self.contexts.save(folder / "context_encoder")
        self.paths.save(folder / "path_encoder")

    def load(self, folder: Path) -> None:
        """Read both encoders."""
        self.contexts.load(folder / "context_encoder")
        self.paths.load(folder / "path_encoder")

    def question(self, context: Context, found: PathArrays) -> Rows:
        """The vectors of both ends in a text."""
        # The result must not depend on which end was named first: the ends in the order of IRIs.
        ends = sorted((found.head, found.tail), key=lambda end: end.iri)
        vectors = [self.contexts.encode(context, end.id) for end in ends]
        return _finite(np.concatenate(vectors), "context_encoder", self.context_encoder)

    def rows(self, found: PathArrays) -> Rows:
        """A vector for each path."""
        return _finite(self.paths.encode(found), "path_encoder", self.path_encoder)


def _finite(vectors: NDArray[np.floating[Any]], what: str, choice: Any) -> Rows:
    rows = np.asarray(vectors, dtype=np.float32)
    if not np.isfinite(rows).all():
        raise BadOption(
            f"{what}={choice} gives numbers that are not finite. Its vectors are damaged: make "
            "them again, or choose another one."
        )
    return rows
