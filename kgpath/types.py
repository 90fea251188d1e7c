"""Small immutable records that pass between the parts of kgpath."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


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


class Hop(NamedTuple):
    """A step along a path: a relation, walked in its direction or against it.

    ``also`` are other relations between the same two entities that are shown with it:
    ``–author, writer→``; one walked the other way has ``^`` in front, ``–child, ^parent→``.
    Of several with the same label one is enough.
    """

    relation: Relation
    forward: bool
    also: tuple[Hop, ...] = ()

    def __str__(self) -> str:
        others = (f"{'' if o.forward == self.forward else '^'}{o.relation}" for o in self.also)
        said = ", ".join(dict.fromkeys([str(self.relation), *others]))
        return f"–{said}→" if self.forward else f"←{said}–"

    @property
    def iri(self) -> str:
        """The IRI of the relation, with ``^`` in front where it is walked backwards."""
        return self.relation.iri if self.forward else f"^{self.relation.iri}"

    def reversed(self) -> Hop:
        """The same step from its other end."""
        return Hop(self.relation, not self.forward, tuple(hop.reversed() for hop in self.also))

    def to_json(self) -> dict[str, Any]:
        """The step as plain data."""
        data: dict[str, Any] = {"iri": self.relation.iri, "forward": self.forward}
        if self.also:
            data["also"] = [hop.to_json() for hop in self.also]
        return data


@dataclass(frozen=True)
class Path:
    """Entities and the hops between them: ``Roger Moore ←portrayer– James Bond –portrayer→ …``."""

    nodes: tuple[Entity, ...]
    hops: tuple[Hop, ...]
    cost: float | None = None

    @property
    def length(self) -> int:
        return len(self.hops)

    def __str__(self) -> str:
        parts = [str(self.nodes[0])]
        for hop, node in zip(self.hops, self.nodes[1:], strict=True):
            parts += [str(hop), str(node)]
        return " ".join(parts)

    def reversed(self) -> Path:
        """The same path from the other end."""
        hops = tuple(hop.reversed() for hop in reversed(self.hops))
        return Path(self.nodes[::-1], hops, self.cost)

    def iris(self) -> list[str]:
        """Entity, relation, entity, … by IRI; a relation walked backwards begins with ``^``."""
        iris = [self.nodes[0].iri]
        for hop, node in zip(self.hops, self.nodes[1:], strict=True):
            iris += [hop.iri, node.iri]
        return iris

    def to_json(self) -> dict[str, Any]:
        """The path as plain data."""
        data: dict[str, Any] = {
            "nodes": [node.iri for node in self.nodes],
            "relations": [hop.to_json() for hop in self.hops],
            "length": self.length,
        }
        if self.cost is not None:
            data["cost"] = self.cost
        return data
