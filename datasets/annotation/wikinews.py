"""Wikinews: articles whose editors linked the things they name, from a dump or from JSON lines.

A JSON line has ``title``, ``paragraphs`` and ``entities``, each with the ``title`` of its Wikipedia
article and ``spots``, the words by which the text names it, separated by commas.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadSource
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json
from kgpath.kg_build.files import SourceFile
from kgpath.kg_build.wikimedia.mediawiki import read_pages
from kgpath.kg_build.wikimedia.wikitext import Paragraph, read_wikitext
from kgpath.lexicon.text import MOST_WORDS, tokenize
from kgpath.plugins import ARTICLE_FORMATS

_BREAK = "\n\n"


class NewsLink(NamedTuple):
    """A span ``text[start:end]`` that names what an article of that title is about."""

    start: int
    end: int
    title: str


class NewsArticle(NamedTuple):
    """A text with the links in it, by place; ``unplaced`` are titles that no words stand for."""

    id: str
    title: str
    text: str
    links: tuple[NewsLink, ...]
    unplaced: tuple[str, ...] = ()


class NewsFile:
    """The articles of a file, one by one. ``problems`` says what could not be used, and why."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.name = "standard input" if self.path == "-" else Path(path).name
        self.problems: list[str] = []
        self.without_links = 0

    def __iter__(self) -> Iterator[NewsArticle]:
        found = 0
        for article in self._json() if self._is_json() else self._pages():
            found += 1
            yield article
        if not found:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(
                f"{self.name} holds no article with links. Known are a MediaWiki dump, and JSON "
                f"lines with title, paragraphs and entities.{first}"
            )

    def _is_json(self) -> bool:
        if self.path == "-":
            return True
        file = SourceFile(self.path, known=ARTICLE_FORMATS)
        file.size()  # complains about what cannot be read
        with file.open():
            return file.format != "mediawiki"

    def _bad(self, number: int, reason: str) -> None:
        self.problems.append(f"{self.name}:{number}: {reason}")

    def _json(self) -> Iterator[NewsArticle]:
        for number, line in enumerate(read_lines(self.path, self._bad), 1):
            if not line.strip():
                continue
            try:
                article = _from_json(from_json(line), f"line {number}")
            except ValueError as error:
                self._bad(number, str(error))
                continue
            if article.links:
                yield article
            else:
                self.without_links += 1

    def _pages(self) -> Iterator[NewsArticle]:
        with SourceFile(self.path, known=ARTICLE_FORMATS).open() as stream:
            for page in read_pages(stream, self.name):
                if page.namespace != 0 or page.redirect:
                    continue
                text, links = _joined(read_wikitext(page.text))
                if links:
                    name = page.title.replace(" ", "_")
                    yield NewsArticle(name, page.title, text, tuple(links))
                else:
                    self.without_links += 1


def _joined(paragraphs: list[Paragraph]) -> tuple[str, list[NewsLink]]:
    """One text of all paragraphs, and the links at their places in it."""
    links: list[NewsLink] = []
    at = 0
    for paragraph in paragraphs:
        links += [NewsLink(at + s, at + e, title) for s, e, title in paragraph.links]
        at += len(paragraph.text) + len(_BREAK)
    return _BREAK.join(paragraph.text for paragraph in paragraphs), links


def _from_json(data: Any, name: str) -> NewsArticle:
    """An article from plain data; ValueError says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    paragraphs, entities = data.get("paragraphs"), data.get("entities")
    if not isinstance(paragraphs, list) or not all(isinstance(p, str) for p in paragraphs):
        raise ValueError("paragraphs is not a list of texts")
    if not isinstance(entities, list):
        raise ValueError("entities is not a list")
    # Some texts still have the markup of a character: "&mdash;".
    text = _BREAK.join(" ".join(unescape(p).split()) for p in paragraphs)
    spots = dict(_spots(entity) for entity in entities)
    links = _placed(text, spots)
    placed = {link.title for link in links}
    return NewsArticle(
        str(data.get("wikiTitle") or data.get("docId") or name),
        str(data.get("title", "")),
        text,
        tuple(links),
        tuple(title for title in spots if title not in placed),
    )


def _spots(entity: Any) -> tuple[str, list[str]]:
    """The title of an entity and the words for it; without any, those of the title."""
    title = entity.get("title") if isinstance(entity, dict) else None
    if not isinstance(title, str) or not title.strip():
        raise ValueError("an entity has no title")
    title = " ".join(title.replace("_", " ").split())
    spots = entity.get("spots") or []
    if not isinstance(spots, list) or not all(isinstance(one, str) for one in spots):
        raise ValueError("spots is not a list of texts")
    words = [spot for some in spots for spot in some.split(",")]
    return title, [word for word in words if word.strip()] or [title.partition(" (")[0]]


def _placed(text: str, spots: dict[str, list[str]]) -> list[NewsLink]:
    """Where the words stand; of those that overlap the longer, then the earlier, then by title."""
    tokens = tokenize(text)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(tokens.words):
        places.setdefault(word, []).append(place)
    # Of titles with the same words the first by the alphabet has all their places.
    titles: dict[tuple[str, ...], str] = {}
    for title in sorted(spots):
        for spot in spots[title]:
            titles.setdefault(tuple(tokenize(spot).words), title)
    found = [
        (first, first + len(wanted), title)
        for wanted, title in titles.items()
        if 0 < len(wanted) <= MOST_WORDS
        for first in places.get(wanted[0], ())
        if tuple(tokens.words[first : first + len(wanted)]) == wanted
    ]
    taken: set[int] = set()
    links = []
    for first, last, title in sorted(found, key=lambda one: (one[0] - one[1], *one)):
        if taken.isdisjoint(range(first, last)):
            taken.update(range(first, last))
            links.append(NewsLink(tokens.starts[first], tokens.ends[last - 1], title))
    return sorted(links)
