"""Where a text shows a fact: the words around and between its two ends, without names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from kgpath.features.path_features import PathFeatures
from kgpath.lexicon.stop_words import LITTLE_WORDS
from kgpath.linking.occurrences import CLEAR

#: Tokens on either side of the two ends that count as around them.
AROUND = 4
#: Ends farther apart than this say nothing by the words between them.
WIDEST = 25
#: Stands for the words of a name.
NAME = "·"
# Too common between two names to say which fact is meant.
_LITTLE = LITTLE_WORDS | frozenset(
    f"are at by her his is it its on to was which with {NAME}".split()
)


class FactSpan(NamedTuple):
    """A fact in a text: its relation, the words around and between its ends, and their classes."""

    relation: str
    around: frozenset[str]
    between: frozenset[str]
    head: str = ""
    tail: str = ""

    @property
    def with_classes(self) -> tuple[str, str]:
        """Its relation with the class of its head, and with that of its tail."""
        return f"{self.relation} {self.head}", f"{self.tail} {self.relation}"


def fact_spans(features: PathFeatures, relations: Sequence[str]) -> Iterator[FactSpan]:
    """The span of each fact, whose relation is given by IRI.

    The words that express a fact are those beside the names: a name would stand for its entity.
    """
    found, facts, seen = features.evidence, features.facts, features.occurrences
    words, classes = _without_names(features), _classes(features)
    places = zip(found.seen.tolist(), found.first.tolist(), found.last.tolist(), strict=True)
    ends = zip(facts.heads.tolist(), facts.tails.tolist(), strict=True)
    names = {entity: seen.of(entity) for entity in seen.entities.tolist()}
    for relation, (head, tail), (both, first, last) in zip(relations, ends, places, strict=True):
        of_ends = classes.get(head, ""), classes.get(tail, "")
        if not both or last - first > WIDEST:
            yield FactSpan(relation, frozenset(), frozenset(), *of_ends)
            continue
        start = max(0, first - AROUND)
        here = words[start : last + AROUND]
        for begin, end in (*names[head], *names[tail]):
            if begin < start + len(here) and end > start:
                for place in range(max(begin - start, 0), min(end - start, len(here))):
                    here[place] = NAME
        around, between = frozenset(here) - _LITTLE, _between(here[first - start : last - start])
        yield FactSpan(relation, around, between, *of_ends)


def _between(words: list[str]) -> frozenset[str]:
    """Single words and pairs of them, names left out."""
    inside = [word for word, _ in groupby(words)]
    pairs = (f"{one} {other}" for one, other in pairwise(inside))
    return frozenset([*inside, *pairs]) - {NAME}


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
