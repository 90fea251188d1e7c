"""Algorithm 1 of Lo & Lim (2023): more entities for a document, each with a sentence about it.

A neighbour of two entities of the document joins it, if an article has a sentence that names the
neighbour and one of the two; the sentence is put in after the first that names that one. So longer
paths can be expressed by the text. The algorithm's own listing is not in the paper's text; this is
built from what the text says of it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kgpath.datasets.annotation.context_documents import ContextDocument, EntityLink
from kgpath.graph import Graph
from kgpath.lexicon.text import sentence_spans
from kgpath.linking.mentions import find_mentions

#: Neighbours of larger hubs are related to everything.
HUB_CAP = 1000


class Sentence(NamedTuple):
    """A sentence of an article with the places of the entities it names."""

    text: str
    links: tuple[EntityLink, ...]

    def names(self, entity: int) -> bool:
        return any(link.entity == entity for link in self.links)


class Added(NamedTuple):
    """An entity that joined: the sentence for it, from whose article, and after whom it stands."""

    entity: int
    sentence: Sentence
    article: int
    after: int


class Completion:
    """Adds entities to documents, at most ``max_added`` to each; the best connected come first.

    Neighbours of entities with more than ``hub_cap`` of them are passed over; 0 takes those of all.
    """

    def __init__(
        self, graph: Graph, *, max_added: int = 3, hub_cap: int = HUB_CAP, seed: int = 0
    ) -> None:
        self.graph = graph
        self.max_added = max_added
        self.hub_cap = hub_cap
        self.seed = seed
        self._sentences = lru_cache(maxsize=20_000)(self._read_sentences)

    @property
    def way(self) -> str:
        """In words, which neighbours are considered."""
        if not self.hub_cap:
            return "by way of any entity"
        return f"by way of entities with at most {self.hub_cap:,} neighbours"

    def complete(self, document: ContextDocument) -> tuple[ContextDocument, list[Added]]:
        """The document with the sentences put in, and what was added, in order of worth."""
        added: list[Added] = []
        for entity, around in self._neighbours(document.entities):
            if len(added) >= self.max_added:
                break
            used = {one.sentence.text for one in added}
            found = self._sentence_for(document, entity, around, used)
            if found:
                added.append(found)
        return _inserted(document, added), added

    def _neighbours(self, entities: Sequence[int]) -> list[tuple[int, list[int]]]:
        """Entities next to two or more of these, with those: most of them first, hubs last."""
        index = self.graph.index
        present = set(entities)
        around: dict[int, list[int]] = {}
        for entity in entities:
            start, stop = index.offsets[entity], index.offsets[entity + 1]
            if not self.hub_cap or stop - start <= self.hub_cap:
                for other in index.neighbours[start:stop].tolist():
                    if other not in present:
                        around.setdefault(other, []).append(entity)
        degree = np.diff(index.offsets)
        shared = [(other, near) for other, near in around.items() if len(near) > 1]
        return sorted(shared, key=lambda one: (-len(one[1]), int(degree[one[0]]), one[0]))

    def _sentence_for(
        self, document: ContextDocument, entity: int, around: list[int], used: set[str]
    ) -> Added | None:
        """A sentence drawn from those that name the entity and one of its neighbours here."""
        choices = [
            (sentence, article)
            for article in (*around, entity)
            for sentence in self._sentences(article)
            if sentence.names(entity)
            and any(map(sentence.names, around))
            and sentence.text not in used
            and sentence.text not in document.text
        ]
        if not choices:
            return None
        iri = self.graph.entity(entity).iri
        draw = random.Random(f"{self.seed}|{document.id}|{iri}")
        sentence, article = draw.choice(choices)
        after = next(one for one in around if sentence.names(one))
        present = {entity, *document.entities}
        links = tuple(link for link in sentence.links if link.entity in present)
        return Added(entity, sentence._replace(links=links), article, after)

    def _read_sentences(self, entity: int) -> list[Sentence]:
        """The sentences of an entity's article."""
        rows = self.graph.store.db.execute(
            "SELECT text FROM passage WHERE entity = ? AND section >= 0 ORDER BY section, position",
            (entity,),
        )
        text = "\n\n".join(text for (text,) in rows)
        mentions = find_mentions(self.graph, text, expected=[entity])
        return [
            Sentence(
                text[start:end],
                tuple(
                    EntityLink(m.start - start, m.end - start, m.entity)
                    for m in mentions
                    if start <= m.start and m.end <= end
                ),
            )
            for start, end in sentence_spans(text)
        ]


def _inserted(document: ContextDocument, added: Sequence[Added]) -> ContextDocument:
    """The document with each sentence after the first one that names its neighbour."""
    waiting: dict[int, list[Sentence]] = {}  # by the place after which they go
    for one in added:
        waiting.setdefault(_place_after(document, one.after), []).append(one.sentence)
    parts: list[str] = []
    links: list[EntityLink] = []
    at = length = 0
    for end in sorted(waiting):
        parts.append(document.text[at:end])
        length += end - at
        at = end
        for sentence in waiting[end]:
            links += [EntityLink(length + 1 + s, length + 1 + e, x) for s, e, x in sentence.links]
            parts.append(" " + sentence.text)
            length += 1 + len(sentence.text)
    parts.append(document.text[at:])
    for link in document.links:
        shift = sum(
            1 + len(sentence.text)
            for end, sentences in waiting.items()
            if end <= link.start
            for sentence in sentences
        )
        links.append(EntityLink(link.start + shift, link.end + shift, link.entity))
    return ContextDocument(document.id, document.title, "".join(parts), tuple(sorted(links)))


def _place_after(document: ContextDocument, entity: int) -> int:
    """The end of the sentence that first names an entity, or of one behind it within no link."""
    named = document.places(entity)[0][1]
    ends = (end for _, end in document.sentences if end >= named)
    return next(
        end for end in ends if not any(link.start < end < link.end for link in document.links)
    )
