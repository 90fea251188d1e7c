"""A question as the hop classifier sees it: its facts in the text, and which of them are told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder
from kgpath.features.hop_features import HopFeatures
from kgpath.features.path_features import FEATURES, PathFeatures
from kgpath.lexicon.stop_words import LITTLE_WORDS
from kgpath.linking.occurrences import CLEAR
from kgpath.rankers.ltr.relation_statistics import AROUND, WIDEST, Stretch
from kgpath.rankers.ltr.sentence_match import read_facts
from kgpath.rankers.ranker import Example
from kgpath.rankers.zero_shot import ZeroShot

Numbers = NDArray[np.float64]
Fact = tuple[str, str, str]

#: The facts of so many paths are read, the best of zero-shot.
READ = 40

#: Stands for the words of a name.
NAME = "·"
# Too common between two names to say which fact is meant.
_LITTLE = LITTLE_WORDS | frozenset(
    f"are at by her his is it its on to was which with {NAME}".split()
)


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
    joints: tuple[str, ...]  # two relations at one entity, each with its side
    joint_of: NDArray[np.int64]  # the joints along each path
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
    relations = features.context.graph.store.relations
    iris = [relations[number].iri for number in facts.relations.tolist()]
    table = features.table()
    _, numbers = np.unique(np.stack([facts.heads, facts.tails]), return_inverse=True)
    ends = numbers.reshape(2, -1)
    entities = facts.heads.tolist(), facts.tails.tolist()
    return Material(
        hops.table().astype(np.float32),
        np.column_stack([table[name] for name in FEATURES]).astype(np.float32),
        facts.of,
        hops.pair,
        ends,
        tuple(_stretches(features, iris)),
        tuple(
            (str(h), iri, str(t)) for h, iri, t in zip(entities[0], iris, entities[1], strict=True)
        ),
        zero_shot,
        *_joints(facts.of, ends, iris),
        np.zeros((len(iris), 0), dtype=np.float32)
        if encoder is None
        else _read(features, zero_shot, encoder),
        true,
        group,
    )


def _joints(
    of: NDArray[np.int64], ends: NDArray[np.int64], relations: list[str]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Every pair of relations that meet on a path, and those along each path; -1 after its end."""
    one, other = of[:, :-1], of[:, 1:]
    there = other >= 0
    heads, tails = ends
    one, other = one[there], other[there]
    at_head = (heads[one] == heads[other]) | (heads[one] == tails[other])
    meeting = np.where(at_head, heads[one], tails[one])
    names, number = np.unique(np.array(relations, dtype=object), return_inverse=True)
    sides = [2 * number[fact] + (heads[fact] == meeting) for fact in (one, other)]
    pairs, place = np.unique(np.sort(np.stack(sides), axis=0), axis=1, return_inverse=True)
    made = np.full((len(of), of.shape[1] - 1), -1, dtype=np.int64)
    made[there] = place.reshape(-1)
    said = [[f"{names[side >> 1]}{'<>'[side & 1]}" for side in row] for row in pairs.tolist()]
    return tuple(map(" ".join, zip(*said, strict=True))), made


def expressed_masks(materials: Iterable[Material]) -> list[NDArray[np.bool_]]:
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
    """Words that tell a fact are those beside the names: a name would stand for its entity."""
    found, facts, seen = features.evidence, features.facts, features.occurrences
    words, classes = _without_names(features), _classes(features)
    places = zip(found.seen.tolist(), found.first.tolist(), found.last.tolist(), strict=True)
    ends = zip(facts.heads.tolist(), facts.tails.tolist(), strict=True)
    spans = {entity: seen.of(entity) for entity in seen.entities.tolist()}
    for relation, (head, tail), (both, first, last) in zip(relations, ends, places, strict=True):
        kinds = classes.get(head, ""), classes.get(tail, "")
        if not both or last - first > WIDEST:
            yield Stretch(relation, frozenset(), frozenset(), *kinds)
            continue
        start = max(0, first - AROUND)
        here = words[start : last + AROUND]
        for begin, end in (*spans[head], *spans[tail]):
            if begin < start + len(here) and end > start:
                for place in range(max(begin - start, 0), min(end - start, len(here))):
                    here[place] = NAME
        inside = [word for word, _ in groupby(here[first - start : last - start])]
        pairs = (f"{one} {other}" for one, other in pairwise(inside))
        between = frozenset([*inside, *pairs]) - {NAME}
        yield Stretch(relation, frozenset(here) - _LITTLE, between, *kinds)


def _without_names(features: PathFeatures) -> list[str]:
    """The words of the text, with NAME where a capital letter begins what it names."""
    context, seen = features.context, features.occurrences
    words, starts = list(context.tokens.words), context.tokens.starts
    for entity, named in zip(seen.entities.tolist(), seen.named.tolist(), strict=True):
        if named >= CLEAR:
            for first, last in seen.of(entity):
                if context.text[starts[first]].isupper():
                    words[first:last] = [NAME] * (last - first)
    return words


def _classes(features: PathFeatures) -> dict[int, str]:
    """The class of each entity that says most: the one with the fewest members."""
    facts = features.facts
    entities = np.unique(np.concatenate([facts.heads, facts.tails])).tolist()
    classes: dict[int, tuple[int, str]] = {}
    for entity, members, iri in features.context.graph.store.rows(
        "SELECT entity, entities, iri FROM entity_type JOIN class ON class.id = class"
        " WHERE entity IN ({ids})",
        entities,
    ):
        classes[entity] = min((members, iri), classes.get(entity, (members, iri)))
    return {entity: iri for entity, (_, iri) in classes.items()}
