"""CoDEx, a part of Wikidata for graph completion, with labels, types, descriptions and texts.

The files of a release are told apart by what is in them: triples (``Q1 TAB P2 TAB Q3``), labels of
entities, relations and types (``{"Q1": {"label": …, "description": …}}``), types of entities
(``{"Q1": ["Q2"]}``), and a table of texts with the columns ``qid``, ``name``, ``description`` and
``extract``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import IO, Any

from kgpath.errors import BadSource
from kgpath.io.limits import limits
from kgpath.io.plain_data import check_texts, from_json
from kgpath.io.streams import whole
from kgpath.kg_build.delimited import lines_of
from kgpath.kg_build.report import Report
from kgpath.storage import statements as st
from kgpath.storage.namespaces import PREFIXES

_NAME = re.compile(r"[QP]\d+\Z")
_LONGEST = 1 << 24
# Extracts have lost the line ends between their paragraphs: "… in Berlin.Euler was …"
_LOST_BREAK = re.compile(r"(?<=[a-z0-9)\]”\"][.!?])(?=[A-Z][a-z])|(?<=[.!?])\s{2,}(?=\S)")


def read_codex(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of any one of the files."""
    start = stream.peek(1 << 12).lstrip()  # type: ignore[attr-defined]
    if start.startswith(b"{"):
        return _read_json(stream, report)
    if b"qid" in start.split(b"\n", 1)[0].split(b"\t"):
        return _read_texts(stream, report)
    return _read_triples(stream, report)


def _iri(name: str) -> str:
    return PREFIXES["wdt" if name.startswith("P") else "wd"] + name


def _read_triples(stream: IO[bytes], report: Report) -> st.Statements:
    for number, line in lines_of(stream, report):
        names = line.split()
        if not names:
            continue
        if len(names) != 3 or not all(map(_NAME.match, names)) or names[1][0] != "P":
            report.bad(number, "not of the form Q1, P2, Q3", line)
            continue
        report.statements += 1
        head, relation, tail = names
        yield st.EDGE, _iri(head), _iri(relation), _iri(tail)


def _read_json(stream: IO[bytes], report: Report) -> st.Statements:
    try:
        data = from_json(whole(stream, report.name), whole_texts=False)
    except ValueError as error:
        raise BadSource(f"{report.name} is not whole JSON ({error}). Fetch it again.") from error
    for name, about in data.items():
        if not _NAME.match(name):
            report.bad(None, "not the name of an entity or relation", name)
        elif not _is_whole(about):
            report.bad(None, f"{name} has half of a surrogate pair in a text")
        elif isinstance(about, list):
            yield from _types(name, about, report)
        elif isinstance(about, dict):
            report.statements += 1
            yield from _described(name, about.get("label"), about.get("description"))
        else:
            report.bad(None, f"{name} has neither types nor a label")


def _is_whole(about: Any) -> bool:
    try:
        check_texts(about)
    except ValueError:
        return False
    return True


def _types(name: str, classes: list[Any], report: Report) -> st.Statements:
    for class_ in classes:
        if isinstance(class_, str) and _NAME.match(class_):
            report.statements += 1
            yield st.TYPE, _iri(name), _iri(class_), ""
        else:
            report.bad(None, f"a type of {name} is not the name of an entity", str(class_))


def _described(name: str, label: Any, description: Any) -> st.Statements:
    if isinstance(label, str) and label.strip():
        yield st.LABEL, _iri(name), label, "en"
    if isinstance(description, str) and description.strip():
        yield st.COMMENT, _iri(name), description, "en"


def _read_texts(stream: IO[bytes], report: Report) -> st.Statements:
    csv.field_size_limit(limits().longest(_LONGEST))
    # A carriage return within a line ends no row: it is a blank of its text.
    lines = (line.replace("\r", " ") + "\n" for _, line in lines_of(stream, report, _LONGEST))
    rows = csv.DictReader(lines, delimiter="\t")
    number = 1
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            report.bad(number, str(error))
            continue
        name = row.get("qid") or ""
        if not _NAME.match(name) or None in row:
            report.bad(number, "a row without a qid, or with too many cells", name)
            continue
        report.statements += 1
        yield from _described(name, row.get("name"), row.get("description"))
        for position, text in enumerate(_paragraphs(row.get("extract") or "")):
            yield st.passage(_iri(name), 0, position, text, "en")


def _paragraphs(extract: str) -> Iterator[str]:
    for line in extract.splitlines():
        for part in _LOST_BREAK.split(line):
            if text := " ".join(part.split()):
                yield text
