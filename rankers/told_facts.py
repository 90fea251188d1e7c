"""A question as the hop classifier sees it: its facts in the text, and which of them are told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kgpath.features import FEATURES, PathFeatures
from kgpath.hop_features import HopFeatures
from kgpath.rankers.ranker import Example
from kgpath.rankers.reading import read_facts
from kgpath.rankers.relation_statistics import AROUND, WIDEST, Stretch
from kgpath.rankers.zero_shot import ZeroShot
from kgpath.registry import TextEncoder

Numbers = NDArray[np.float64]
Fact = tuple[str, str, str]

#: The facts of so many paths are read, the best of zero-shot.
READ = 40

_LITTLE = frozenset("a the of in is and was are to which by with for on at his her its it".split())


@dataclass(frozen=True)
class Material:
    """What is kept of a question: arrays over its facts and its paths, no graph and no text."""

    hops: NDArray[np.float32]  # facts, hop features
    paths: NDArray[np.float32]  # paths, path features
    of: NDArray[np.int64]  # the facts along each path
    pair: NDArray[np.int64]  # the pair of entities that each fact joins
    ends: NDArray[np.int64]  # the two entities of each fact, numbered within the question
    stretches: tuple[Stretch, ...]
    facts: tuple[Fact, ...]
    zero_shot: Numbers
    read: NDArray[np.float32]  # facts, what a sentence encoder makes of them; empty without one
    true: tuple[int, ...] = ()
    group: str = ""

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.asarray((self.of >= 0).sum(axis=1))


def material_of(
    features: PathFeatures,
    true: tuple[int, ...] = (),
    group: str = "",
    encoder: TextEncoder | None = None,
) -> Material:
    """Everything about a question that does not have to be learned."""
    zero_shot = ZeroShot().score(features).total
    hops = HopFeatures(features)
    facts = features.facts
    relations = features.context.graph.relations_by_id
    iris = [relations[number].iri for number in facts.relations.tolist()]
    table = features.table()
    _, ends = np.unique(np.stack([facts.heads, facts.tails]), return_inverse=True)
    entities = facts.heads.tolist(), facts.tails.tolist()
    return Material(
        hops.table().astype(np.float32),
        np.column_stack([table[name] for name in FEATURES]).astype(np.float32),
        facts.of,
        hops.pair,
        ends.reshape(2, -1),
        tuple(_stretches(features, iris)),
        tuple(
            (str(h), iri, str(t)) for h, iri, t in zip(entities[0], iris, entities[1], strict=True)
        ),
        zero_shot,
        np.zeros((len(iris), 0), dtype=np.float32)
        if encoder is None
        else _read(features, zero_shot, encoder),
        true,
        group,
    )


def told_masks(materials: Iterable[Material]) -> list[NDArray[np.bool_]]:
    """Which facts of each question its text tells: those on a true path of any of its questions."""
    kept = list(materials)
    told: dict[str, set[Fact]] = {}
    for material in kept:
        for place in material.true:
            hops = material.of[place][material.of[place] >= 0].tolist()
            told.setdefault(material.group, set()).update(material.facts[hop] for hop in hops)
    return [
        np.array([fact in told.get(material.group, ()) for fact in material.facts], dtype=np.bool_)
        for material in kept
    ]


def materials_of(examples: Iterable[Example], encoder: TextEncoder | None = None) -> list[Material]:
    """The material of all examples."""
    return [
        material_of(example.features, example.true, example.group, encoder) for example in examples
    ]


def _read(features: PathFeatures, zero_shot: Numbers, encoder: TextEncoder) -> NDArray[np.float32]:
    """The facts of the best paths, read; not a number for the others."""
    rows = np.full((len(features.facts.heads), 2), np.nan)
    best = np.argsort(-zero_shot, kind="stable")[:READ]
    used = np.unique(features.facts.of[best])
    used = used[used >= 0]
    rows[used] = np.column_stack(read_facts(features, used, encoder))[used]
    return rows.astype(np.float32)


def _stretches(features: PathFeatures, relations: list[str]) -> Iterable[Stretch]:
    words, found = features.context.tokens.words, features.evidence
    for relation, seen, first, last in zip(
        relations, found.seen.tolist(), found.first.tolist(), found.last.tolist(), strict=True
    ):
        if not seen or last - first > WIDEST:
            yield Stretch(relation, frozenset(), frozenset())
            continue
        around = frozenset(words[max(0, first - AROUND) : last + AROUND]) - _LITTLE
        inside = words[first:last]
        pairs = (f"{one} {other}" for one, other in pairwise(inside))
        yield Stretch(relation, around, frozenset([*inside, *pairs]))
