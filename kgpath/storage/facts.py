"""The facts of a graph file that touch an entity, with both ends and the relation in full."""

from __future__ import annotations

from typing import Any

from kgpath.errors import UnknownName
from kgpath.storage.store import Store
from kgpath.types import Edge, Entity, Relation

_EDGES = (
    "SELECT h.id, h.iri, h.label, h.description, h.degree, r.id, r.iri, r.label, r.edges,"
    " t.id, t.iri, t.label, t.description, t.degree FROM edge"
    " JOIN entity h ON h.id = edge.head JOIN relation r ON r.id = edge.relation"
    " JOIN entity t ON t.id = edge.tail"
)

_ENDS = {"out": ("head",), "in": ("tail",), "both": ("head", "tail")}


def facts_touching(
    store: Store, entity: Entity, relation: Relation | None, direction: str, limit: int | None
) -> list[Edge]:
    """Those it is the head of first, then by relation; ``direction`` is out, in or both."""
    if direction not in _ENDS:
        raise UnknownName(f"No direction {direction!r}. Known: {', '.join(_ENDS)}.")
    facts: list[Edge] = []
    for end in _ENDS[direction]:
        query = f"{_EDGES} WHERE edge.{end} = ?"
        parameters: list[Any] = [entity.id]
        if relation is not None:
            query += " AND edge.relation = ?"
            parameters.append(relation.id)
        query += " ORDER BY r.label, r.id, h.label, t.label, h.id, t.id LIMIT ?"
        parameters.append(-1 if limit is None else limit - len(facts))
        facts += map(_edge, store.db.execute(query, parameters))
    return facts


def _edge(row: tuple[Any, ...]) -> Edge:
    return Edge(Entity(*row[:5]), Relation(*row[5:9]), Entity(*row[9:14]))
