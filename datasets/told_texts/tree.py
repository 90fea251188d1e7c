"""Which facts a text is about: small trees of a graph, with every kind of relation in turn."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.datasets.told_texts.patterns import says_label, spelled, wordings
from kgpath.datasets.told_texts.things import Things
from kgpath.graph import Graph
from kgpath.lexicon.text import fold
from kgpath.storage.hop_codes import code_of, is_backward, relation_of

_FEWEST_EDGES = 15
#: Labels that say too little, or that come from the layout of tables.
_NO_RELATIONS = frozenset(
    "title titles name text extra type issue rev fam part home cup away order race line source "
    "last after before as data poll caption related rank years position note notes with round "
    "license reason relation alongside succession fractions cteam start end image honorific "
    "address map "
    "opponent promotion soc sock tv tree stand address merged split service game updatemodel "
    "timezone north east south west northwest northeast southwest southeast free fuel agriculture "
    "head history interior surface voices show athletics areas cities as european international "
    "units post lastevent europarl currenttraininglocations formertraininglocations "
    "formerchoreographer birth person credits media sites national included".split()
) | frozenset(
    ["other topics", "state party", "time zone", "sat serv", "cable serv", "most caps",
     "main char team", "more users", "number of representatives"]
)  # fmt: skip
_NO_RELATION = re.compile(
    r"[^a-z, ()]|^.{1,2}$|^(format |seats|site |rd|demo|blank|near |image|picture|translit|event|"
    r"post|continentalcup|reg type|b side)|(type|suffix|prefix|title|info|census|see also|sec|csd)$"
)
_ODDLY = re.compile(r"^[fm]{2,}$|^(the )?(rdf|owl)")
_SIZES = np.array([0.05, 0.12, 0.20, 0.22, 0.18, 0.13, 0.10])  # 1 to 7 facts
_BALANCE = 0.5  # a relation is taken as often as this power of its facts
_HUB = 2000  # facts; a text seldom goes on from "actor" to another actor
_LOOKED_AT = 300
_TRIES = 25
_LITTLE = frozenset("name names of is the a an current former has".split())


class Fact(NamedTuple):
    """A fact by ids."""

    head: int
    relation: int
    tail: int

    def other(self, entity: int) -> int:
        return self.tail if entity == self.head else self.head


class Trees:
    """Draws trees of facts; ``own_words`` ones have hand-written wordings for every relation."""

    def __init__(self, graph: Graph, things: Things) -> None:
        self.things = things
        self.index = graph.index
        relations = graph.store.relations
        fewest = min(_FEWEST_EDGES, max((one.edges for one in relations), default=0))
        labels = [one.label.lower() for one in relations]
        usable = [
            one.edges >= fewest and is_usable(label)
            for one, label in zip(relations, labels, strict=True)
        ]
        own = [good and _has_own_words(label) for good, label in zip(usable, labels, strict=True)]
        self._usable = {False: np.array(usable, bool), True: np.array(own, bool)}
        self.edges = np.array([one.edges for one in relations], dtype=np.int64)
        self._words = [same_words(label) for label in labels]
        # Forward codes sorted by relation: a fact of a relation is one place of this array.
        self._places = np.flatnonzero(~is_backward(self.index.hop_codes))
        order = np.argsort(relation_of(self.index.hop_codes[self._places]), kind="stable")
        self._places = self._places[order]
        sorted_relations = relation_of(self.index.hop_codes[self._places])
        self._starts = np.searchsorted(sorted_relations, np.arange(len(relations) + 1))

    def can_draw(self) -> bool:
        return bool(self._weights(False).sum() > 0)

    def draw(self, rng: np.random.Generator, own_words: bool) -> list[Fact]:
        """A tree in the order in which it grew; empty if this try met no usable fact."""
        weights = self._weights(own_words)
        if not weights.sum():
            weights, own_words = self._weights(False), False
        relation = int(rng.choice(len(weights), p=weights / weights.sum()))
        place = int(rng.integers(self._starts[relation], self._starts[relation + 1]))
        first = self._fact_at(int(self._places[place]))
        if first.head == first.tail or not self._fit(first, []):
            return []
        tree, names = [first], [first.head, first.tail]
        wanted = 1 + int(rng.choice(len(_SIZES), p=_SIZES))
        for _ in range(_TRIES):
            if len(tree) >= wanted:
                break
            fact = self._next(tree, names, rng, own_words)
            if fact is not None and self._fit(fact, names):
                tree.append(fact)
                names.append(fact.tail if fact.head in names else fact.head)
        return [self._meant(fact, rng, own_words) for fact in tree]

    def parallels(self, fact: Fact) -> list[Fact]:
        """All facts on the two ends, this one too, in either direction."""
        codes = self.index.codes_between(fact.head, fact.tail).tolist()
        return [_fact(fact.head, code, fact.tail) for code in codes]

    def with_same_words(self, fact: Fact) -> list[Fact]:
        """The parallel facts, this one too, that its words could mean as well."""
        words = self._words[fact.relation]
        return [
            one
            for one in self.parallels(fact)
            if one.head == fact.head and self._words[one.relation] == words
        ]

    def _weights(self, own_words: bool) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.where(
            self._usable[own_words] & (np.diff(self._starts) > 0), self.edges, 0
        ) ** float(_BALANCE)
        return found

    def _fact_at(self, place: int) -> Fact:
        index = self.index
        pair = int(np.searchsorted(index.hop_offsets, place, side="right")) - 1
        start = int(np.searchsorted(index.offsets, pair, side="right")) - 1
        return _fact(start, int(index.hop_codes[place]), int(index.neighbours[pair]))

    def _next(
        self, tree: list[Fact], names: list[int], rng: np.random.Generator, own_words: bool
    ) -> Fact | None:
        chance = rng.random()
        if chance < 0.45:
            at = names[-1]
        elif chance < 0.75:
            at = names[0]
        else:
            at = names[int(rng.integers(len(names)))]
        index = self.index
        first, last = int(index.offsets[at]), int(index.offsets[at + 1])
        start, stop = int(index.hop_offsets[first]), int(index.hop_offsets[last])
        if stop - start > _HUB and rng.random() < 0.8:
            return None
        places = np.arange(start, stop)
        if len(places) > _LOOKED_AT:
            places = np.sort(rng.choice(places, _LOOKED_AT, replace=False))
        codes = index.hop_codes[places]
        good = self._usable[own_words][relation_of(codes)]
        places, codes = places[good], codes[good]
        if not len(places):
            return None
        # Now and then one more of the same: lists want it.
        same = [code_of(fact.relation, fact.tail == at) for fact in tree if at in fact[::2]]
        kinds = np.unique(codes)
        again = [one for one in same if one in kinds]
        if again and rng.random() < 0.35:
            kind = again[int(rng.integers(len(again)))]
        else:
            kind = int(kinds[int(rng.integers(len(kinds)))])
        among = places[codes == kind]
        place = int(among[int(rng.integers(len(among)))])
        pair = int(np.searchsorted(index.hop_offsets, place, side="right")) - 1
        return _fact(at, kind, int(index.neighbours[pair]))

    def _fit(self, fact: Fact, names: list[int]) -> bool:
        """Whether names of what the fact adds are usable, and not those of something else."""
        new = [one for one in (fact.head, fact.tail) if one not in names]
        if len(new) != (1 if names else 2):
            return False
        things = self.things
        if not all(things.is_nameable(one) for one in new):
            return False
        forms: list[str] = []
        for one in [*names, *new]:
            name = things.name(one)
            forms += sorted({fold(name), fold(name.partition(",")[0])})
        return len(set(forms)) == len(forms)

    def _meant(self, fact: Fact, rng: np.random.Generator, own_words: bool) -> Fact:
        """Of the parallel facts the one that is told; of same words the most common relation."""
        usable = self._usable[own_words]
        others = [one for one in self.parallels(fact) if usable[one.relation]]
        weights = self.edges[[one.relation for one in others]].astype(float)
        if rng.random() < 0.5:
            weights = np.ones(len(others))
        chosen = others[int(rng.choice(len(others), p=weights / weights.sum()))]
        same = [one for one in self.with_same_words(chosen) if usable[one.relation]]
        return max(same, key=lambda one: (int(self.edges[one.relation]), -one.relation))


def is_usable(label: str) -> bool:
    """Whether a sentence can tell a relation of this name."""
    bare = spelled(label)
    return (
        label not in _NO_RELATIONS
        and not _NO_RELATION.search(label)
        and not _ODDLY.search(bare)
        and len(bare) > 2
        and (len(bare.split()) <= 4 or bool(wordings(label)))
    ) or label.startswith("relates an entity to the populated place in which it is")


def same_words(label: str) -> frozenset[str]:
    """The words of a label by which a reader tells it from others.

    >>> same_words("leader name") == same_words("leaders")
    True
    """
    words = [word for word in fold(label).split() if word not in _LITTLE]
    return frozenset(word[:-1] if word.endswith("s") else word for word in words)


def _has_own_words(label: str) -> bool:
    return any(
        not says_label(pattern.words, label)
        for wording in wordings(label)
        for pattern in wording.patterns
    )


def _fact(start: int, code: int, end: int) -> Fact:
    head, tail = (end, start) if is_backward(code) else (start, end)
    return Fact(int(head), int(relation_of(code)), int(tail))
