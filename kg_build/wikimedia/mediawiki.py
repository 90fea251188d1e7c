"""MediaWiki XML dumps (Wikipedia, Wikinews, any other), page by page in flat memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from typing import IO, NamedTuple
from xml.etree.ElementTree import Element, ParseError, iterparse

from kgpath.errors import BadSource
from kgpath.kg_build.checked import checked
from kgpath.kg_build.report import Report
from kgpath.kg_build.wikimedia.article import Article, ArticleFormat, Articles, Redirect
from kgpath.kg_build.wikimedia.wikitext import read_wikitext
from kgpath.kg_build.xml_check import XmlCheck

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_REDIRECT = re.compile(r"\s*#[^\W\d_]{4,}\s*:?\s*\[\[([^\]|#]+)", re.IGNORECASE)
_BLOCK = 1 << 20
_PAGE_OVERLAP = 4096
# As every dump writes it; redirects of another shape are met when the pages are read.
_REDIRECT_ELEMENT = re.compile(
    rb"<title>([^<]*)</title>\s*<ns>0</ns>\s*<id>\d+</id>\s*<redirect title=\"([^\"]*)\""
)


class Page(NamedTuple):
    """A page as the dump has it; ``namespace`` 0 holds the articles."""

    title: str
    namespace: int
    redirect: str
    text: str
    lang: str


def read_pages(stream: IO[bytes], name: str) -> Iterator[Page]:
    """All pages of a dump; of several revisions the last."""
    root: Element | None = None
    page: dict[str, str] = {}
    lang = ""
    try:
        safe = checked(stream, XmlCheck(name), name)
        for event, element in iterparse(safe, events=("start", "end")):
            tag = element.tag.rpartition("}")[2]
            if event == "start":
                if root is None:
                    root = element
                    if tag != "mediawiki":
                        raise BadSource(
                            f"{name} is XML, but no dump of a MediaWiki: it begins with <{tag}>."
                        )
                    lang = element.get(_LANGUAGE, "")
                continue
            if tag in ("title", "ns", "text"):
                page[tag] = element.text or ""
            elif tag == "redirect":
                page[tag] = element.get("title", "")
            elif tag == "page":
                yield _page(page, lang)
                page.clear()
            if tag in ("page", "revision", "siteinfo"):
                element.clear()
                if tag == "page" and root is not None:
                    root.clear()  # else it keeps an empty element for each page
    except ParseError as error:
        raise BadSource(
            f"{name} is not whole XML ({error}). Fetch it again, or unpack it fully first."
        ) from error


def _page(found: dict[str, str], lang: str) -> Page:
    text = found.get("text", "")
    target = found.get("redirect", "")
    if not target and text.lstrip().startswith("#") and (match := _REDIRECT.match(text)):
        target = match.group(1)
    namespace = found.get("ns", "0")
    number = int(namespace) if namespace.lstrip("-").isdigit() else 0
    return Page(found.get("title", ""), number, target, text, lang)


def read_dump(stream: IO[bytes], report: Report) -> Articles:
    """Articles and redirects of a dump; talk pages, templates and the like are counted."""
    for page in read_pages(stream, report.name):
        if page.namespace != 0:
            report.left_out["page that is no article"] += 1
        elif page.redirect:
            yield Redirect(page.title, page.redirect)
        else:
            yield Article(page.title, partial(read_wikitext, page.text), "", page.lang)


def quick_redirects(stream: IO[bytes]) -> Iterator[Redirect]:
    """The redirects of a dump, found without parsing it."""
    rest = b""
    while block := stream.read(_BLOCK):
        data = rest + block
        end = 0
        for match in _REDIRECT_ELEMENT.finditer(data):
            end = match.end()
            title, target = (unescape(part.decode("utf-8", "replace")) for part in match.groups())
            yield Redirect(title, target)
        rest = data[max(end, len(data) - _PAGE_OVERLAP) :]


MEDIAWIKI = ArticleFormat(read_dump, quick_redirects)
