"""The frame of Lo & Lim (2023): a query and a path as vectors, one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Versioned, kinds_of
from kgpath.errors import BadOption, BadStore
from kgpath.features.path_features import PathFeatures
from kgpath.io.progress import counted
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS
from kgpath.rankers.encoded.encoded_examples import (
    EncodedExample,
    Rows,
    TextExample,
    text_examples,
)
from kgpath.rankers.encoded.tuning import choose_setting
from kgpath.rankers.ranker import Example, Scores, TrainableRanker

if TYPE_CHECKING:
    from kgpath.graph import Graph


@dataclass(eq=False)
class EncodedRanker(TrainableRanker):
    """Scores ``[z_head, z_tail, z_path]``; a subclass says how.

    ``context_encoder`` and ``path_encoder`` are names (``kgpath ls context_encoders``) or objects.
    They are fitted first and separately, on the graph, the texts and the candidates, never on
    which path is true (section 6.3). ``vectors`` is a file for context encoders that take one.
    ``similar`` adds, beyond the paper, how close each path is to the ends in the text, which trees
    cannot see in vectors side by side; both encoders need one space (minilm with path-text).
    """

    context_encoder: Any = "tfidf"
    path_encoder: Any = "path-mean"
    _: KW_ONLY  # the options of a subclass stand here, before what all share
    vectors: str = ""
    similar: bool = False
    seed: int = 0

    @cached_property
    def fitted_context_encoder(self) -> Any:
        """The context encoder that the option names; of use once it is fitted or loaded."""
        return CONTEXT_ENCODERS.make(self.context_encoder, vectors=self.vectors)

    @cached_property
    def fitted_path_encoder(self) -> Any:
        """The path encoder that the option names; of use once it is fitted or loaded."""
        return PATH_ENCODERS.make(self.path_encoder)

    @abstractmethod
    def negatives_for(self, true: int) -> int:
        """How many wrong paths are learned from beside so many true ones."""

    @abstractmethod
    def learn(self, examples: Sequence[EncodedExample]) -> None:
        """Learn to rank from queries as vectors."""

    @abstractmethod
    def score_rows(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row of context and path."""

    def fit(self, examples: Iterable[Example]) -> None:
        """Fit both encoders, then learn to rank what they give."""
        texts = text_examples(examples)
        if not texts:
            raise BadOption("No query to learn from: none has its true path among candidates.")
        graph = texts[0].context.graph
        contexts = {id(one.context): one.context for one in texts}
        self.fitted_context_encoder.fit(graph, contexts.values())
        self.fitted_path_encoder.fit(graph, [one.candidates for one in texts])
        choose_setting(self, texts)
        rng = np.random.default_rng(self.seed)
        sampled = [(one, self.sample_paths(len(one.candidates), one.true, rng)) for one in texts]
        encoding = counted(sampled, "encoding queries", "queries")
        self.learn([self.encode_some(*both) for both in encoding])

    def sample_paths(
        self, count: int, true: Sequence[int], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The paths to learn from: the true ones, and of the wrong ones some drawn at random."""
        wrong = np.setdiff1d(np.arange(count), true)
        most = min(self.negatives_for(len(true)), len(wrong))
        return np.union1d(true, rng.choice(wrong, most, replace=False)).astype(np.int64)

    def encode_some(self, example: TextExample, places: NDArray[np.int64]) -> EncodedExample:
        """A query with some of its paths as vectors."""
        some = example.candidates.take(places)
        true = tuple(np.flatnonzero(np.isin(places, example.true)).tolist())
        return self.encode_with(example.context, some, self.encode_paths(some), true)

    def encode_with(
        self, context: Context, found: PathArrays, paths: Rows, true: tuple[int, ...] = ()
    ) -> EncodedExample:
        """A query as vectors, those of its paths being known."""
        encoded = EncodedExample(self.encode_ends(context, found), paths, true)
        return encoded.with_similar() if self.similar else encoded

    def score(self, features: PathFeatures) -> Scores:
        found = features.candidates
        if not len(found):
            return Scores(np.zeros(0), {"score": np.zeros(0)})
        encoded = self.encode_with(features.context, found, self.encode_paths(found))
        scores = self.score_rows(encoded.rows())
        if not np.isfinite(scores).all():
            raise BadStore("The model gives scores that are not finite. Train it again.")
        return Scores.sum_of({"score": scores})

    def report(self) -> dict[str, Any]:
        """What the encoders report of themselves."""
        reports = {
            "context encoder": self.fitted_context_encoder.report(),
            "path encoder": self.fitted_path_encoder.report(),
        }
        return {name: report for name, report in reports.items() if report}

    def made_of(self) -> Iterable[type[Versioned]]:
        return *kinds_of(self.fitted_context_encoder), *kinds_of(self.fitted_path_encoder)

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return {
            **self.fitted_context_encoder.check_requirements(graph),
            **self.fitted_path_encoder.check_requirements(graph),
        }

    def save(self, folder: Path) -> None:
        """Write both encoders; a subclass adds what it learned."""
        self.fitted_context_encoder.save(folder / "context_encoder")
        self.fitted_path_encoder.save(folder / "path_encoder")

    def load(self, folder: Path) -> None:
        """Read both encoders."""
        self.fitted_context_encoder.load(folder / "context_encoder")
        self.fitted_path_encoder.load(folder / "path_encoder")

    def encode_ends(self, context: Context, found: PathArrays) -> Rows:
        """The vectors of both ends in a text."""
        # The result must not depend on which end was named first: the ends in the order of IRIs.
        ends = sorted((found.head, found.tail), key=lambda end: end.iri)
        vectors = [self.fitted_context_encoder.encode(context, end.id) for end in ends]
        return _finite(np.concatenate(vectors), "context_encoder", self.context_encoder)

    def encode_paths(self, found: PathArrays) -> Rows:
        """A vector for each path."""
        return _finite(self.fitted_path_encoder.encode(found), "path_encoder", self.path_encoder)


def _finite(vectors: NDArray[np.floating[Any]], what: str, choice: Any) -> Rows:
    rows = np.asarray(vectors, dtype=np.float32)
    if not np.isfinite(rows).all():
        raise BadOption(
            f"{what}={choice} gives numbers that are not finite. Its vectors are damaged: make "
            "them again, or choose another one."
        )
    return rows
