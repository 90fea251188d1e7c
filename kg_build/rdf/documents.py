"""Turtle and RDF/XML, streamed through pyoxigraph."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import IO

from pyoxigraph import Quad, QuadParser, RdfFormat, parse

from kgpath.errors import BadSource
from kgpath.kg_build.rdf.vocabulary import interpret
from kgpath.kg_build.report import Report
from kgpath.storage import statements as st

# A text that is no Turtle at all can fail at every word: there is no use in going on.
MOST_ERRORS = 1000
_BASE = "urn:kg:"


def read_turtle(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of a Turtle stream; goes on after a bad statement."""
    return _read(stream, report, RdfFormat.TURTLE, most_errors=MOST_ERRORS)


def read_rdfxml(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of an RDF/XML stream; XML cannot be read past its first error."""
    return _read(stream, report, RdfFormat.RDF_XML, most_errors=0)


def _read(stream: IO[bytes], report: Report, format: RdfFormat, most_errors: int) -> st.Statements:
    parser = parse(stream, format=format, base_iri=_BASE)
    quads = _quads(parser, report, most_errors)
    first = list(islice(quads, 1))
    # Those on top of the file before anything else: filters may be written with them.
    yield from _prefixes(parser)
    yield from interpret(chain(first, quads), report)
    yield from _prefixes(parser)


def _prefixes(parser: QuadParser) -> st.Statements:
    for prefix, namespace in parser.prefixes.items():
        yield st.PREFIX, prefix, namespace, ""


def _quads(parser: Iterator[Quad], report: Report, most_errors: int) -> Iterator[Quad]:
    while True:
        try:
            quad = next(parser)
        except StopIteration:
            return
        except MemoryError as error:
            raise BadSource(f"{report.name} cannot be read: a statement is over 16 MB.") from error
        except (SyntaxError, ValueError) as error:
            if report.malformed >= most_errors:
                raise BadSource(f"{report.name} cannot be read: {_message(error)}.") from error
            report.bad(getattr(error, "lineno", None), _message(error))
        else:
            report.statements += 1
            yield quad


def _message(error: Exception) -> str:
    text = str(getattr(error, "msg", error)).removeprefix("Parser error ").rstrip(".")
    return text if len(text) <= 300 else text[:300] + " …"
