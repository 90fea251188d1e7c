"""What texts are made of: names and kinds of entities, and the sentences of their articles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kgpath.graph import Graph
from kgpath.lexicon.text import fold, sentence_spans, without_qualifier
from kgpath.linking.name_hits import is_plain_word
from kgpath.types import Entity

#: The sentences of a paragraph.
Paragraph = tuple[str, ...]
_MOST = 50_000  # entities cached in memory


@dataclass(frozen=True)
class Subject:
    """An entity to write about; ``names`` are those by which a text may be searched for it."""

    entity: Entity
    names: tuple[str, ...]
    kind: str
    introduction: tuple[Paragraph, ...]
    rest: tuple[Paragraph, ...]

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where a text names it, as whole words; the longest name wins, nothing overlaps."""
        found: list[tuple[int, int]] = []
        for name in self.names:  # the longest first
            start = text.find(name)
            while start >= 0:
                end = start + len(name)
                if _stands_alone(text, start, end) and all(
                    end <= one or other <= start for one, other in found
                ):
                    found.append((start, end))
                start = text.find(name, end)
        return found

    def is_named_in(self, paragraph: Paragraph) -> bool:
        """Whether any sentence of it names the entity."""
        return any(self.places(sentence) for sentence in paragraph)


class EntityArticles:
    """Subjects by id, read from the graph file and cached while they are in use."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[int, Subject] = {}
        self._entities: dict[int, Entity] = {}

    def __getitem__(self, number: int) -> Subject:
        if number not in self._known:
            self.read([number])
        return self._known[number]

    def entity(self, number: int) -> Entity:
        """An entity that is only named."""
        if number in self._known:
            return self._known[number].entity
        if number not in self._entities:
            if len(self._entities) > _MOST:
                self._entities.clear()
            self._entities.update(self._graph.store.entities([number]))
        return self._entities[number]

    def read(self, numbers: Iterable[int]) -> None:
        """Read many at once, before they are needed one by one."""
        if len(self._known) > _MOST:
            self._known.clear()
        wanted = sorted(set(numbers).difference(self._known))
        names = self._rows("SELECT entity, text FROM name", wanted, "id")
        kinds = self._rows(
            "SELECT entity, label FROM entity_type JOIN class ON class.id = class",
            wanted, "entities, iri",
        )  # fmt: skip
        passages = self._rows(
            "SELECT entity, section, text FROM passage", wanted, "section, position"
        )
        for number, entity in self._graph.store.entities(wanted).items():
            parts: tuple[list[Paragraph], list[Paragraph]] = [], []
            for section, text in passages.get(number, ()):
                if section >= 0:
                    parts[section > 0].extend(paragraphs(text))
            self._known[number] = Subject(
                entity,
                tuple(searchable(text for (text,) in names.get(number, ()))),
                kinds[number][0][0] if number in kinds else "",
                tuple(parts[0]),
                tuple(parts[1]),
            )

    def _rows(self, query: str, wanted: list[int], order: str) -> dict[int, list[Any]]:
        rows: dict[int, list[Any]] = {}
        for number, *row in self._graph.store.rows(
            f"{query} WHERE entity IN ({{ids}}) ORDER BY {order}", wanted
        ):
            rows.setdefault(number, []).append(row)
        return rows


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a passage, each as its sentences; white space is made plain.

    >>> list(paragraphs("Dr. No is a film. It is old.\\nIt is long."))
    [('Dr. No is a film.', 'It is old.'), ('It is long.',)]
    """
    for block in text.splitlines():
        plain = " ".join(block.split())
        if plain:
            yield tuple(plain[start:end] for start, end in sentence_spans(plain))


def searchable(names: Iterable[str]) -> list[str]:
    """The ways to write an entity's names, the longest first; none that is a common word.

    >>> searchable(["Casino Royale (2006 film)", "It"])
    ['Casino Royale (2006 film)', 'Casino Royale']
    """
    forms: dict[str, None] = {}
    for name in names:
        plain = without_qualifier(name)
        for form in (name, plain, plain.partition(",")[0].strip()):
            words = fold(form).split()
            if words and not all(map(is_plain_word, words)) and len(form) > 1:
                forms[form] = None
    return sorted(forms, key=lambda form: (-len(form), form))


_WORD = re.compile(r"\w")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit joins on to a span of text."""
    before = start > 0 and _WORD.match(text[start - 1]) and _WORD.match(text[start])
    after = end < len(text) and _WORD.match(text[end]) and _WORD.match(text[end - 1])
    return not before and not after
