"""One document of a synthetic dataset with its pairs, as the records that are written."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from kgpath.datasets.synthetic.candidates import candidates_of, mean_distance
from kgpath.datasets.synthetic.entity_articles import EntityArticles
from kgpath.datasets.synthetic.paths import DOCUMENTS, DocumentPlan, sub_paths
from kgpath.datasets.synthetic.recipe import Recipe
from kgpath.datasets.synthetic.text import Composer, Facts
from kgpath.graph import Graph
from kgpath.paths.finder import PathFinder
from kgpath.storage.hop_codes import hops_of
from kgpath.types import Path

Record = dict[str, Any]


class DocumentMaker:
    """Makes documents, each from its plan alone: whoever makes it, it is the same.

    ``counted`` says where sentences came from and why pairs were left out.
    """

    def __init__(self, graph: Graph, recipe: Recipe) -> None:
        self._graph, self._recipe = graph, recipe
        self._finder = graph.derived(PathFinder)
        self._articles = EntityArticles(graph)
        index = self._finder.walker(recipe.path_options()).index
        self._facts = Facts(index, graph.store.relations)
        self.counted: Counter[str] = Counter()

    def prepare(self, plans: list[DocumentPlan]) -> None:
        """Read what several plans need at once."""
        self._articles.read(vertex for plan in plans for vertex in plan.vertices)

    def make(self, plan: DocumentPlan) -> list[Record]:
        """The records of a document, one for each pair; none if it has fewer than it should."""
        slot, recipe = plan.slot, self._recipe
        rng = np.random.default_rng([recipe.seed, DOCUMENTS, slot.number, plan.attempt])
        composer = Composer(self._articles, self._facts, recipe, plan.vertices, plan.hop_codes, rng)
        composer.write()
        chosen: list[tuple[Path, list[tuple[str, ...]]]] = []
        for first, last in self._parts(plan, rng):
            if len(chosen) == slot.pairs:
                break
            if not all(composer.name(plan.vertices[at]) for at in (first, last)):
                self.counted["pairs left out: an end is not named"] += 1
                continue
            path = self._path(plan, first, last)
            candidates = candidates_of(self._finder, recipe, path, rng)
            if recipe.candidates != "none" and len(candidates) < recipe.min_candidates:
                self.counted["pairs left out: too few candidates"] += 1
                continue
            chosen.append((path, candidates))
        if len(chosen) < plan.least:
            self.counted["documents given up: too few pairs"] += 1
            return []
        self.counted.update(f"sentences: {one.source}" for one in composer.sentences)
        self.counted[f"documents: {composer.kind()}"] += 1
        return self._records(plan, composer, chosen)

    def _parts(self, plan: DocumentPlan, rng: np.random.Generator) -> list[tuple[int, int]]:
        """What pairs can be made of, the most wanted first: the whole path, then parts of it."""
        whole, *parts = sub_paths(plan.vertices)
        shuffled = [parts[at] for at in rng.permutation(len(parts)).tolist()]
        if self._recipe.sub_paths == "long":
            shuffled.sort(key=lambda part: part[0] - part[1])
        return [whole, *shuffled]

    def _path(self, plan: DocumentPlan, first: int, last: int) -> Path:
        nodes = tuple(self._articles[v].entity for v in plan.vertices[first : last + 1])
        return Path(nodes, hops_of(plan.hop_codes[first:last], self._facts.relations))

    def _records(
        self,
        plan: DocumentPlan,
        composer: Composer,
        chosen: list[tuple[Path, list[tuple[str, ...]]]],
    ) -> list[Record]:
        text, places = composer.read()
        links = [
            {
                "entity": self._articles.entity(place.entity).iri,
                "words": text[place.start : place.end],
                "start": place.start,
                "end": place.end,
            }
            for place in places
        ]
        named = {place.entity for place in places}
        sources = [sentence.source for sentence in composer.sentences]
        return [
            {
                "id": f"{self._recipe.name}-{plan.slot.number:06d}-{number}",
                "document": text,
                "head": path.nodes[0].iri,
                "tail": path.nodes[-1].iri,
                "path": path.iris(),
                "candidates": candidates,
                "distance": mean_distance(candidates),
                "named": all(node.id in named for node in path.nodes),
                "links": links,
                "document_hops": len(plan.hop_codes),
                "text_kind": composer.kind(),
                "sources": sources,
            }
            for number, (path, candidates) in enumerate(chosen, 1)
        ]
