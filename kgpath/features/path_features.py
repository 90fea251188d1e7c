"""What rankers know about a candidate path: named numbers, each with one line on what it means.

None of them depends on ids, on the order in which a graph was loaded, or on the direction in
which a path is read.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.features.evidence import Evidence, evidence
from kgpath.lexicon.idf import term_weights
from kgpath.lexicon.text import fold, folded_words, without_qualifier
from kgpath.linking.context import Context
from kgpath.linking.occurrences import Occurrences, find_occurrences
from kgpath.paths.path_arrays import Facts, PathArrays

Numbers = NDArray[np.float64]

PATH_FEATURES = {
    "length": "number of hops",
    "unnamed": "how much of the entities between the ends the text leaves unnamed, summed",
    "least named": "how clearly the text names the least clear of them; 1 if there is none",
    "together": "share of hops whose two ends stand in one sentence",
    "gap": "tokens between the two ends of a hop, as a logarithm, mean over hops",
    "widest gap": "the same, of the hop whose ends are farthest apart",
    "relation words": "share of a relation's words that the text has, mean over hops",
    "weakest relation": "the same, of the hop with the least",
    "relation near": "share of a relation's words close to the two ends, mean over hops",
    "tfidf": "cosine of the words of the text and of the path, weighed by rarity",
    "frequency": "how common the relations are in the graph, as a logarithm, mean over hops",
    "degree": "how many facts the entities between the ends have, as a logarithm, mean",
}


class PathFeatures:
    """The features of all candidates for a text; each is worked out when first asked for."""

    def __init__(self, context: Context, candidates: PathArrays) -> None:
        self.context = context
        self.candidates = candidates

    def __getitem__(self, name: str) -> Numbers:
        """One feature, a number for each candidate."""
        values: Numbers = getattr(self, name.replace(" ", "_"))
        return values

    def table(self) -> dict[str, Numbers]:
        """All features by name."""
        return {name: self[name] for name in PATH_FEATURES}

    # What the features are made of

    @cached_property
    def facts(self) -> Facts:
        return self.candidates.facts()

    @cached_property
    def occurrences(self) -> Occurrences:
        """Where the text shows the entities of all candidates."""
        vertices = self.candidates.vertices
        last = self.candidates.lengths[:, None]
        ends = np.union1d(vertices[:, 0], np.take_along_axis(vertices, last, axis=1))
        entities = np.unique(vertices[vertices >= 0])
        return find_occurrences(self.context, entities.tolist(), ends.tolist())

    @cached_property
    def evidence(self) -> Evidence:
        return evidence(self.context, self.facts, self.occurrences)

    def mean(self, of_facts: NDArray[np.generic]) -> Numbers:
        """The mean over the hops of each path."""
        there = self.facts.along >= 0
        values = np.where(there, of_facts.astype(np.float64)[self.facts.along], 0)
        return np.asarray(row_sums(values) / np.maximum(self.candidates.lengths, 1))

    def most(self, of_facts: NDArray[np.generic]) -> Numbers:
        """The largest over the hops of each path."""
        there = self.facts.along >= 0
        values = np.where(there, of_facts.astype(np.float64)[self.facts.along], -np.inf)
        return np.asarray(values.max(axis=1, initial=-np.inf))

    @cached_property
    def _between(self) -> NDArray[np.bool_]:
        """Where the inner entities stand in ``candidates.vertices``."""
        places = np.arange(self.candidates.vertices.shape[1])
        return (places > 0) & (places < self.candidates.lengths[:, None])

    @cached_property
    def _named(self) -> Numbers:
        """How clearly the inner entities are named, by path and place; 1 everywhere else."""
        seen = self.occurrences
        places = np.searchsorted(seen.entities, np.maximum(self.candidates.vertices, 0))
        places = np.minimum(places, max(len(seen.entities) - 1, 0))
        return (
            np.where(self._between, seen.named[places], 1) if len(seen.named) else np.ones((0, 1))
        )

    # The features

    @cached_property
    def length(self) -> Numbers:
        return self.candidates.lengths.astype(np.float64)

    @cached_property
    def unnamed(self) -> Numbers:
        return row_sums(1 - self._named)

    @cached_property
    def least_named(self) -> Numbers:
        return np.asarray(self._named.min(axis=1))

    @cached_property
    def together(self) -> Numbers:
        return self.mean(self.evidence.same_sentence)

    @cached_property
    def gap(self) -> Numbers:
        return self.mean(np.log1p(self.evidence.gap))

    @cached_property
    def widest_gap(self) -> Numbers:
        return self.most(np.log1p(self.evidence.gap))

    @cached_property
    def relation_words(self) -> Numbers:
        return self.mean(self.evidence.words)

    @cached_property
    def weakest_relation(self) -> Numbers:
        return -self.most(-self.evidence.words)

    @cached_property
    def relation_near(self) -> Numbers:
        return self.mean(self.evidence.near)

    @cached_property
    def frequency(self) -> Numbers:
        relations = self.context.graph.store.relations
        edges = np.array([relations[r].edges for r in self.facts.relations.tolist()])
        return self.mean(np.log1p(edges))

    @cached_property
    def degree(self) -> Numbers:
        index = self.context.graph.index
        vertices = np.maximum(self.candidates.vertices, 0)
        facts = np.diff(
            index.hop_offsets[index.offsets[np.stack([vertices, vertices + 1])]], axis=0
        )
        inner = np.maximum(self.candidates.lengths - 1, 1)
        return np.asarray(row_sums(np.where(self._between, np.log1p(facts[0]), 0)) / inner)

    @cached_property
    def tfidf(self) -> Numbers:
        return _cosines(self.context, self.candidates)


def row_sums(rows: NDArray[np.floating]) -> Numbers:
    """The sum of each row, to the last digit the same in whichever order its numbers stand."""
    return np.asarray(np.sort(rows, axis=1).sum(axis=1, dtype=np.float64))


def _cosines(context: Context, candidates: PathArrays) -> Numbers:
    """TF-IDF cosine of the text with the names of each path's inner entities and relations."""
    graph = context.graph
    vertices = candidates.vertices[:, 1:-1].astype(np.int64)
    inner = np.arange(vertices.shape[1]) + 1 < candidates.lengths[:, None]
    relations = candidates.relations
    hops = relations >= 0
    entities = graph.store.entities(vertices[inner].tolist())
    # Every name once: relations after entities, as negative numbers.
    names = {number: without_qualifier(entity.label) for number, entity in entities.items()}
    names |= {-1 - r: graph.store.relations[r].label for r in sorted(set(relations[hops].tolist()))}
    numbers: dict[str, int] = {}
    words_of = {
        key: [numbers.setdefault(word, len(numbers)) for word in folded_words(fold(name))]
        for key, name in names.items()
    }
    paths, words = [], []
    for path in range(len(candidates)):
        keys = vertices[path][inner[path]].tolist() + (-1 - relations[path][hops[path]]).tolist()
        here = [word for key in keys for word in words_of[key]]
        words += here
        paths += [path] * len(here)
    width = max(len(numbers), 1)
    weights = term_weights(graph.index, list(numbers))
    cells = np.array(paths, dtype=np.int64) * width + np.array(words, dtype=np.int64)
    table = (
        np.bincount(cells, minlength=len(candidates) * width).reshape(-1, width)[:, : len(numbers)]
        * weights
    )
    text_words = context.places
    text = term_weights(graph.index, list(text_words)) * [len(at) for at in text_words.values()]
    shared = np.array([len(text_words.get(word, ())) for word in numbers]) * weights
    norms = np.linalg.norm(table, axis=1) * np.linalg.norm(text)
    return table @ shared / np.where(norms > 0, norms, 1)
