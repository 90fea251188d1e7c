"""A text as rankers read it: its words, its sentences, and how clearly it names each entity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import AmbiguousEntity
from kgpath.lexicon.text import (
    Tokens,
    fold,
    folded_words,
    initials_in,
    sentence_spans,
    tokenize,
    windows,
)
from kgpath.linking.disambiguation import clearly_meant_of
from kgpath.linking.mentions import WINDOW, Link, Mention, find_mentions
from kgpath.linking.name_scores import name_match_scores

if TYPE_CHECKING:
    from kgpath.graph import EntityName, Graph
    from kgpath.types import Entity

#: Words with the same first letters may be forms of one word: "director" and "directed".
BEGINNING = 4

#: A text is asked what it names by several readers, most of them with the same entities expected.
_REMEMBERED = 8


class Context:
    """The text that a query is about; everything is worked out once, when first needed."""

    def __init__(self, graph: Graph, text: str, links: Iterable[Link] = ()) -> None:
        self.graph = graph
        self.text = text
        self.links = tuple(links)
        self._mentions: dict[tuple[int, ...], list[Mention]] = {}

    def entity(self, name: EntityName) -> Entity:
        """The entity of this name; of several with it, the one that the text means.

        It is the only one that the text mentions, or else, where the name stands in the text, the
        one with most neighbours among the entities that it mentions.
        """
        try:
            return self.graph.entity(name)
        except AmbiguousEntity as error:
            choices = {self.graph.entity(iri).id: iri for _, _, iri in error.choices}
            named = {mention.entity for mention in self.mentions()}
            possible = sorted(named & choices.keys() or choices)
            if len(possible) == 1:
                return self.graph.entity(choices[possible[0]])
            words = f" {' '.join(folded_words(fold(error.name)))} "
            stands = words in f" {' '.join(self.tokens.words)} "
            meant = clearly_meant_of(self.graph, possible, named) if stands else None
            if meant is None:
                raise
            return self.graph.entity(choices[meant])

    @cached_property
    def tokens(self) -> Tokens:
        return tokenize(self.text)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where each sentence begins and ends, in characters."""
        return sentence_spans(self.text)

    @cached_property
    def sentence_of(self) -> NDArray[np.int64]:
        """The number of the sentence that each token stands in."""
        starts = np.array([start for start, _ in self.sentences], dtype=np.int64)
        places = np.searchsorted(starts, np.array(self.tokens.starts, dtype=np.int64), side="right")
        return np.maximum(places - 1, 0)

    @cached_property
    def name_scores(self) -> NDArray[np.float64]:
        """For every entity of the graph, how clearly the text names it; 1 for what a link names."""
        scores = name_match_scores(self.graph, self.text, self.tokens)
        scores[[link.entity for link in self.links]] = 1
        return scores

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The tokens at which each word stands."""
        places: dict[str, list[int]] = {}
        for place, word in enumerate(self.tokens.words):
            places.setdefault(word, []).append(place)
        return places

    @cached_property
    def beginnings(self) -> dict[str, list[int]]:
        """The tokens at which words with the same first letters stand, for longer words."""
        places: dict[str, list[int]] = {}
        for word, at in self.places.items():
            if len(word) > BEGINNING:
                places.setdefault(word[:BEGINNING], []).extend(at)
        return {beginning: sorted(at) for beginning, at in places.items()}

    @cached_property
    def initials(self) -> dict[str, list[tuple[int, int]]]:
        """The tokens that are initials, such as "UK" or "U.S.", by their letters."""
        spans: dict[str, list[tuple[int, int]]] = {}
        for letters, first, last in initials_in(self.text, self.tokens):
            spans.setdefault(letters, []).append((first, last))
        return spans

    @cached_property
    def assertion(self) -> NDArray[np.int8]:
        """For each token, whether it is said, denied, asked or supposed."""
        from kgpath.linking.assertion import assertion

        return assertion(self)

    def mentions(self, expected: Sequence[int] = ()) -> list[Mention]:
        """The entities that the text names, with the ``expected`` ones preferred."""
        key = tuple(sorted(set(expected)))
        if key not in self._mentions:
            if len(self._mentions) >= _REMEMBERED:
                self._mentions.clear()
            self._mentions[key] = find_mentions(self.graph, self.text, self.links, expected)
        return self._mentions[key]

    def window(self, entities: Sequence[int], size: int = WINDOW) -> list[str]:
        """The words up to ``size`` tokens around every mention of the entities.

        All words if none of the entities is mentioned.
        """
        wanted = set(entities)
        spans = [(m.first, m.last) for m in self.mentions(entities) if m.entity in wanted]
        if not spans:
            return self.tokens.words
        parts = windows(spans, size, len(self.tokens))
        return [word for first, last in parts for word in self.tokens.words[first:last]]
