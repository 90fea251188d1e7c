"""Tables of head, relation and tail, separated by tabs or commas.

A cell that is an IRI, or begins with a known prefix (``dbo:starring``), stands for that IRI; any
other cell is a plain name and becomes ``urn:kg:Name``, its spaces written as underscores.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import IO
from urllib.parse import quote

from kgpath.io.limits import beyond, limits
from kgpath.kg_build.report import Report
from kgpath.storage import statements as st
from kgpath.storage.namespaces import PREFIXES

NAME_BASE = "urn:kg:"
LONGEST_LINE = 1 << 20
_HEADERS = {
    ("head", "relation", "tail"),
    ("h", "r", "t"),
    ("subject", "predicate", "object"),
    ("subject", "relation", "object"),
    ("source", "relation", "target"),
}
# What an IRI may hold besides letters and digits; letters of any script stay readable.
_SAFE = "!$&'()*+,;=:@/?-._~"


def read_tsv(stream: IO[bytes], report: Report) -> st.Statements:
    """Edges of a tab-separated file."""
    return _edges(((n, line.split("\t")) for n, line in lines_of(stream, report)), report)


def read_csv(stream: IO[bytes], report: Report) -> st.Statements:
    """Edges of a comma-separated file; cells may be quoted."""
    csv.field_size_limit(limits().longest(LONGEST_LINE))
    number = 0

    def lines() -> Iterator[str]:
        nonlocal number
        for at, line in lines_of(stream, report):
            number = at
            yield line + "\n"

    reader = csv.reader(lines(), strict=True)

    def rows() -> Iterator[tuple[int, list[str]]]:
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                report.bad(number, str(error))
            else:
                yield number, row

    return _edges(rows(), report)


def name_iri(cell: str) -> str:
    """The IRI that a cell stands for.

    >>> name_iri("LCD Soundsystem"), name_iri("dbo:starring"), name_iri("Alien: Covenant")
    ('urn:kg:LCD_Soundsystem', 'http://dbpedia.org/ontology/starring', 'urn:kg:Alien:_Covenant')
    """
    if cell.startswith("<") and cell.endswith(">") and _is_iri(cell[1:-1]):
        return cell[1:-1]
    prefix, colon, local = cell.partition(":")
    if colon and prefix in PREFIXES:
        return PREFIXES[prefix] + _escaped(local)
    if colon and ("//" in cell[:12] or prefix.lower() == "urn") and _is_iri(cell):
        return cell
    return NAME_BASE + _escaped(cell)


def _is_iri(text: str) -> bool:
    from pyoxigraph import NamedNode

    try:
        NamedNode(text)
    except ValueError:
        return False
    return True


def _escaped(name: str) -> str:
    name = "_".join(name.split())
    if name.isascii():
        return quote(name, safe=_SAFE)
    return "".join(c if not c.isascii() and c.isprintable() else quote(c, safe=_SAFE) for c in name)


def _edges(rows: Iterable[tuple[int, list[str]]], report: Report) -> st.Statements:
    iris: dict[str, str] = {}
    first = True
    for number, row in rows:
        cells = [cell.strip() for cell in row]
        if first:
            first = False
            if tuple(cell.lower() for cell in cells[:3]) in _HEADERS:
                continue
        if not any(cells):
            continue
        if len(cells) < 3 or not all(cells[:3]):
            report.bad(number, f"{len(cells)} cells, needs head, relation, tail", "\t".join(cells))
            continue
        report.statements += 1
        for cell in cells[:3]:
            if cell not in iris:
                iris[cell] = name_iri(cell)
        yield st.EDGE, iris[cells[0]], iris[cells[1]], iris[cells[2]]


def lines_of(
    stream: IO[bytes], report: Report, longest: int = LONGEST_LINE
) -> Iterator[tuple[int, str]]:
    """The lines of a stream with their numbers; one that is too long or no UTF-8 is malformed."""
    longest = limits().longest(longest)
    number = 0
    while data := stream.readline(longest + 1):
        number += 1
        if len(data) > longest and not data.endswith(b"\n"):
            while data and not data.endswith(b"\n"):
                data = stream.readline(longest)
            report.bad(number, beyond("a line of", "line", longest))
            continue
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            hint = "if the file is in another encoding: iconv -f latin1 -t utf-8"
            report.bad(number, f"invalid UTF-8 at byte {error.start} ({hint})")
            continue
        yield number, text.rstrip("\r\n")
