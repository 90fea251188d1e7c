"""An encyclopaedia's articles as they come out of any file: a title, and paragraphs by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, NamedTuple, TypeAlias

from kgpath.kg_build.report import Report
from kgpath.kg_build.wikimedia.wikitext import Paragraph

_HEADING = re.compile(r"(={2,6})[^=].*\1\s*\Z")


class Redirect(NamedTuple):
    """A title that leads to the article of another."""

    title: str
    target: str


@dataclass(frozen=True)
class Article:
    """A title, perhaps the IRI it is about, and how to get at its paragraphs.

    They are worked out when called for: most articles of a dump are about nothing in the graph.
    """

    title: str
    paragraphs: Callable[[], list[Paragraph]]
    iri: str = ""
    lang: str = ""


Articles: TypeAlias = Iterator[Article | Redirect]


class ArticleFormat(NamedTuple):
    """How a kind of file is read: all that is in it, or in a quick pass only its redirects."""

    read: Callable[[IO[bytes], Report], Articles]
    redirects: Callable[[IO[bytes]], Iterator[Redirect]] | None = None


def split_text(text: str) -> list[Paragraph]:
    """The paragraphs of plain text: a line each; ``== Heading ==`` begins a section.

    >>> split_text("Intro.\\n\\nMore.\\n== Plot ==\\nHe dies.")[2]
    Paragraph(section=1, position=0, text='He dies.', links=())
    """
    paragraphs: list[Paragraph] = []
    section = position = 0
    for line in text.splitlines():
        words = " ".join(line.split())
        if _HEADING.match(words):
            section, position = section + 1, 0
        elif words:
            paragraphs.append(Paragraph(section, position, words))
            position += 1
    return paragraphs
