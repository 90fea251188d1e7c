"""The context document of a path: Algorithm 3 of Lo & Lim (2023), section 7.2.3.

A hop of the path is drawn, then a die says where its sentence comes from: a paragraph that names
both ends (``pair``), an ``introduction``, or the ``rest`` of the two articles. Where that has
nothing (left) to say, the next one speaks: pair, introduction, rest, and last a ``fact`` in plain
words. The source of each sentence says what was asked and who spoke: ``pair>introduction``.
No sentence comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.datasets.synthetic.entity_articles import EntityArticles, Paragraph, Subject
from kgpath.datasets.synthetic.fact_sentences import FactSentence, fact_sentence, kind_sentence
from kgpath.datasets.synthetic.recipe import Recipe
from kgpath.storage.hop_codes import is_backward, relation_of
from kgpath.storage.index import Index
from kgpath.types import Relation

PAIR, INTRODUCTION, REST, FACT = "pair", "introduction", "rest", "fact"
#: A sentence added so that the text names an end of a pair.
END = "end"
_INSTEAD = {
    PAIR: (PAIR, INTRODUCTION, REST),
    INTRODUCTION: (INTRODUCTION, REST),
    REST: (REST, INTRODUCTION),
}
_FEW = 50  # neighbours that are all looked through for a fact that is not expressed yet
_TRIES = 4  # for those who have more


class Place(NamedTuple):
    """``text[start:end]`` names an entity."""

    start: int
    end: int
    entity: int


class Sentence(NamedTuple):
    """A sentence, where it comes from, and which entities it names."""

    text: str
    source: str
    places: tuple[Place, ...]


class Facts(NamedTuple):
    """The graph as facts to express."""

    arrays: Index
    relations: list[Relation]


class Composer:
    """Writes the document of one path; sentences can be added until it is read."""

    def __init__(
        self,
        articles: EntityArticles,
        facts: Facts,
        recipe: Recipe,
        vertices: tuple[int, ...],
        codes: tuple[int, ...],
        rng: np.random.Generator,
    ) -> None:
        self._articles, self._facts, self._recipe, self._rng = articles, facts, recipe, rng
        self._vertices, self._codes = vertices, codes
        self._subjects = [articles[vertex] for vertex in vertices]
        self._expressed: set[object] = set()
        self._pools: dict[tuple[int, str], list[tuple[str, Subject]]] = {}
        self.sentences: list[Sentence] = []

    def write(self) -> None:
        """As many sentences as the recipe says, or as there are."""
        low, high = self._recipe.sentences
        wanted = int(self._rng.integers(low, high + 1))
        hops = list(range(len(self._codes)))
        while len(self.sentences) < wanted and hops:
            hop = hops[int(self._rng.integers(len(hops)))]
            if not self._add_sentence(hop, self._thrown()):
                hops.remove(hop)  # there is nothing left to say of it

    def name(self, vertex: int) -> bool:
        """Make sure that the document names an entity of the path; False if that cannot be done."""
        if vertex in self.named():
            return True
        at = self._vertices.index(vertex)
        for subject in self._subjects[max(at - 1, 0) : at + 2]:
            for part, source in ((subject.introduction, INTRODUCTION), (subject.rest, REST)):
                for text in _sentences(part):
                    if text not in self._expressed and self._subjects[at].places(text):
                        sentence = self._from_article(text, subject, f"{END}>{source}")
                        # Not where it is a part of another's name.
                        if vertex in (place.entity for place in sentence.places):
                            self._add(sentence)
                            return True
        hop = min(at, len(self._codes) - 1)
        return self._recipe.text != "required" and self._express_hop(hop, END)

    def named(self) -> set[int]:
        """The entities that the document names."""
        return {place.entity for sentence in self.sentences for place in sentence.places}

    def read(self) -> tuple[str, list[Place]]:
        """The whole text, and where it names what."""
        places, at = [], 0
        for sentence in self.sentences:
            places += [Place(at + p.start, at + p.end, p.entity) for p in sentence.places]
            at += len(sentence.text) + 1
        return " ".join(sentence.text for sentence in self.sentences), sorted(places)

    def kind(self) -> str:
        """What the text is made of: ``articles``, ``facts`` or ``mixed``."""
        from_facts = {sentence.source.endswith(FACT) for sentence in self.sentences}
        return "mixed" if len(from_facts) > 1 else "facts" if True in from_facts else "articles"

    # One sentence

    def _thrown(self) -> str:
        die = self._rng.random()
        if die < self._recipe.p_sent:
            return PAIR
        return INTRODUCTION if die < self._recipe.p_sent + self._recipe.p_intro else REST

    def _add_sentence(self, hop: int, asked: str) -> bool:
        if self._recipe.text != "facts":
            for source in _INSTEAD[asked]:
                pool = [one for one in self._pool(hop, source) if one[0] not in self._expressed]
                if pool:
                    text, subject = pool[int(self._rng.integers(len(pool)))]
                    said = source if source == asked else f"{asked}>{source}"
                    self._add(self._from_article(text, subject, said))
                    return True
        return self._recipe.text != "required" and self._express_fact(hop, asked)

    def _pool(self, hop: int, source: str) -> list[tuple[str, Subject]]:
        """The sentences that a source has on a hop, each with the subject of its article."""
        key = hop, source
        if key not in self._pools:
            ends = self._subjects[hop : hop + 2]
            pool: dict[str, Subject] = {}
            for subject in ends:
                parts = {INTRODUCTION: subject.introduction, REST: subject.rest}
                for paragraph in parts.get(source, subject.introduction + subject.rest):
                    if source != PAIR or all(end.is_named_in(paragraph) for end in ends):
                        for text in paragraph:
                            pool.setdefault(text, subject)
            self._pools[key] = list(pool.items())
        return self._pools[key]

    def _from_article(self, text: str, subject: Subject, source: str) -> Sentence:
        # The longer name wins; what two entities are called belongs to the article's own.
        subjects = {one.entity.id: one for one in (subject, *self._subjects)}
        found = [
            (start - end, order, Place(start, end, number))
            for order, (number, one) in enumerate(subjects.items())
            for start, end in one.places(text)
        ]
        places: list[Place] = []
        for _, _, place in sorted(found):
            if all(place.end <= one.start or one.end <= place.start for one in places):
                places.append(place)
        return Sentence(text, source, tuple(places))

    def _add(self, sentence: Sentence) -> None:
        self._expressed.add(sentence.text)
        self.sentences.append(sentence)

    # Facts in plain words

    def _express_fact(self, hop: int, asked: str) -> bool:
        ways = {
            PAIR: (self._express_hop, self._express_kind, self._express_other),
            INTRODUCTION: (self._express_kind, self._express_other, self._express_hop),
            REST: (self._express_other, self._express_kind, self._express_hop),
        }
        return any(way(hop, asked) for way in ways[asked])

    def _express_hop(self, hop: int, asked: str) -> bool:
        one, other = self._vertices[hop : hop + 2]
        return self._add_fact(one, other, self._codes[hop], asked)

    def _express_kind(self, hop: int, asked: str) -> bool:
        first = int(self._rng.integers(2))
        for subject in (self._subjects[hop + first], self._subjects[hop + 1 - first]):
            key = subject.entity.id, subject.kind
            if subject.kind and key not in self._expressed:
                self._expressed.add(key)
                self._add_plain(kind_sentence(subject.entity, subject.kind, self._rng), asked)
                return True
        return False

    def _express_other(self, hop: int, asked: str) -> bool:
        index = self._facts.arrays
        side = int(self._rng.integers(2))
        for vertex in (self._vertices[hop + side], self._vertices[hop + 1 - side]):
            first, stop = int(index.offsets[vertex]), int(index.offsets[vertex + 1])
            # A hub has something new to say soon; of others, everything is tried.
            few = stop - first <= _FEW
            tries = self._rng.permutation(stop - first) if few else self._drawn(stop - first)
            for place in (first + tries).tolist():
                low, high = int(index.hop_offsets[place]), int(index.hop_offsets[place + 1])
                code = int(index.hop_codes[int(self._rng.integers(low, high))])
                if self._add_fact(vertex, int(index.neighbours[place]), code, asked):
                    return True
        return False

    def _drawn(self, below: int) -> NDArray[np.int64]:
        return self._rng.integers(below, size=_TRIES)

    def _add_fact(self, one: int, other: int, code: int, asked: str) -> bool:
        """Express the fact of a hop unless it is expressed already."""
        relation = relation_of(code)
        fact = (other, relation, one) if is_backward(code) else (one, relation, other)
        if fact in self._expressed:
            return False
        self._expressed.add(fact)
        head, tail = self._articles.entity(fact[0]), self._articles.entity(fact[2])
        name = self._facts.relations[relation].label
        self._add_plain(fact_sentence(head, name, tail, self._rng), asked)
        return True

    def _add_plain(self, sentence: FactSentence, asked: str) -> None:
        places = tuple(Place(start, end, entity) for entity, start, end in sentence.names)
        self._add(Sentence(sentence.text, f"{asked}>{FACT}", places))


def _sentences(paragraphs: tuple[Paragraph, ...]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from paragraph
