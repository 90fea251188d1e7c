"""Queries with their candidates, which are found once for all experiments."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property

from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.io.progress import Progress
from kgpath.io.queries import Query
from kgpath.learning.examples import Examples, QuerySet, true_places
from kgpath.learning.resolve import ResolvedQuery
from kgpath.linking.context import Context
from kgpath.metrics import OntologyPaths
from kgpath.paths.finder import PathOptions
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.ranker import Example
from kgpath.reproduce.ecpr.settings import Settings


class StudyQueries:
    """The queries of a study. ``seconds`` is the time that finding candidates took."""

    def __init__(
        self, graph: Graph, queries: list[Query], settings: Settings, progress: Progress
    ) -> None:
        given = all(query.candidates for query in queries)
        self.mode = settings.candidates or ("given" if given else "found")
        self._query_set = QuerySet(
            graph, queries, options=PathOptions(max_hops=settings.max_hops),
            limit=settings.limit, candidates=self.mode,
        )  # fmt: skip
        self.graph = graph
        self.queries: list[ResolvedQuery] = self._query_set.queries
        self.notes = self._query_set.notes
        self._progress = progress
        self._found: list[PathArrays | None] | None = None
        self._context = Context(graph, "")
        self.seconds = 0.0

    def __len__(self) -> int:
        return len(self.queries)

    @cached_property
    def ontology(self) -> OntologyPaths:
        """For NGEO."""
        return OntologyPaths.from_graph(self.graph)

    @property
    def found(self) -> list[PathArrays | None]:
        """The candidates of every query; None where an end is not in the graph."""
        if self._found is None:
            began = time.process_time()
            found = []
            for place, query in enumerate(self.queries):
                self._progress("finding candidates", place, len(self))
                features = self._query_set.features(query)
                found.append(None if features is None else features.candidates)
            self._found = found
            self.seconds = time.process_time() - began
        return self._found

    def features(self, place: int) -> PathFeatures | None:
        """A query as rankers read it."""
        found = self.found[place]
        return None if found is None else PathFeatures(self.context(place), found)

    def context(self, place: int) -> Context:
        """The text of a query; the same object for queries over one text in a row.

        A context keeps numbers for every entity of the graph: those of all texts are too many.
        """
        query = self.queries[place]
        if (self._context.text, self._context.links) != (query.query.document, query.links):
            self._context = Context(self.graph, query.query.document, query.links)
        return self._context

    def contexts(self) -> list[Context]:
        """All texts, each once."""
        places = (place for place, found in enumerate(self.found) if found is not None)
        every = {(c.text, c.links): c for c in map(self.context, places)}
        return list(every.values())

    def candidates(self) -> list[PathArrays]:
        """The candidates of all queries that have both ends in the graph."""
        return [found for found in self.found if found is not None]

    def true(self, place: int) -> tuple[int, ...]:
        """Which candidates are true."""
        found = self.found[place]
        return () if found is None else true_places(found, self.queries[place].truths)

    def examples(self, places: Sequence[int]) -> Examples:
        """To learn from: those with a true path among their candidates."""
        return Examples(self.example, places)

    def example(self, place: int) -> Example | None:
        """The query at a place, to learn from; None without a true candidate."""
        true, features = self.true(place), self.features(place)
        if not true or features is None:
            return None
        return Example(features, true, self.queries[place].group)
