"""Titles that a path of a knowledge graph connects; the path is the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from kgpath.dialogue.edges.edge import Edge
from kgpath.dialogue.nodes import Nodes
from kgpath.dialogue.title_linker import TitleLinker
from kgpath.errors import BadOption
from kgpath.paths.finder import PathFinder, PathOptions
from kgpath.storage.namespaces import RDF
from kgpath.types import Entity, Hop, Path, Relation

if TYPE_CHECKING:
    from kgpath.graph import Graph

WEIGHTS = {
    "hops": "an edge is as long as its path has hops",
    "score": "a hop counts .5 to 1.5, less the rarer its relation and what it leads through",
    "one": "every edge counts 1, as in the paper",
}
_COST = "degree + rarity"
_CACHED = 1 << 16  # pairs whose paths are cached
_IS_A = Relation(-1, RDF + "type", "is a")


class Typed:
    """An edge where the walker finds a path of at most ``hops`` between two linked titles.

    Paths lead through nothing with more facts than ``hub_cap`` (0: no cap), only over the
    relations in ``keep`` and none of those in ``drop`` (names, by ``|``). Two titles of one class
    are two hops apart ("Golf –is a→ sport ←is a– Tennis") if it has at most ``class_cap``
    entities (0: classes connect nothing). Of several paths with the fewest hops the one over
    rarer relations and smaller entities is the reason.
    """

    def __init__(
        self,
        graph: Graph,
        hops: int = 2,
        hub_cap: int = 1000,
        class_cap: int = 500,
        keep: str | Sequence[str] = (),
        drop: str | Sequence[str] = (),
        weight: str = "hops",
    ) -> None:
        if weight not in WEIGHTS:
            raise BadOption(f"weight is {weight!r}; it can be {', '.join(WEIGHTS)}.")
        self.graph, self.hops, self.hub_cap, self.class_cap = graph, hops, hub_cap, class_cap
        self.keep, self.drop, self.weight = keep, drop, weight
        self.options = PathOptions(
            max_hops=hops, hub_cap=hub_cap, keep=_names(keep), drop=_names(drop), limit=1,
            strategy="top", cost=_COST,
        )  # fmt: skip
        self.linker = TitleLinker(graph)
        self._paths: dict[tuple[int, int], Path] = {}
        self._classes: dict[int, dict[int, Entity]] = {}

    def __call__(self, nodes: Nodes) -> Iterator[Edge]:
        """The edges of a turn; titles that mean one entity are 0 hops apart."""
        entities = self.linker.link(nodes)
        linked = [node for node, entity in enumerate(entities) if entity >= 0]
        if len(linked) < 2:
            return
        different = list(dict.fromkeys(entities[node] for node in linked))
        place = {entity: at for at, entity in enumerate(different)}
        hops = self.graph.derived(PathFinder).hops_between(different, self.options).tolist()
        for at, one in enumerate(linked):
            head = entities[one]
            for other in linked[at + 1 :]:
                tail = entities[other]
                if head == tail:
                    yield Edge(one, other, "two names of one thing", 0.0)
                elif number := hops[place[head]][place[tail]] or self._by_class(head, tail):
                    reason = TypedReason(self, head, tail)
                    yield Edge(one, other, reason, self._length(reason, number))

    def path(self, head: int, tail: int) -> Path:
        """The path behind an edge; the same one reversed from the other end."""
        if head > tail:
            return self.path(tail, head).reversed()
        found = self._paths.get((head, tail))
        if found is None:
            if len(self._paths) >= _CACHED:
                self._paths.clear()
            found = self._paths[head, tail] = self._find(head, tail)
        return found

    def paths(self, head: int, tail: int, k: int, cost: str = _COST, text: str = "") -> list[Path]:
        """The best paths between two entities: the fewest hops first, then the lowest cost.

        Of paths through the same entities only the best one counts.
        """
        ends = self.graph.store.entities([head, tail])
        found: dict[tuple[int, ...], Path] = {}
        for length in range(1, self.hops + 1):
            options = replace(
                self.options, max_hops=length, limit=8 * k + len(found), cost=cost, text=text
            )
            for path in self.graph.derived(PathFinder).find(ends[head], ends[tail], options):
                found.setdefault(tuple(node.id for node in path.nodes), path)
            if len(found) >= k:
                break
        # Stable: within a length the order of the costs stays.
        return sorted(found.values(), key=lambda path: path.length)[:k]

    def _find(self, head: int, tail: int) -> Path:
        ends = self.graph.store.entities([head, tail])
        number = int(self.graph.derived(PathFinder).hops_between([head, tail], self.options)[0, 1])
        if not number:
            shared = self._small_classes(head).keys() & self._small_classes(tail).keys()
            # The smallest class says most; its size stands in the degree.
            small = self._small_classes(head)
            kind = min((small[class_] for class_ in shared), key=lambda e: (e.degree, e.iri))
            return Path((ends[head], kind, ends[tail]), (Hop(_IS_A, True), Hop(_IS_A, False)))
        # Only the fewest hops: a longer path over rarer relations explains less.
        options = replace(self.options, max_hops=number)
        return self.graph.derived(PathFinder).find(ends[head], ends[tail], options)[0]

    def _by_class(self, head: int, tail: int) -> int:
        """2 where the two are of one small class, else 0."""
        if self.hops < 2 or not self.class_cap:
            return 0
        return 0 if self._small_classes(head).keys().isdisjoint(self._small_classes(tail)) else 2

    def _small_classes(self, entity: int) -> dict[int, Entity]:
        """The classes of an entity that few others have, as if they were entities."""
        known = self._classes.get(entity)
        if known is None:
            if len(self._classes) >= _CACHED:
                self._classes.clear()
            known = self._classes[entity] = {
                class_.id: Entity(-1 - class_.id, class_.iri, class_.label, degree=class_.entities)
                for class_ in self.graph.types(entity)
                if class_.entities <= self.class_cap
            }
        return known

    def _length(self, reason: TypedReason, hops: int) -> float:
        if self.weight == "one":
            return 1.0
        if self.weight == "hops":
            return float(hops)
        # Each relation and each entity between costs 0 to 1, a hop .1 on top; classes cost nothing.
        cost = (reason.path.cost or 0.0) - 0.1 * hops
        return hops * (0.5 + max(cost, 0.0) / (2 * hops - 1))


class TypedReason:
    """The path that connects two titles, looked up when it is read."""

    def __init__(self, rule: Typed, head: int, tail: int) -> None:
        self._rule, self._ends = rule, (head, tail)

    @cached_property
    def path(self) -> Path:
        return self._rule.path(*self._ends)

    def __str__(self) -> str:
        return str(self.path)

    def arrow(self, backwards: bool) -> str:
        """The hops, and what lies between the two titles."""
        path = self.towards(backwards)
        parts = [str(path.hops[0])]
        for node, hop in zip(path.nodes[1:], path.hops[1:], strict=False):
            parts += [str(node), str(hop)]
        return " ".join(parts)

    def towards(self, backwards: bool) -> Path:
        """The path as read from that side."""
        return self.path.reversed() if backwards else self.path


def _names(relations: str | Sequence[str]) -> tuple[str, ...]:
    """Relations given as a list, or in one text by ``|``."""
    if isinstance(relations, str):
        relations = [name.strip() for name in relations.split("|")]
    return tuple(filter(None, relations))
