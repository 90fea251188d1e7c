"""A query as kgpath-general sees it: its facts, its paths, and what is known of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder
from kgpath.features.feature_table import FeatureTable
from kgpath.features.path_features import PATH_FEATURES, PathFeatures
from kgpath.features.told_features import ToldFeatures
from kgpath.rankers.ltr.fact_examples import READ_FEATURES, read_table
from kgpath.rankers.ranker import Example
from kgpath.rankers.zero_shot import ZeroShot

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
Fact = tuple[str, str, str]

#: Of each query so many paths are learned from: the best of zero-shot, and the true ones.
LEARNED_FROM = 60
#: What a sentence encoder adds, beside how far each is behind the best parallel relation.
READ = (*READ_FEATURES, *(f"{name} behind" for name in READ_FEATURES))
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
    names: tuple[Fact, ...]  # of the facts; empty where nothing is to be learned
    true: NDArray[np.bool_]  # of the paths
    group: str = ""

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
            names=tuple(self.names[fact] for fact in used.tolist()),
            true=self.true[rows],
        )


def told_example(features: PathFeatures, encoder: TextEncoder | None = None) -> ToldExample:
    """Everything about a query that does not have to be learned."""
    zero_shot = ZeroShot().score(features).total
    told = ToldFeatures(features)
    table = told.table()
    if encoder is not None:
        read = _everywhere(read_table(features, zero_shot, encoder))
        table = FeatureTable.side_by_side(table, read, read.behind(told.entity_pair))
    own = FeatureTable.of(PATHS, {name: features[name] for name in PATHS})
    return ToldExample(
        facts=table,
        paths=FeatureTable.side_by_side(own),
        along=features.facts.along,
        entity_pair=told.entity_pair,
        zero_shot=zero_shot,
        names=(),
        true=np.zeros(len(zero_shot), dtype=np.bool_),
    )


def _everywhere(read: FeatureTable) -> FeatureTable:
    """What was not read is as far from the text as can be."""
    return FeatureTable(read.names, np.nan_to_num(read.values, nan=-1))


def told_examples(
    examples: Iterable[Example], encoder: TextEncoder | None = None
) -> list[ToldExample]:
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
            told_example(features, encoder),
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
