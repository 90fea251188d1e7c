"""A query as the hop scorer sees it: its facts in the text, and which of them are expressed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder
from kgpath.features.feature_table import FeatureTable
from kgpath.features.hop_features import HopFeatures
from kgpath.features.path_features import PATH_FEATURES, PathFeatures
from kgpath.rankers.ltr.fact_spans import FactSpan, fact_spans
from kgpath.rankers.ltr.sentence_match import read_facts
from kgpath.rankers.ranker import Example
from kgpath.rankers.zero_shot import ZeroShot
from kgpath.storage.hop_codes import code_of, is_backward, relation_of

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
Fact = tuple[str, str, str]

#: The facts of so many paths are read, the best of zero-shot.
READ = 40
#: What counting looks at.
COUNTED_FEATURES = ("least named",)
#: What a sentence encoder adds.
READ_FEATURES = ("hop read", "relation read")


@dataclass(frozen=True)
class FactExample:
    """What is kept of a query: tables over its facts and its paths, no graph and no text."""

    hops: FeatureTable  # of facts
    paths: FeatureTable
    facts_along: Places  # the facts along each path, -1 after its end
    entity_pair: Places  # the pair of entities that each fact joins
    ends: Places  # the two entities of each fact, numbered within the query
    spans: tuple[FactSpan, ...]
    facts: tuple[Fact, ...]
    zero_shot: Numbers
    relation_pairs: tuple[str, ...]  # two relations that meet at an entity, each with its side
    pairs_along: Places  # the relation pairs along each path, -1 after its end
    read: FeatureTable | None  # of facts, by a sentence encoder
    true: tuple[int, ...] = ()
    group: str = ""

    @property
    def lengths(self) -> Places:
        return np.asarray((self.facts_along >= 0).sum(axis=1))

    def to_count(self) -> FactExample:
        """The same with only what is counted of it, which takes a third of the memory."""
        paths = FeatureTable((), self.paths.values[:, :0])
        return replace(self, hops=self.hops.select(COUNTED_FEATURES), paths=paths, read=None)


def fact_example(
    features: PathFeatures,
    true: tuple[int, ...] = (),
    group: str = "",
    encoder: TextEncoder | None = None,
) -> FactExample:
    """Everything about a query that does not have to be learned."""
    zero_shot = ZeroShot().score(features).total
    hops = HopFeatures(features)
    facts = features.facts
    relations = features.context.graph.store.relations
    iris = [relations[number].iri for number in facts.relations.tolist()]
    ends = numbered_ends(features)
    heads, tails = map(str, facts.heads.tolist()), map(str, facts.tails.tolist())
    relation_pairs, pairs_along = relation_pairs_of(facts.along, ends, iris)
    return FactExample(
        hops=FeatureTable.side_by_side(hops.table()),
        paths=FeatureTable.side_by_side(FeatureTable.of(PATH_FEATURES, features.table())),
        facts_along=facts.along,
        entity_pair=hops.entity_pair,
        ends=ends,
        spans=tuple(fact_spans(features, iris)),
        facts=tuple(zip(heads, iris, tails, strict=True)),
        zero_shot=zero_shot,
        relation_pairs=relation_pairs,
        pairs_along=pairs_along,
        read=None if encoder is None else read_table(features, zero_shot, encoder),
        true=true,
        group=group,
    )


def fact_examples(
    examples: Iterable[Example], encoder: TextEncoder | None = None
) -> list[FactExample]:
    """All examples, gone through once."""
    return [
        fact_example(example.features, example.true, example.group, encoder) for example in examples
    ]


def expressed_masks(examples: Sequence[FactExample]) -> list[NDArray[np.bool_]]:
    """Which facts of each query its text expresses: those on a true path of any of its queries."""
    expressed: dict[str, set[Fact]] = {}
    for example in examples:
        for along in example.facts_along[list(example.true)]:
            facts = (example.facts[fact] for fact in along[along >= 0].tolist())
            expressed.setdefault(example.group, set()).update(facts)
    return [
        np.array(
            [fact in expressed.get(example.group, ()) for fact in example.facts], dtype=np.bool_
        )
        for example in examples
    ]


def numbered_ends(features: PathFeatures) -> Places:
    """The two entities of each fact, numbered within the query."""
    facts = features.facts
    _, numbers = np.unique(np.stack([facts.heads, facts.tails]), return_inverse=True)
    return np.asarray(numbers.reshape(2, -1))


def relation_pairs_of(
    along: Places, ends: Places, relations: list[str]
) -> tuple[tuple[str, ...], Places]:
    """Every pair of relations that meet on a path, and those along each path; -1 after its end."""
    one, other = along[:, :-1], along[:, 1:]
    there = other >= 0
    heads, tails = ends
    one, other = one[there], other[there]
    at_head = (heads[one] == heads[other]) | (heads[one] == tails[other])
    meeting = np.where(at_head, heads[one], tails[one])
    names, number = np.unique(np.array(relations, dtype=object), return_inverse=True)
    # A relation, and whether it begins where the two meet: the same as one number as a hop code.
    sides = [code_of(number[fact], heads[fact] == meeting) for fact in (one, other)]
    pairs, place = np.unique(np.sort(np.stack(sides), axis=0), axis=1, return_inverse=True)
    pairs_along = np.full((len(along), along.shape[1] - 1), -1, dtype=np.int64)
    pairs_along[there] = place.reshape(-1)
    said = [
        [f"{names[relation_of(side)]}{'<>'[is_backward(side)]}" for side in row]
        for row in pairs.tolist()
    ]
    return tuple(map(" ".join, zip(*said, strict=True))), pairs_along


def read_table(features: PathFeatures, zero_shot: Numbers, encoder: TextEncoder) -> FeatureTable:
    """The facts of the best paths, read; not a number for the others."""
    best = np.argsort(-zero_shot, kind="stable")[:READ]
    used = np.unique(features.facts.along[best])
    used = used[used >= 0]
    columns = dict(zip(READ_FEATURES, read_facts(features, used, encoder), strict=True))
    unread = np.isin(np.arange(len(features.facts.heads)), used, invert=True)
    table = FeatureTable.of(READ_FEATURES, columns).blanked(unread, READ_FEATURES)
    return FeatureTable.side_by_side(table)
