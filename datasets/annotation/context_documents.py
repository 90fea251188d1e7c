"""Texts with the entities of a graph that they link to: what annotation starts from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from kgpath.datasets.annotation.wikinews import NewsArticle
from kgpath.graph import Graph
from kgpath.kg_build.wikimedia.articles import Titles
from kgpath.lexicon.text import sentence_spans
from kgpath.types import Entity


class EntityLink(NamedTuple):
    """A span ``text[start:end]`` of a document that names an entity of the graph."""

    start: int
    end: int
    entity: int


@dataclass(frozen=True)
class ContextDocument:
    """A text and its links to entities, by place."""

    id: str
    title: str
    text: str
    links: tuple[EntityLink, ...]

    @cached_property
    def entities(self) -> tuple[int, ...]:
        """The entities it links to, in the order in which it first does."""
        return tuple(dict.fromkeys(link.entity for link in self.links))

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where each sentence begins and ends."""
        return sentence_spans(self.text)

    def places(self, entity: int) -> list[tuple[int, int]]:
        """Where an entity is named."""
        return [(link.start, link.end) for link in self.links if link.entity == entity]

    def to_json(self, entities: dict[int, Entity]) -> dict[str, Any]:
        """The document as plain data; ``entities`` has those of its links."""
        return {
            "id": self.id,
            "title": self.title,
            "document": self.text,
            "links": [
                {
                    "entity": entities[link.entity].iri,
                    "words": self.text[link.start : link.end],
                    "start": link.start,
                    "end": link.end,
                }
                for link in self.links
            ],
        }


class Linker:
    """Makes context documents of news; counts the links that lead to nothing in the graph."""

    def __init__(self, graph: Graph) -> None:
        db = graph.store.db
        iris = [iri for (iri,) in db.execute("SELECT iri FROM entity ORDER BY id")]
        labels: Iterator[tuple[int, str]] = db.execute(
            "SELECT entity, text FROM name WHERE label = 1 ORDER BY id"
        )
        self._titles = Titles(iris, labels)
        self.links = self.mapped = self.unplaced = 0

    def document(self, article: NewsArticle) -> ContextDocument:
        """The article with those of its links that lead to an entity."""
        found = {}
        for title in sorted({link.title for link in article.links}):
            number = self._titles.find(title)
            if number is not None and number >= 0:
                found[title] = number
        self.links += len({link.title for link in article.links}) + len(article.unplaced)
        self.mapped += len(found)
        self.unplaced += len(article.unplaced)
        links = (
            EntityLink(link.start, link.end, found[link.title])
            for link in article.links
            if link.title in found
        )
        return ContextDocument(article.id, article.title, article.text, tuple(sorted(links)))
