"""Turtle and RDF/XML, checked and then streamed through pyoxigraph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import IO

from pyoxigraph import Quad, QuadParser, RdfFormat, parse

from kgpath.errors import BadSource
from kgpath.io.limits import DEEPEST
from kgpath.kg_build.checked import Check, checked
from kgpath.kg_build.rdf.turtle_check import TurtleCheck
from kgpath.kg_build.rdf.vocabulary import interpret
from kgpath.kg_build.report import Report
from kgpath.kg_build.xml_check import XmlCheck
from kgpath.storage import statements as st

# A text that is no Turtle at all can fail at every word: there is no use in going on.
MOST_ERRORS = 1000
_BASE = "urn:kg:"


def read_turtle(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of a Turtle stream; goes on after a bad statement."""
    check = TurtleCheck(report.name)

    def is_the_last(error: int) -> bool:
        # What is a text to the check may be a quoted triple to a parser that lost its place.
        return error > MOST_ERRORS or check.quoted > DEEPEST

    return _read(stream, report, RdfFormat.TURTLE, check, is_the_last)


def read_rdfxml(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of an RDF/XML stream; XML cannot be read past its first error."""
    return _read(stream, report, RdfFormat.RDF_XML, XmlCheck(report.name), lambda error: True)


def _read(
    stream: IO[bytes],
    report: Report,
    format: RdfFormat,
    check: Check,
    is_the_last: Callable[[int], bool],
) -> st.Statements:
    parser = parse(checked(stream, check, report.name), format=format, base_iri=_BASE)
    quads = _quads(parser, report, is_the_last)
    first = list(islice(quads, 1))
    # Those on top of the file before anything else: filters may be written with them.
    yield from _prefixes(parser)
    yield from interpret(chain(first, quads), report)
    yield from _prefixes(parser)


def _prefixes(parser: QuadParser) -> st.Statements:
    for prefix, namespace in parser.prefixes.items():
        yield st.PREFIX, prefix, namespace, ""


def _quads(
    parser: Iterator[Quad], report: Report, is_the_last: Callable[[int], bool]
) -> Iterator[Quad]:
    while True:
        try:
            quad = next(parser)
        except StopIteration:
            return
        except MemoryError as error:
            raise BadSource(f"{report.name} cannot be read: a statement is over 16 MB.") from error
        except (SyntaxError, ValueError) as error:
            if is_the_last(report.malformed + 1):
                raise BadSource(f"{report.name} cannot be read: {_message(error)}.") from error
            report.bad(getattr(error, "lineno", None), _message(error))
        else:
            report.statements += 1
            yield quad


def _message(error: Exception) -> str:
    text = str(getattr(error, "msg", error)).removeprefix("Parser error ").rstrip(".")
    return text if len(text) <= 300 else text[:300] + " …"
