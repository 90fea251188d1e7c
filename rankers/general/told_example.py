"""A query as kgpath-general sees it: its facts, its paths, and what is known of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder
from kgpath.features.feature_table import FeatureTable, best_of_group
from kgpath.features.path_features import PATH_FEATURES, PathFeatures
from kgpath.features.told_features import ToldFeatures
from kgpath.rankers.ltr.fact_examples import read_table
from kgpath.rankers.ranker import Example
from kgpath.rankers.zero_shot import ZeroShot
from kgpath.rankers.zero_shot_text import WEIGHTS

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
Fact = tuple[str, str, str]

#: Of each query so many paths are learned from: the best of zero-shot, and the true ones.
LEARNED_FROM = 60
#: How much of what zero-shot-minilm reads of entities is a log odds; set by hand.
READING = 0.5
#: What counts as read, beside its parallels, of a fact on none of the paths that are read.
_UNREAD = -0.4
#: Features of paths that count what only one graph has.
_COUNTS = ("frequency", "degree")
PATHS = tuple(name for name in PATH_FEATURES if name not in _COUNTS)


@dataclass(frozen=True)
class ToldExample:
    """What is kept of a query: tables over its facts and its paths, no graph and no text."""

    facts: FeatureTable
    paths: FeatureTable
    along: Places  # the facts along each path, -1 after its end
    entity_pair: Places  # the pair of entities that each fact joins
    zero_shot: Numbers
    read: Numbers  # of the facts, by a sentence encoder; 0 without one
    reading: Numbers  # of the paths, by the same, alike for those over the same entities
    names: tuple[Fact, ...]  # of the facts; empty where nothing is to be learned
    true: NDArray[np.bool_]  # of the paths
    group: str = ""

    @cached_property
    def entity_path(self) -> Places:
        """The entities along each path, as a number that paths over the same ones share."""
        pairs = np.where(self.along >= 0, self.entity_pair[np.maximum(self.along, 0)], -1)
        return np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)

    def learnable(self) -> ToldExample:
        """The same with only the paths to learn from, and their facts."""
        best = np.argsort(-self.zero_shot, kind="stable")[:LEARNED_FROM]
        rows = np.union1d(best, np.flatnonzero(self.true)).astype(np.int64)
        along = self.along[rows]
        used = np.unique(along)
        used = used[used >= 0]
        return replace(
            self,
            facts=FeatureTable(self.facts.names, self.facts.values[used]),
            paths=FeatureTable(self.paths.names, self.paths.values[rows]),
            along=np.where(along >= 0, np.searchsorted(used, along), -1),
            entity_pair=self.entity_pair[used],
            zero_shot=self.zero_shot[rows],
            read=self.read[used],
            reading=self.reading[rows],
            names=tuple(self.names[fact] for fact in used.tolist()),
            true=self.true[rows],
        )


def told_example(features: PathFeatures, encoder: TextEncoder | None = None) -> ToldExample:
    """Everything about a query that does not have to be learned."""
    zero_shot = ZeroShot().score(features).total
    told = ToldFeatures(features)
    table = told.table()
    own = FeatureTable.of(PATHS, {name: features[name] for name in PATHS})
    example = ToldExample(
        facts=table,
        paths=FeatureTable.side_by_side(own),
        along=features.facts.along,
        entity_pair=told.entity_pair,
        zero_shot=zero_shot,
        read=np.zeros(len(table)),
        reading=np.zeros(len(zero_shot)),
        names=(),
        true=np.zeros(len(zero_shot), dtype=np.bool_),
    )
    return example if encoder is None else _with_reading(example, features, encoder)


def _with_reading(
    example: ToldExample, features: PathFeatures, encoder: TextEncoder
) -> ToldExample:
    """The same with what a sentence encoder reads, by weights that are set by hand.

    Sentences that were made to learn from are too plain to learn from them how an encoder reads
    others. What it reads of paths is as in zero-shot-minilm, and says which entities are meant;
    which of parallel relations is meant, it says of each fact.
    """
    read = read_table(features, example.zero_shot, encoder)
    cosines = read.values.astype(np.float64)
    # What is not read is as far from the text as can be.
    hops, relations = np.nan_to_num(cosines, nan=-1).T
    total = (
        WEIGHTS["hop read"] * features.mean(hops)
        - WEIGHTS["weakest hop read"] * features.most(-hops)
        + WEIGHTS["relation read"] * features.mean(relations)
    )
    best = best_of_group(total, example.entity_path)
    return replace(
        example,
        read=np.nan_to_num(cosines.sum(axis=1), nan=_UNREAD),
        reading=READING * (best - best.max(initial=-np.inf)),
    )


def told_examples(examples: Iterable[Example]) -> list[ToldExample]:
    """All examples, gone through once, each with what is to be learned from it."""
    made = []
    for features, true, group in examples:
        facts, graph = features.facts, features.context.graph
        if not len(features.candidates):
            continue
        relations = [graph.store.relations[number].iri for number in facts.relations.tolist()]
        ends = (map(str, side.tolist()) for side in (facts.heads, facts.tails))
        places = np.zeros(len(features.candidates), dtype=np.bool_)
        places[list(true)] = True
        example = replace(
            told_example(features),
            names=tuple(zip(next(ends), relations, next(ends), strict=True)),
            true=places,
            group=group,
        )
        made.append(example.learnable())
    return made


def told_masks(examples: Sequence[ToldExample]) -> list[NDArray[np.bool_]]:
    """Which facts of each query its text tells: those on a true path of any of its queries."""
    told: dict[str, set[Fact]] = {}
    for example in examples:
        facts = example.along[example.true]
        here = told.setdefault(example.group, set())
        here.update(example.names[fact] for fact in np.unique(facts[facts >= 0]).tolist())
    return [
        np.array([fact in told[example.group] for fact in example.names], dtype=np.bool_)
        for example in examples
    ]
