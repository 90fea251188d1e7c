"""Queries looked up in a graph: their two ends, their true paths and the links of their texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from typing import NamedTuple

from kgpath.errors import AmbiguousEntity, BadOption, KgpathError
from kgpath.graph import Graph
from kgpath.io.evidence import MarkedFact, MarkedText, no_such_sentence
from kgpath.io.queries import Query
from kgpath.learning.marked_sentences import FactIds, MarkedSentences
from kgpath.lexicon.text import sentence_spans
from kgpath.linking.context import Context
from kgpath.linking.mentions import Link
from kgpath.storage.hop_codes import codes_of, relation_of
from kgpath.storage.names import relations_named
from kgpath.types import Entity, Hop, Path, Relation

#: A path whose relations are given by name may be so many paths of the graph.
MOST_READINGS = 16


class Truth(NamedTuple):
    """A true path: as a path, and as ids where all of it is in the graph."""

    path: Path
    vertices: tuple[int, ...]
    hop_codes: tuple[int, ...]


@dataclass(frozen=True)
class ResolvedQuery:
    """A query whose names have been looked up; without ends if an entity is not in the graph.

    ``group`` is the same for all queries over one text. ``marked`` is the evidence that the query
    brings for facts of the graph, if it brings any.
    """

    query: Query
    group: str
    ends: tuple[Entity, Entity] | None
    truths: tuple[Truth, ...]
    links: tuple[Link, ...]
    marked: MarkedSentences | None = None


class Resolver:
    """Looks queries up in a graph. ``notes`` says which of them cannot count in full, and why.

    ``left_out`` says the same of their evidence.
    """

    def __init__(self, graph: Graph) -> None:
        self.notes: list[str] = []
        self.left_out: list[str] = []
        self._graph = graph
        self._relations = {relation.iri: [relation] for relation in graph.store.relations}

    def resolve(self, query: Query) -> ResolvedQuery:
        """A query with what the graph knows of it."""
        where = query_name(query)
        ends = None
        try:
            head, tail = (self._meant(name, query) for name in (query.head, query.tail))
            if head.id == tail.id:
                raise BadOption(f"head and tail are both {head.label}.")
            ends = head, tail
        except KgpathError as error:
            counts = "missed" if query.told else "none"  # the verdict of a query without paths
            self.notes.append(f"{where}: {str(error).splitlines()[0]} It counts as {counts}.")
        truths = tuple(truth for path in query.paths for truth in self._truths(path, query))
        if ends and truths and not any(truth.vertices for truth in truths):
            self.notes.append(f"{where}: the true path is not in the graph. It counts as missed.")
        links, marked = tuple(self._links(query)), None
        if query.evidence:
            marked = self.marked(
                MarkedText(query.id, query.document, query.evidence, query.sentence_starts), where
            )
        return ResolvedQuery(query, group_of(query.document), ends, truths, links, marked)

    def marked(self, text: MarkedText, where: str) -> MarkedSentences | None:
        """The marked sentences of the facts that the graph has; None if a number means nothing."""
        last = max((number for fact in text.facts for number in fact.sentences), default=-1)
        if not text.sentence_starts:
            count = len(sentence_spans(text.document))
            if last >= count:
                self.left_out.append(
                    f"{where}: {no_such_sentence(last, count)} as kgpath splits it. Its evidence "
                    "is left out: say where its sentences start, as sentence_starts."
                )
                return None
        facts: dict[FactIds, frozenset[int]] = {}
        for fact in text.facts:
            ids = self._fact(fact) if fact.sentences else None
            if ids is not None:
                facts[ids] = facts.get(ids, frozenset()) | frozenset(fact.sentences)
        return MarkedSentences(facts, text.sentence_starts)

    def _fact(self, fact: MarkedFact) -> FactIds | None:
        """A fact by ids; None if the graph does not have it."""
        truth = next(self._truths((fact.head, fact.relation, fact.tail)))
        if not truth.vertices or fact.relation.startswith("^"):
            return None
        return truth.vertices[0], relation_of(truth.hop_codes[0]), truth.vertices[1]

    def _links(self, query: Query) -> Iterator[Link]:
        for name, words in query.links:
            try:
                yield Link(self._graph.entity(name).id, words)
            except KgpathError:
                continue  # a text may link to what the graph does not have

    def _truths(self, names: Sequence[str], query: Query | None = None) -> Iterator[Truth]:
        """A true path by IRI or name; several where a name of a relation may stand for several.

        Of these, those that join the two entities are meant.
        """
        nodes = tuple(self._entity(name, query) for name in names[::2])
        choices = []
        for (one, other), name in zip(pairwise(nodes), names[1::2], strict=True):
            hops = self._hops(name)
            joining = [
                hop for hop in hops if len(hops) > 1 and self._truth((one, other), [hop]).vertices
            ]
            choices.append(joining or hops[:1])
        for reading in islice(product(*choices), MOST_READINGS):
            yield self._truth(nodes, reading)

    def _truth(self, nodes: Sequence[Entity], hops: Sequence[Hop]) -> Truth:
        """A true path; without ids if the graph lacks a part of it."""
        vertices = tuple(node.id for node in nodes)
        codes = tuple(codes_of(hops))
        known = min(vertices) >= 0 and min(codes) >= 0 and has_path(self._graph, vertices, codes)
        path = Path(tuple(nodes), tuple(hops))
        return Truth(path, vertices if known else (), codes if known else ())

    def _entity(self, name: str, query: Query | None = None) -> Entity:
        try:
            return self._graph.entity(name) if query is None else self._meant(name, query)
        except KgpathError:
            return Entity(-1, name, name)

    def _meant(self, name: str, query: Query) -> Entity:
        """The entity of this name; of several with one name, that which the text means."""
        try:
            return self._graph.entity(name)
        except AmbiguousEntity:
            return Context(self._graph, query.document).entity(name)

    def _hops(self, name: str) -> list[Hop]:
        """What a relation by IRI or name may stand for, the most common first."""
        plain = name.removeprefix("^")
        if plain not in self._relations:
            found = relations_named(self._graph.store, plain)
            self._relations[plain] = found or [Relation(-1, plain, plain)]
        return [Hop(relation, forward=plain == name) for relation in self._relations[plain]]


def query_name(query: Query) -> str:
    """A query as notes call it: its name and where it stood."""
    return where_of(query.id, query.line)


def where_of(name: str, line: int) -> str:
    """A name, and the line it stood in if it came from a file and has a name of its own."""
    return f"{name} (line {line})" if line and name != f"line {line}" else name


def group_of(document: str) -> str:
    """The same for all that is asked of one text."""
    return hashlib.blake2b(document.encode("utf-8", "replace"), digest_size=8).hexdigest()


def has_path(graph: Graph, vertices: Sequence[int], codes: Sequence[int]) -> bool:
    """Whether a graph has every hop of a path."""
    hops = zip(vertices, codes, vertices[1:], strict=False)
    return all(code in graph.index.codes_between(one, other) for one, code, other in hops)
