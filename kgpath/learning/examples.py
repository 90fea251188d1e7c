"""Queries with their candidates and features, and the examples that rankers learn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.io.progress import Progress, silent
from kgpath.io.queries import Query
from kgpath.learning.resolve import ResolvedQuery, Resolver, Truth, has_path, query_name
from kgpath.linking.context import Context
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.ranker import Example

#: Where the paths to rank come from.
CANDIDATES = ("found", "given")


class QuerySet:
    """Queries with known answers over a graph, in order; each gets its candidates when asked for.

    Candidates are what the engine finds, or those that each query brings along (``given``, as in
    the paper). ``notes`` says which queries could not count in full, and why; ``left_out`` the
    same of the evidence they bring.
    """

    def __init__(
        self,
        graph: Graph,
        queries: Sequence[Query],
        *,
        options: PathOptions | None = None,
        limit: int = DEFAULT_LIMIT,
        candidates: str = "found",
    ) -> None:
        _check_candidates(candidates, queries)
        self.graph = graph
        self.options = options or PathOptions()
        self.limit = limit
        self._given = candidates == "given"
        resolver = Resolver(graph)
        self.queries = [resolver.resolve(query) for query in queries]
        self.notes = resolver.notes
        self.left_out = resolver.left_out
        self._context = Context(graph, "")

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[ResolvedQuery]:
        return iter(self.queries)

    def __getitem__(self, place: int) -> ResolvedQuery:
        return self.queries[place]

    def features(self, query: ResolvedQuery) -> PathFeatures | None:
        """The candidates for a query with what is known of them; None without its ends."""
        if query.ends is None:
            return None
        context = self._context_of(query)
        if self._given:
            return PathFeatures(context, self._brought(query))
        return PathFeatures(context, candidates_for(context, *query.ends, self.options, self.limit))

    def example(self, place: int, *, untold: bool = False) -> Example | None:
        """The query at a place, to learn from; None without a true path among its candidates.

        With ``untold`` also a query that has candidates and, by its file, no true path. One whose
        true path was not found is none of these: the text may well tell it.
        """
        query = self.queries[place]
        if not query.query.told and not untold:
            return None
        features = self.features(query)
        if features is None or not len(features.candidates):
            return None
        true = true_places(features.candidates, query.truths)
        return None if query.query.told and not true else Example(features, true, query.group)

    def examples(
        self,
        places: Sequence[int] | None = None,
        progress: Progress = silent,
        *,
        untold: bool = False,
    ) -> Examples:
        """The queries at these places, or all of them, to learn from."""
        make = partial(self.example, untold=untold)
        return Examples(make, range(len(self)) if places is None else places, progress)

    def _context_of(self, query: ResolvedQuery) -> Context:
        """The text of a query; the same object for queries over one text in a row."""
        text = query.query.document
        if self._context.text != text or self._context.links != query.links:
            self._context = Context(self.graph, text, query.links)
        return self._context

    def _brought(self, query: ResolvedQuery) -> PathArrays:
        """The candidates that a query brings along, less those that are not in the graph."""
        assert query.ends is not None
        brought = list(dict.fromkeys(query.query.candidates))
        found = PathArrays.from_iris(self.graph, brought)
        there = [
            has_path(
                self.graph,
                found.vertices[row, : length + 1].tolist(),
                found.hop_codes[row].tolist(),
            )
            for row, length in enumerate(found.lengths.tolist())
        ]
        if sum(there) < len(brought):
            said = f"{query_name(query.query)}: a candidate is not in the graph. It is left out."
            self.notes += [] if said in self.notes else [said]
        return found.take(np.flatnonzero(there)).bound(self.graph, *query.ends)


class Examples:
    """Examples that can be gone through more than once, made again each time.

    ``make`` gives the example at a place, or None where there is nothing to learn; ``count`` says
    how many there were.
    """

    def __init__(
        self,
        make: Callable[[int], Example | None],
        places: Sequence[int],
        progress: Progress = silent,
    ) -> None:
        self._make, self._places, self._progress = make, places, progress
        self.count = 0

    def __iter__(self) -> Iterator[Example]:
        self.count = 0
        for done, place in enumerate(self._places):
            self._progress("reading queries", done, len(self._places))
            example = self._make(place)
            if example is not None:
                self.count += 1
                yield example
        self._progress("learning", 0, 0)


class ExamplesOverGraphs:
    """Examples over several graphs, one graph after the other; a text over two of them is two."""

    def __init__(self, parts: Sequence[Examples]) -> None:
        self._parts = parts

    @property
    def count(self) -> int:
        """How many there were when they were gone through last."""
        return sum(part.count for part in self._parts)

    def __iter__(self) -> Iterator[Example]:
        for number, part in enumerate(self._parts):
            for example in part:
                # Entities are numbers of one graph: what is known of a text holds for it alone.
                group = f"{number} {example.group}" if number else example.group
                yield example._replace(group=group)


def true_places(found: PathArrays, truths: Iterable[Truth]) -> tuple[int, ...]:
    """Which candidates are true."""
    rows = (matching_rows(found, truth.vertices, truth.hop_codes) for truth in truths)
    return tuple(int(place) for places in rows for place in np.flatnonzero(places))


def matching_rows(
    found: PathArrays, vertices: Sequence[int], codes: Sequence[int] | None = None
) -> NDArray[np.bool_]:
    """The candidates with these entities and, if given, these hop codes."""
    length = len(vertices) - 1
    if not 1 <= length <= found.hop_codes.shape[1]:
        return np.zeros(len(found), dtype=np.bool_)
    same = (found.lengths == length) & (found.vertices[:, : length + 1] == vertices).all(axis=1)
    if codes is not None:
        same &= (found.hop_codes[:, :length] == codes).all(axis=1)
    return np.asarray(same)


def _check_candidates(candidates: str, queries: Iterable[Query]) -> None:
    if candidates not in CANDIDATES:
        raise BadOption(f"candidates is {candidates!r}; it can be {' or '.join(CANDIDATES)}.")
    if candidates == "given":
        for query in queries:
            if not query.candidates:
                raise BadOption(
                    f"{query_name(query)} brings no candidates. Leave out --candidates given: they "
                    "are then found in the graph."
                )
