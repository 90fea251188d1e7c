"""Gives entities the text of their articles: by IRI, by title, by label, by redirect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO

from kgpath.kg_build.collect import Collector, Content
from kgpath.kg_build.files import SourceFile
from kgpath.kg_build.report import SHOWN, Report
from kgpath.kg_build.wikimedia.article import Article, ArticleFormat, Redirect
from kgpath.lexicon.text import entity_label
from kgpath.plugins import ARTICLE_FORMATS
from kgpath.storage import statements as st

_SEVERAL = -1
UNMATCHED = "article about nothing in the graph"
AMBIGUOUS = "article whose title several entities have"


def title_key(title: str) -> str:
    """The form in which titles are compared, as MediaWiki does it: first letter large, blanks.

    >>> title_key("iPod_Touch  (device)")
    'IPod Touch (device)'
    """
    words = " ".join(title.replace("_", " ").split())
    return words[:1].upper() + words[1:]


class Titles:
    """Which entity a title names.

    A stated title is believed first, then the one that an IRI spells (``Casino_Royale_(novel)``).
    A label counts where one entity alone has it, and not where the IRI says more than the label,
    since then the bare title is likely to be another's.
    """

    def __init__(
        self,
        entities: list[str],
        labels: Iterator[tuple[int, str]],
        titles: Iterable[tuple[int, str]] = (),
    ) -> None:
        self._entities = entities
        self._by_iri = {iri: number for number, iri in enumerate(entities)}
        self._stated: dict[str, int] = {}
        for number, title in titles:
            _note(self._stated, title_key(title), number)
        self._by_title: dict[str, int] = {}
        for number, iri in enumerate(entities):
            _note(self._by_title, title_key(entity_label(iri)), number)
        self._by_label: dict[str, int] = {}
        for number, label in labels:
            key = title_key(label)
            spelled = title_key(entity_label(entities[number]))
            if key != spelled and not spelled.startswith(f"{key} ("):
                _note(self._by_label, key, number)
        self._redirected: dict[str, int] = {}

    def find(self, title: str, iri: str = "") -> int | None:
        """The number of the entity; None if there is none, -1 if there are several."""
        if iri in self._by_iri:
            return self._by_iri[iri]
        key = title_key(title)
        for known in (self._stated, self._by_title, self._by_label, self._redirected):
            if key in known:
                return known[key]
        return None

    def redirect(self, found: Redirect) -> None:
        """Let a title without an entity of its own lead to the one its redirect names."""
        number = self.find(found.title)
        if number is not None and number != _SEVERAL:
            _note(self._redirected, title_key(found.target), number)

    def iri(self, number: int) -> str:
        return self._entities[number]


def _note(known: dict[str, int], key: str, number: int) -> None:
    known[key] = number if known.get(key, number) == number else _SEVERAL


@dataclass
class ArticleCounts:
    """How many articles of a file are about an entity, and the first titles that are not."""

    name: str
    read: int = 0
    matched: int = 0
    examples: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        text = f"{self.name}: {self.matched:,} of {self.read:,} articles are about an entity"
        return text + (
            f"; not these, such as {', '.join(self.examples)}." if self.examples else "."
        )


class ArticleLoader:
    """Reads files of articles into a collector whose content is known."""

    def __init__(self, collector: Collector, content: Content) -> None:
        self._collector = collector

        def names(kind: int) -> Iterator[tuple[int, str]]:
            for number, _, _, _, text in collector.literals.texts("entity", (kind,)):
                yield number, text

        self._titles = Titles(content.entities, names(st.LABEL), names(st.TITLE))
        self.counts: list[ArticleCounts] = []

    def note_redirects(self, file: SourceFile) -> None:
        """Learn the redirects of a file beforehand: they often come after what they lead to.

        Standard input is read only once; there a redirect helps articles that come after it.
        """
        if file.path == "-":
            return
        with file.open() as stream:
            format: ArticleFormat = ARTICLE_FORMATS.load(file.format or "")
            for found in format.redirects(stream) if format.redirects else ():
                self._titles.redirect(found)

    def read(self, file: SourceFile, stream: IO[bytes], report: Report) -> None:
        """Take in the articles of an open file."""
        format: ArticleFormat = ARTICLE_FORMATS.load(file.format or "")
        counts = ArticleCounts(file.name)
        self.counts.append(counts)
        self._collector.add(self._passages(format, stream, report, counts), report)

    def _passages(
        self, format: ArticleFormat, stream: IO[bytes], report: Report, counts: ArticleCounts
    ) -> st.Statements:
        for found in format.read(stream, report):
            report.statements += 1
            if isinstance(found, Redirect):
                self._titles.redirect(found)
                continue
            counts.read += 1
            number = self._titles.find(found.title, found.iri)
            if number is None or number == _SEVERAL:
                report.left_out[UNMATCHED if number is None else AMBIGUOUS] += 1
                if len(counts.examples) < SHOWN:
                    counts.examples.append(found.title or found.iri)
                continue
            yield from self._article(self._titles.iri(number), found, report, counts)

    def _article(
        self, iri: str, article: Article, report: Report, counts: ArticleCounts
    ) -> st.Statements:
        paragraphs = article.paragraphs()
        if not paragraphs:
            report.left_out["article without text"] += 1
            return
        counts.matched += 1
        for one in paragraphs:
            yield st.passage(iri, one.section, one.position, one.text, article.lang)
