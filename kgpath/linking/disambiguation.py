"""Which homonym a text means: the one with most neighbours among the others it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgpath.storage.store import RowCache

if TYPE_CHECKING:
    from kgpath.graph import Graph

# So many neighbours of an entity are read one by one; those of a hub are searched.
_FEW = 200


class CandidateMention(NamedTuple):
    """Tokens that are a name, the entities that have it, and whether it is safe to believe."""

    first: int
    last: int
    entities: tuple[int, ...]
    safe: bool
    given: bool = False  # by a link of the document


def disambiguate(graph: Graph, found: list[CandidateMention], expected: set[int]) -> list[int]:
    """Which of its possible entities each name stands for; -1 for a name not to be believed."""
    certain = expected | {one.entities[0] for one in found if one.safe and len(one.entities) == 1}
    unclear = {entity for one in found if len(one.entities) > 1 for entity in one.entities}
    coherence = _Coherence(graph, certain, unclear)
    scores = expected.__contains__, *coherence.scores()
    answers: dict[tuple[tuple[int, ...], bool], int] = {}
    for one in found:
        key = one.entities, one.safe
        if key not in answers:
            best = _best(one.entities, scores)
            believed = one.safe or best in certain or coherence.neighbours(best) > 0
            answers[key] = best if believed else -1
    return [answers[one.entities, one.safe] for one in found]


def meant_of(graph: Graph, entities: Sequence[int], certain: set[int]) -> int:
    """Which of some entities a text means that names others for certain."""
    return _best(entities, _Coherence(graph, certain - {*entities}, {*entities}).scores())


def clearly_meant_of(graph: Graph, entities: Sequence[int], certain: set[int]) -> int | None:
    """The one entity with most neighbours among those that a text names for certain, if any."""
    coherence = _Coherence(graph, certain - {*entities}, {*entities})
    counts = {entity: coherence.neighbours(entity) for entity in entities}
    most = max(counts.values())
    best = [entity for entity, count in counts.items() if count == most]
    return best[0] if most and len(best) == 1 else None


def _best(entities: Sequence[int], scores: Iterable[Callable[[int], int]]) -> int:
    """The entity that scores best; later scores decide among equals, last of all the id."""
    if len(entities) == 1:
        return entities[0]
    for score in scores:
        values = list(map(score, entities))
        most = max(values)
        entities = [e for e, value in zip(entities, values, strict=True) if value == most]
        if len(entities) == 1:
            break
    return min(entities)


class _Coherence:
    """How an entity coheres with those that a text names for certain."""

    def __init__(self, graph: Graph, certain: set[int], unclear: set[int]) -> None:
        self._graph = graph
        self._certain = certain
        self._unclear = unclear
        self._around = np.array(sorted(certain), dtype=np.int32)

    def scores(self) -> tuple[Callable[[int], int], ...]:
        """What decides among homonyms, what counts most first."""
        return self.neighbours, self.types, self.facts

    def neighbours(self, entity: int) -> int:
        """How many of them are its neighbours."""
        index = self._graph.index
        row = index.neighbours[index.offsets[entity] : index.offsets[entity + 1]]
        if len(row) <= _FEW:
            return len(self._certain.intersection(row.tolist()))
        places = np.minimum(np.searchsorted(row, self._around), len(row) - 1)
        return int((row[places] == self._around).sum())

    def types(self, entity: int) -> int:
        """How many of them have its type; of several types, the one found most often."""
        return max(map(self._common.__getitem__, self._types[entity]), default=0)

    def facts(self, entity: int) -> int:
        """How many facts it has, whoever they are about."""
        return self._graph.index.facts(entity)

    @cached_property
    def _types(self) -> dict[int, frozenset[int]]:
        # Not before they are asked for: often neighbours are enough.
        return _TYPES.of(self._graph.store, self._certain | self._unclear)

    @cached_property
    def _common(self) -> Counter[int]:
        return Counter(class_ for entity in self._certain for class_ in self._types[entity])


_TYPES: RowCache[int] = RowCache("entity_type", "class", lambda class_: (class_,))
