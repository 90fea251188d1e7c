"""Examples on their way to a ranker over vectors: as text and paths, and as encoded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.ranker import Example

Rows = NDArray[np.float32]


class TextExample(NamedTuple):
    """What is needed of an example: its text without what was worked out for it, and its paths."""

    context: Context
    candidates: PathArrays
    true: tuple[int, ...]
    group: str


class EncodedExample(NamedTuple):
    """A query as vectors: of both ends in the text, a row for each path, the true places.

    ``similar`` has further numbers for each path: how close it is to the ends in the text.
    """

    context: Rows
    paths: Rows
    true: tuple[int, ...] = ()
    similar: Rows = np.zeros((0, 0), np.float32)

    def take(self, places: NDArray[np.int64]) -> EncodedExample:
        """With some of the paths."""
        true = tuple(np.flatnonzero(np.isin(places, self.true)).tolist())
        similar = self.similar[places] if self.similar.size else self.similar
        return EncodedExample(self.context, self.paths[places], true, similar)

    def rows(self) -> Rows:
        """The query's vector in front of every path's."""
        wide = np.broadcast_to(self.context, (len(self.paths), len(self.context)))
        return np.hstack([wide, self.of_paths()])

    def of_paths(self) -> Rows:
        """What differs from path to path."""
        return np.hstack([self.paths, self.similar]) if self.similar.size else self.paths

    def with_similar(self) -> EncodedExample:
        """With the cosine of each path to each end; all vectors have to lie in one space."""
        size = self.paths.shape[1]
        if len(self.context) != 2 * size:
            raise BadOption(
                "similar needs texts and paths in one space; here they have "
                f"{len(self.context) // 2} and {size} dimensions. Take minilm with path-text."
            )
        similar = _unit(self.paths) @ _unit(self.context.reshape(2, size)).T
        return self._replace(similar=similar)


def _unit(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-9)), dtype=np.float32)


def text_examples(examples: Iterable[Example]) -> list[TextExample]:
    """All examples, gone through once: finding candidates takes longer than most that follows."""
    # A context keeps numbers for every entity of the graph: the text is enough to begin again.
    texts: dict[tuple[str, Any], Context] = {}
    made = []
    for features, true, group in examples:
        own = features.context
        fresh = Context(own.graph, own.text, own.links)
        context = texts.setdefault((own.text, own.links), fresh)
        made.append(TextExample(context, features.candidates, true, group))
    return made
