"""What a graph has for language models to learn from: names, descriptions, true and false facts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.vectors.triple_split import Facts, split
from kgpath.errors import BadSource

if TYPE_CHECKING:
    from kgpath.graph import Graph

Ids = NDArray[np.integer[Any]]
_ATTEMPTS = 20


def descriptions_of(graph: Graph) -> dict[int, str]:
    """The description of each entity that has one."""
    rows = graph.store.db.execute(
        "SELECT id, description FROM entity WHERE description <> '' ORDER BY id"
    )
    return dict(rows.fetchall())


def introductions_of(graph: Graph) -> dict[int, str]:
    """The introduction of each entity's article, or what describes it in short."""
    longer: dict[int, str] = {}
    for entity, text in graph.store.db.execute(
        "SELECT entity, text FROM passage WHERE section = 0 ORDER BY entity, position"
    ):
        longer[entity] = f"{longer[entity]}\n{text}" if entity in longer else text
    return {entity: longer.get(entity) or text for entity, text in descriptions_of(graph).items()}


def check_described(graph: Graph, name: str) -> None:
    """Refuse a graph that describes nothing, for an encoder that learns from descriptions."""
    if graph.store.one("SELECT 1 FROM entity WHERE description <> '' LIMIT 1") is None:
        raise BadSource(
            f"{graph.path} describes no entity, and {name} learns from descriptions. Add them: "
            f"kgpath add {graph.path} --articles FILE; or use kg-bert, which learns from names and "
            "facts, or bert."
        )


class GraphFacts:
    """The facts of a graph: to train on, to test on, and others that are not true."""

    def __init__(self, graph: Graph, test: int, seed: int) -> None:
        self.graph = graph
        edges = graph.store.edges()
        if not len(edges):
            raise BadSource(f"{graph.path} has no facts to learn from. Add some: kgpath add")
        self.entities, self.relations = len(graph), len(graph.store.relations)
        parts = split(edges, self.entities, 0, test, seed)
        self.every, self.train, self.test = parts.every, parts.train, parts.test

    def between(self, entities: Ids) -> None:
        """Keep the facts between some entities; where there are none, those that touch one."""
        known = np.zeros(self.entities, dtype=bool)
        known[entities] = True
        ends = known[self.train[:, [0, 2]]]
        both = bool(ends.all(axis=1).any())
        self.train, self.test = (
            facts[known[facts[:, [0, 2]]].sum(axis=1) >= (2 if both else 1)]
            for facts in (self.train, self.test)
        )
        if not len(self.train):
            raise BadSource(
                f"{self.graph.path} has no fact of an entity that is described. Add facts: "
                "kgpath add; or use bert."
            )

    def drawn(self, rng: np.random.Generator, size: int) -> Facts:
        """Facts to learn from."""
        return self.train[rng.integers(len(self.train), size=size)]

    def are_true(self, heads: Ids, relations: Ids, tails: Ids) -> NDArray[np.bool_]:
        """Whether these are facts of the graph."""
        asked = self._keys(heads, relations, tails)
        places = np.minimum(np.searchsorted(self._known, asked), len(self._known) - 1)
        return np.asarray(self._known[places] == asked)

    def corrupted(self, rng: np.random.Generator, facts: Facts, alike: float = 0.5) -> Facts:
        """Facts of which one end is another entity; none is true, as far as can be.

        ``alike`` is the share in which that entity has the same relation elsewhere, such as
        another birthplace; the others are any entities.
        """
        found = facts.copy()
        waiting = np.arange(len(facts))
        for attempt in range(_ATTEMPTS):
            some = facts[waiting]
            end = np.where(rng.random(len(some)) < 0.5, 0, 2)
            other = rng.integers(self.entities, size=len(some))
            # Where every like entity makes a true fact, any other must do.
            of_kind = rng.random(len(some)) < (alike if attempt < _ATTEMPTS // 2 else 0)
            other[of_kind] = self._alike(rng, some[of_kind], end[of_kind])
            found[waiting] = some
            found[waiting, end] = other
            waiting = waiting[self.are_true(*found[waiting].T)]
            if not len(waiting):
                break
        return found

    def _alike(self, rng: np.random.Generator, facts: Facts, end: Ids) -> Ids:
        """Entities that are at the same end of the same relation."""
        first, count = self._starts[facts[:, 1]], self._counts[facts[:, 1]]
        rows = self._by_relation[first + (rng.random(len(facts)) * count).astype(np.int64)]
        return np.asarray(rows[np.arange(len(rows)), end])

    @cached_property
    def _by_relation(self) -> Facts:
        return self.every[np.argsort(self.every[:, 1], kind="stable")]

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.bincount(self.every[:, 1], minlength=self.relations)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum(self._counts) - self._counts

    @cached_property
    def _known(self) -> NDArray[np.int64]:
        return np.sort(self._keys(*self.every.T))

    def _keys(self, heads: Ids, relations: Ids, tails: Ids) -> NDArray[np.int64]:
        pairs = heads.astype(np.int64) * self.relations + relations
        return np.asarray(pairs * self.entities + tails)
