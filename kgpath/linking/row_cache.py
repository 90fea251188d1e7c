"""Values of entities from a table of the graph file, cached in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from kgpath.graph import Graph

T = TypeVar("T")


class RowCache(Generic[T]):
    """What a table says of entities, read from the file but for those that were asked for lately.

    Most texts name some of the same. Threads may share it: at worst they read something twice.
    """

    def __init__(self, table: str, columns: str, values: Callable[..., Iterable[T]]) -> None:
        self._table, self._columns, self._values = table, columns, values
        self._known: WeakKeyDictionary[Graph, dict[int, frozenset[T]]] = WeakKeyDictionary()

    def of(self, graph: Graph, entities: set[int], most: int = 1 << 16) -> dict[int, frozenset[T]]:
        """The values of all rows of each entity."""
        known = self._known.setdefault(graph, {})
        # Another thread may empty it meanwhile, hence not "if entity in known".
        found = {e: values for e in entities if (values := known.get(e)) is not None}
        if len(found) < len(entities):
            unknown = entities.difference(found)
            read: dict[int, set[T]] = {entity: set() for entity in unknown}
            for entity, *row in graph.store.rows(
                f"SELECT entity, {self._columns} FROM {self._table} WHERE entity IN ({{ids}})",
                unknown,
            ):
                read[entity].update(self._values(*row))
            new = {entity: frozenset(values) for entity, values in read.items()}
            if len(known) + len(new) > most:
                known.clear()
            known.update(new)
            found.update(new)
        return found
