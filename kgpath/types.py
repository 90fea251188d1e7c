"""Small immutable records that pass between the parts of kgpath."""

from __future__ import annotations

from typing import NamedTuple


class Entity(NamedTuple):
    """A thing in the graph. ``id`` is its place in every array of the index."""

    id: int
    iri: str
    label: str
    description: str = ""
    degree: int = 0

    def __str__(self) -> str:
        return self.label


class Relation(NamedTuple):
    """A kind of edge; ``edges`` counts how often it occurs (0: only a super-property)."""

    id: int
    iri: str
    label: str
    edges: int = 0

    def __str__(self) -> str:
        return self.label


class OntologyClass(NamedTuple):
    """A type that entities can have; ``entities`` counts those that have it directly."""

    id: int
    iri: str
    label: str
    entities: int = 0

    def __str__(self) -> str:
        return self.label


class Edge(NamedTuple):
    """One fact, as stated: ``head`` has ``relation`` to ``tail``."""

    head: Entity
    relation: Relation
    tail: Entity

    def __str__(self) -> str:
        return f"{self.head} –{self.relation}→ {self.tail}"


class Match(NamedTuple):
    """An entity found by a name, and how: ``exact``, ``prefix``, ``words`` or ``fuzzy``."""

    entity: Entity
    name: str
    how: str
    types: tuple[str, ...] = ()


class Source(NamedTuple):
    """What was loaded into a graph file, when, and what was left out of it and why."""

    name: str
    format: str
    action: str
    loaded_at: str
    sha256: str
    bytes: int
    statements: int
    edges: int
    malformed: int
    left_out: dict[str, int]
