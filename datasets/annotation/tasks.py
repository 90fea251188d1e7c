"""Questions for annotators: does this relation, or which of these paths, explain a pair in a text?

As in Lo & Lim (2023), first every one-hop fact between two linked entities of a document, to be
answered with yes or no; then, over the network of the facts that were accepted, the paths of
several hops between entities that no accepted fact joins, of which one or none is chosen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple
from urllib.parse import quote

from kgpath.datasets.annotation.context_documents import ContextDocument
from kgpath.graph import Graph
from kgpath.lexicon.text import entity_label
from kgpath.storage.hop_codes import code_of, hops_of, inverse
from kgpath.types import Entity, Path

YES, NO, NONE = "yes", "no", "none"


class Fact(NamedTuple):
    """A fact as walked, with its hop code."""

    head: int
    code: int
    tail: int


class Network:
    """The facts of the graph among some entities; ``facts`` may leave only some of them."""

    def __init__(self, graph: Graph, entities: Iterable[int], facts: set[Fact] | None = None):
        self.graph = graph
        self.entities = sorted(set(entities))
        self.steps: dict[int, list[tuple[int, int]]] = {}
        present = set(self.entities)
        index = graph.index
        for one in self.entities:
            steps = self.steps[one] = []
            for place in range(int(index.offsets[one]), int(index.offsets[one + 1])):
                other = int(index.neighbours[place])
                if other not in present:
                    continue
                first, last = index.hop_offsets[place], index.hop_offsets[place + 1]
                for code in index.hop_codes[first:last].tolist():
                    if facts is None or Fact(one, code, other) in facts:
                        steps.append((other, code))

    def between(self, head: int, tail: int) -> list[Fact]:
        """The facts that join two entities."""
        return [Fact(head, code, tail) for other, code in self.steps[head] if other == tail]

    def paths(self, head: int, tail: int, max_hops: int, most: int) -> list[tuple[Fact, ...]]:
        """Paths without a repeated entity, the shortest first, at most so many."""
        far = self._distances(tail)
        found: list[tuple[Fact, ...]] = []
        for hops in range(far.get(head, max_hops + 1), max_hops + 1):
            for path in self._walks(head, tail, hops, far):
                found.append(path)
                if len(found) == most:
                    return found
        return found

    def _distances(self, tail: int) -> dict[int, int]:
        far = {tail: 0}
        waiting = deque([tail])
        while waiting:
            one = waiting.popleft()
            for other, _ in self.steps[one]:
                if other not in far:
                    far[other] = far[one] + 1
                    waiting.append(other)
        return far

    def _walks(
        self, head: int, tail: int, hops: int, far: dict[int, int], seen: tuple[int, ...] = ()
    ) -> Iterator[tuple[Fact, ...]]:
        if head == tail:
            if not hops:
                yield ()
            return
        for other, code in self.steps[head]:
            if other not in seen and far.get(other, hops) < hops:
                for rest in self._walks(other, tail, hops - 1, far, (*seen, head)):
                    yield Fact(head, code, other), *rest

    def path(self, facts: Iterable[Fact]) -> Path:
        """Facts as a path to show."""
        facts = tuple(facts)
        numbers = [facts[0].head, *(fact.tail for fact in facts)]
        entities = self.graph.store.entities(numbers)
        relations = self.graph.store.relations
        hops = hops_of((fact.code for fact in facts), relations)
        return Path(tuple(entities[number] for number in numbers), hops)


def one_hop_tasks(graph: Graph, document: ContextDocument) -> Iterator[dict[str, Any]]:
    """A task for every fact between two entities of a document."""
    network = Network(graph, document.entities)
    number = 0
    for head, tail in combinations(document.entities, 2):
        for fact in network.between(head, tail):
            path = network.path([fact])
            number += 1
            yield {
                **_task(document, "one-hop", number, path.nodes[0], path.nodes[-1]),
                "question": f"Does “{path}” explain why the article names both?",
                "path": path.iris(),
                "path_text": str(path),
                "choices": [YES, NO],
            }


def multi_hop_tasks(
    graph: Graph,
    document: ContextDocument,
    facts: set[Fact] | None = None,
    *,
    max_hops: int = 4,
    most: int = 10,
) -> Iterator[dict[str, Any]]:
    """A task for every two entities of a document that only longer paths join.

    ``facts`` are those that annotators accepted, and those of added entities; None takes all.
    """
    network = Network(graph, document.entities, facts)
    number = 0
    for head, tail in combinations(document.entities, 2):
        if network.between(head, tail):
            continue
        paths = [network.path(found) for found in network.paths(head, tail, max_hops, most)]
        if paths:
            number += 1
            ends = paths[0].nodes[0], paths[0].nodes[-1]
            yield {
                **_task(document, "multi-hop", number, *ends),
                "question": f"Which path explains why the article names both {ends[0]} "
                f"and {ends[1]}?",
                "paths": [path.iris() for path in paths],
                "paths_text": [str(path) for path in paths],
                "choices": [*map(str, range(1, len(paths) + 1)), NONE],
            }


def _task(
    document: ContextDocument, kind: str, number: int, head: Entity, tail: Entity
) -> dict[str, Any]:
    return {
        "id": f"{document.id}#{kind}-{number}",
        "kind": kind,
        "document_id": document.id,
        "title": document.title,
        "document": document.text,
        "sentences": [list(span) for span in document.sentences],
        **{
            end: {
                "iri": entity.iri,
                "label": entity.label,
                "page": page_of(entity.iri),
                "places": [list(place) for place in document.places(entity.id)],
            }
            for end, entity in (("head", head), ("tail", tail))
        },
    }


def page_of(iri: str) -> str:
    """Where to read about an entity.

    >>> page_of("http://dbpedia.org/resource/Casino_Royale_(novel)")
    'https://en.wikipedia.org/wiki/Casino_Royale_(novel)'
    """
    if "dbpedia.org/resource/" not in iri:
        return iri
    return "https://en.wikipedia.org/wiki/" + quote(
        entity_label(iri).replace(" ", "_"), safe="()/,:'"
    )


def facts_of(graph: Graph, paths: Iterable[list[str]]) -> set[Fact]:
    """The facts of paths given by IRI, walked either way."""
    relations = {relation.iri: relation.id for relation in graph.store.relations}
    facts = set()
    for path in paths:
        numbers = [graph.entity(name).id for name in path[::2]]
        for head, name, tail in zip(numbers, path[1::2], numbers[1:], strict=False):
            code = code_of(relations[name.removeprefix("^")], name.startswith("^"))
            facts |= {Fact(head, code, tail), Fact(tail, inverse(code), head)}
    return facts
