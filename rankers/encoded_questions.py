"""Questions on their way to a ranker over vectors: as asked, and as encoded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.candidates import Candidates
from kgpath.context import Context
from kgpath.rankers.ranker import Example

Rows = NDArray[np.float32]


class Asked(NamedTuple):
    """What is kept of an example: its text without what was worked out for it, and its paths."""

    context: Context
    candidates: Candidates
    true: tuple[int, ...]
    group: str


class Encoded(NamedTuple):
    """A question as vectors: of both ends in the text, a row for each path, the true places."""

    context: Rows
    paths: Rows
    true: tuple[int, ...]

    def take(self, places: NDArray[np.int64]) -> Encoded:
        """With some of the paths."""
        true = tuple(np.flatnonzero(np.isin(places, self.true)).tolist())
        return Encoded(self.context, self.paths[places], true)

    def rows(self) -> Rows:
        """The question's vector in front of every path's."""
        wide = np.broadcast_to(self.context, (len(self.paths), len(self.context)))
        return np.hstack([wide, self.paths])


def asked_in(examples: Iterable[Example]) -> list[Asked]:
    """All examples, gone through once: finding candidates takes longer than most that follows."""
    # A context keeps numbers for every entity of the graph: the text is enough to begin again.
    texts: dict[tuple[str, Any], Context] = {}
    asked = []
    for features, true, group in examples:
        own = features.context
        fresh = Context(own.graph, own.text, own.links)
        context = texts.setdefault((own.text, own.links), fresh)
        asked.append(Asked(context, features.candidates, true, group))
    return asked
