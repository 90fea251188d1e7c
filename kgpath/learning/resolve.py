"""Queries looked up in a graph: their two ends, their true paths and the links of their texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kgpath.errors import BadOption, KgpathError
from kgpath.graph import Graph
from kgpath.io.queries import Query
from kgpath.linking.mentions import Link
from kgpath.storage.hop_codes import codes_of
from kgpath.types import Entity, Hop, Path, Relation


class Truth(NamedTuple):
    """A true path: as a path, and as ids where all of it is in the graph."""

    path: Path
    vertices: tuple[int, ...]
    hop_codes: tuple[int, ...]


@dataclass(frozen=True)
class ResolvedQuery:
    """A query whose names have been looked up; without ends if an entity is not in the graph.

    ``group`` is the same for all queries over one text.
    """

    query: Query
    group: str
    ends: tuple[Entity, Entity] | None
    truths: tuple[Truth, ...]
    links: tuple[Link, ...]


class Resolver:
    """Looks queries up in a graph. ``notes`` says which of them cannot count in full, and why."""

    def __init__(self, graph: Graph) -> None:
        self.notes: list[str] = []
        self._graph = graph
        self._relations = {relation.iri: relation for relation in graph.store.relations}

    def resolve(self, query: Query) -> ResolvedQuery:
        """A query with what the graph knows of it."""
        where = query_name(query)
        group = hashlib.blake2b(query.document.encode("utf-8", "replace"), digest_size=8)
        ends = None
        try:
            head, tail = self._graph.entity(query.head), self._graph.entity(query.tail)
            if head.id == tail.id:
                raise BadOption(f"head and tail are both {head.label}.")
            ends = head, tail
        except KgpathError as error:
            counts = "missed" if query.told else "none"  # the verdict of a query without paths
            self.notes.append(f"{where}: {str(error).splitlines()[0]} It counts as {counts}.")
        truths = tuple(self._truth(path) for path in query.paths)
        if ends and truths and not any(truth.vertices for truth in truths):
            self.notes.append(f"{where}: the true path is not in the graph. It counts as missed.")
        return ResolvedQuery(query, group.hexdigest(), ends, truths, tuple(self._links(query)))

    def _links(self, query: Query) -> Iterator[Link]:
        for name, words in query.links:
            try:
                yield Link(self._graph.entity(name).id, words)
            except KgpathError:
                continue  # a text may link to what the graph does not have

    def _truth(self, iris: Sequence[str]) -> Truth:
        """A true path by IRI; without ids if the graph lacks a part of it."""
        nodes = tuple(self._entity(name) for name in iris[::2])
        hops = tuple(self._hop(name) for name in iris[1::2])
        vertices = tuple(node.id for node in nodes)
        codes = tuple(codes_of(hops))
        known = min(vertices) >= 0 and min(codes) >= 0 and has_path(self._graph, vertices, codes)
        return Truth(Path(nodes, hops), vertices if known else (), codes if known else ())

    def _entity(self, name: str) -> Entity:
        try:
            return self._graph.entity(name)
        except KgpathError:
            return Entity(-1, name, name)

    def _hop(self, name: str) -> Hop:
        iri = name.removeprefix("^")
        return Hop(self._relations.get(iri) or Relation(-1, iri, iri), forward=iri == name)


def query_name(query: Query) -> str:
    """A query as notes call it: its name and where it stood."""
    return f"{query.id} (line {query.line})" if query.line else query.id


def has_path(graph: Graph, vertices: Sequence[int], codes: Sequence[int]) -> bool:
    """Whether a graph has every hop of a path."""
    hops = zip(vertices, codes, vertices[1:], strict=False)
    return all(code in graph.index.codes_between(one, other) for one, code, other in hops)
