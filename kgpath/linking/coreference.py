"""Words that stand for an entity named before: "he", "its", "the city".

Plain rules for plain texts, meant for those who follow a path through a text, not as a linguist's
resolution of references. A pronoun means the first fitting entity of its own sentence before it,
or else of the sentence before: what a sentence begins with is mostly what it is about. "The city"
means the city named last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kgpath.lexicon.text import fold
from kgpath.storage.ontology import closure, group

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.linking.context import Context

Span = tuple[int, int]

_PERSON = "he him his she her hers".split()
_THING = "it its".split()
_MANY = "they their them".split()
_THE = frozenset("the this that".split())
#: Classes that are called so say nothing by which a text would call their members.
_TOO_WIDE = frozenset("thing agent place work entity object species".split())
_PEOPLE = frozenset("person human people".split())
#: A pronoun may mean something so many sentences before.
BACK = 2


class Kind(NamedTuple):
    """What a class of the ontology says of its members."""

    nouns: frozenset[str]
    person: bool


class Kinds:
    """What texts may call the entities of a graph, by their classes."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @cached_property
    def _by_class(self) -> dict[int, Kind]:
        db = self._graph.store.db
        labels = dict(db.execute("SELECT id, label FROM class"))
        parents = group(db.execute("SELECT child, parent FROM class_parent"))
        kinds = {}
        for number in labels:
            words = [fold(labels[up]).split() for up in closure([number], parents) | {number}]
            nouns = frozenset(name[-1] for name in words if name) - _TOO_WIDE
            kinds[number] = Kind(nouns, bool(nouns & _PEOPLE))
        return kinds

    def of(self, entities: Sequence[int]) -> dict[int, Kind]:
        """The kinds of those entities that have a class."""
        found: dict[int, Kind] = {}
        for entity, number in self._graph.store.rows(
            "SELECT entity, class FROM entity_type WHERE entity IN ({ids})", entities
        ):
            kind, own = self._by_class[number], found.get(entity)
            found[entity] = Kind(own.nouns | kind.nouns, own.person or kind.person) if own else kind
        return found


def coreference(
    context: Context, kinds: Mapping[int, Kind], named: Mapping[int, Sequence[Span]]
) -> dict[int, list[Span]]:
    """Where the text means some of the entities that it ``named`` elsewhere by other words."""
    order = sorted((first, entity) for entity, spans in named.items() for first, _ in spans)
    if not order:
        return {}
    found: dict[int, list[Span]] = {}
    for words, person in ((_PERSON, True), (_THING, False), (_MANY, None)):
        fitting = [named for named in order if _fits(kinds.get(named[1]), person)]
        for place in (place for word in words for place in context.places.get(word, ())):
            if (entity := _about(context, fitting, place)) is not None:
                found.setdefault(entity, []).append((place, place + 1))
    begun = {first for first, _ in order}
    for noun in sorted({noun for kind in kinds.values() for noun in kind.nouns}):
        places = list(_definite(context, noun, begun))
        if not places:
            continue
        called = [(at, entity) for at, entity in order if noun in _nouns(kinds.get(entity))]
        for place in places:
            if before := bisect_left(called, (place, -1)):
                found.setdefault(called[before - 1][1], []).append((place - 1, place + 1))
    return found


def _fits(kind: Kind | None, person: bool | None) -> bool:
    return kind is None or person is None or kind.person == person


def _nouns(kind: Kind | None) -> frozenset[str]:
    return kind.nouns if kind else frozenset()


def _about(context: Context, fitting: list[tuple[int, int]], place: int) -> int | None:
    """The entity that a pronoun means, of those that fit it, by where they are named."""
    sentence = context.sentence_of
    own = int(sentence[place])
    stop = bisect_left(fitting, (place, -1))
    for number in range(own, max(own - BACK, 0) - 1, -1):
        begin = bisect_left(fitting, (int(sentence.searchsorted(number)), -1))
        if begin < stop:
            return fitting[begin][1]
    return None


def _definite(context: Context, noun: str, begun: set[int]) -> Iterator[int]:
    """Where a noun stands with an article before it and no name or "of" behind it."""
    words = context.tokens.words
    for place in context.places.get(noun, ()):
        after = place + 1
        named = after in begun or words[after : after + 1] == ["of"]
        if place and words[place - 1] in _THE and not named:
            yield place
