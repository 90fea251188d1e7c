"""Articles as JSON lines or as a table: extracts of Wikipedia, or anything with title and text.

A JSON line has a ``title`` or an ``iri`` (or ``qid``, of Wikidata), and one of ``text``,
``extract``, ``paragraphs`` (a list of texts) or ``sections`` (a list of such lists, beginning with
the introduction); ``lang`` if it is known; ``redirect`` instead of a text. A table has title and
text by a tab, or says in its first line what its columns are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import IO, Any
from urllib.parse import unquote

from kgpath.io.limits import limits
from kgpath.io.plain_data import from_json
from kgpath.kg_build.delimited import lines_of
from kgpath.kg_build.report import Report
from kgpath.kg_build.wikimedia.article import Article, ArticleFormat, Articles, Redirect, split_text
from kgpath.kg_build.wikimedia.wikitext import Paragraph
from kgpath.storage.namespaces import PREFIXES

_LONGEST = 1 << 25
_TEXTS = ("text", "extract", "paragraphs", "sections")
_NAMES = {"title", "name", "iri", "qid", "url"}


def read_jsonl(stream: IO[bytes], report: Report) -> Articles:
    """Articles of JSON lines."""
    for number, line in lines_of(stream, report, _LONGEST):
        if not line.strip():
            continue
        try:
            data = from_json(line)
            if not isinstance(data, dict):
                raise ValueError("not a JSON object")
            yield _article(data)
        except ValueError as error:
            report.bad(number, str(error), line)


def read_tsv(stream: IO[bytes], report: Report) -> Articles:
    r"""Articles of a table; ``\n`` written out in a text ends a paragraph."""
    columns = ["title", "text"]
    for number, line in lines_of(stream, report, _LONGEST):
        cells = [_unquoted(cell) for cell in line.split("\t")]
        header = [cell.strip().lower() for cell in cells]
        if number == 1 and _NAMES.intersection(header) and {"text", "extract"} & set(header):
            columns = ["title" if name == "name" else name for name in header]
            continue
        if not line.strip():
            continue
        try:
            if len(cells) != len(columns):
                raise ValueError(f"{len(cells)} cells, needs {', '.join(columns)}")
            yield _article({k: v.strip() for k, v in zip(columns, cells, strict=True)})
        except ValueError as error:
            report.bad(number, str(error), line)


def _redirects(stream: IO[bytes]) -> Iterator[Redirect]:
    longest = limits().longest(_LONGEST)
    while line := stream.readline(longest):
        if b'"redirect"' in line:
            try:
                found = _article(from_json(line))
            except (ValueError, AttributeError):
                continue  # said when the articles are read
            if isinstance(found, Redirect):
                yield found


JSONL = ArticleFormat(read_jsonl, _redirects)
TSV = ArticleFormat(read_tsv)


def _article(data: dict[str, Any]) -> Article | Redirect:
    """An article from plain data; ValueError says what is wrong with it."""
    given = {name: data[name] for name in data if data[name]}
    for name in ("title", "iri", "qid", "url", "lang", "redirect", "text", "extract"):
        if not isinstance(given.get(name, ""), str):
            raise ValueError(f"{name} is not a text")
    title = given.get("title", "") or _title_of_url(given.get("url", ""))
    iri = given.get("iri", "")
    if "qid" in given:
        iri = PREFIXES["wd"] + given["qid"]
    if not title and not iri:
        raise ValueError("no title and no iri")
    if "redirect" in given:
        return Redirect(title, given["redirect"])
    if data.keys().isdisjoint(_TEXTS):
        raise ValueError(f"no {', '.join(_TEXTS[:-1])} or {_TEXTS[-1]}")
    text = next((given[name] for name in _TEXTS if name in given), "")
    if isinstance(text, str):
        return Article(title, partial(split_text, text), iri, given.get("lang", ""))
    if not isinstance(text, list):
        raise ValueError("paragraphs and sections are lists")
    paragraphs = list(_listed([text] if "paragraphs" in given else text))
    return Article(title, lambda: paragraphs, iri, given.get("lang", ""))


def _listed(sections: list[Any]) -> Iterator[Paragraph]:
    """Sections as lists of paragraphs, as texts, or as objects with paragraphs or text."""
    for number, section in enumerate(sections):
        if isinstance(section, dict):
            section = section.get("paragraphs") or section.get("text") or []
        lines = section.splitlines() if isinstance(section, str) else section
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValueError("a section is not a list of texts")
        words = [" ".join(line.split()) for line in lines]
        for position, text in enumerate(filter(None, words)):
            yield Paragraph(number, position, text)


def _title_of_url(url: str) -> str:
    return unquote(url.partition("/wiki/")[2]).replace("_", " ")


def _unquoted(cell: str) -> str:
    """A cell as programs for tables write it: quoted, with line breaks written out."""
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        cell = cell[1:-1].replace('""', '"')
    if "\\" in cell:
        cell = cell.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", " ")
        cell = cell.replace("\0", "\\")
    return cell
