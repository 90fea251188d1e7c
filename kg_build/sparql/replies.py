"""What an answer of an endpoint says: rows of terms, or statements. It may be a lie."""

from __future__ import annotations

import io
import re
import reprlib
from typing import NamedTuple

import orjson
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    parse,
    parse_query_results,
)

from kgpath.errors import BadSource
from kgpath.kg_build.checked import checked
from kgpath.kg_build.rdf.ntriples import read_quads
from kgpath.kg_build.rdf.turtle_check import TurtleCheck
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.errors import TransientError
from kgpath.kg_build.sparql.page_cache import Reply
from kgpath.kg_build.xml_check import XmlCheck

#: What we would like to be answered with, the best first.
ROWS = "application/sparql-results+json, application/sparql-results+xml;q=0.5"
STATEMENTS = "application/n-triples, text/turtle;q=0.5, application/rdf+xml;q=0.4, text/plain;q=0.3"
_ROW_FORMATS = {
    "application/sparql-results+json": QueryResultsFormat.JSON,
    "application/json": QueryResultsFormat.JSON,
    "application/sparql-results+xml": QueryResultsFormat.XML,
    "application/xml": QueryResultsFormat.XML,
    "text/xml": QueryResultsFormat.XML,
}
_RDF_FORMATS = {
    "application/n-triples": RdfFormat.N_TRIPLES,
    "text/plain": RdfFormat.N_TRIPLES,
    "text/ntriples": RdfFormat.N_TRIPLES,
    "text/turtle": RdfFormat.TURTLE,
    "application/x-turtle": RdfFormat.TURTLE,
    "application/rdf+xml": RdfFormat.RDF_XML,
    "application/xml": RdfFormat.RDF_XML,
}


class Unusable(NamedTuple):
    """A term that is none, such as an IRI with a blank in it."""

    value: str


Term = NamedNode | BlankNode | Literal | Unusable
Row = tuple[Term | None, ...]


class Rows(NamedTuple):
    """The columns and rows of a SELECT."""

    variables: tuple[str, ...]
    rows: list[Row]


class Statements(NamedTuple):
    """The statements of a CONSTRUCT, and the report of its malformed lines."""

    quads: list[Quad]
    report: Report


def rows_of(reply: Reply, url: str) -> Rows:
    """Read the answer to a SELECT."""
    format = _ROW_FORMATS.get(reply.media_type)
    if format is None:
        raise _other(reply, url)
    try:
        if format is QueryResultsFormat.JSON:
            return _rows_of_json(reply.body)
        XmlCheck(url)(reply.body, True)
        found = parse_query_results(reply.body, format=format)
        if not isinstance(found, QuerySolutions):
            raise ValueError("yes or no where rows were asked for")
        variables = tuple(variable.value for variable in found.variables)
        return Rows(variables, [tuple(map(_known, solution)) for solution in found])
    except (SyntaxError, ValueError, TypeError, KeyError, AttributeError, BadSource) as error:
        raise _malformed(url, error) from error


def _rows_of_json(body: bytes) -> Rows:
    """Read here and not by pyoxigraph, which gives up at the first IRI that is none."""
    data = orjson.loads(body)
    variables = tuple(data["head"]["vars"])
    rows = [
        tuple(_term(row.get(name)) for name in variables) for row in data["results"]["bindings"]
    ]
    return Rows(variables, rows)


def _term(term: dict[str, str] | None) -> Term | None:
    if term is None:
        return None
    kind, value = term["type"], term["value"]
    if not isinstance(value, str):
        raise TypeError(f"a value that is no text: {reprlib.repr(value)}")
    try:
        if kind == "uri":
            return NamedNode(value)
        if kind == "bnode":
            return BlankNode(value)
        if kind not in ("literal", "typed-literal"):
            raise TypeError(f"a term of the kind {reprlib.repr(kind)}")
        if language := term.get("xml:lang"):
            return Literal(value, language=language)
        datatype = term.get("datatype")
        return Literal(value, datatype=NamedNode(datatype)) if datatype else Literal(value)
    except ValueError:
        return Unusable(value)


def _known(value: object) -> Term | None:
    if value is None or isinstance(value, NamedNode | BlankNode | Literal):
        return value
    raise TypeError(f"a value of the kind {type(value).__name__}")


def statements_of(reply: Reply, url: str) -> Statements:
    """Read the answer to a CONSTRUCT; a bad line of N-Triples is left out and counted."""
    format = _RDF_FORMATS.get(reply.media_type)
    if format is None:
        raise _other(reply, url)
    report = Report(url)
    try:
        if format is not RdfFormat.N_TRIPLES:
            check = TurtleCheck(url) if format is RdfFormat.TURTLE else XmlCheck(url)
            safe = checked(io.BytesIO(reply.body), check, url)
            return Statements(list(parse(safe, format=format, base_iri=url)), report)
        _refuse_page(reply, url)
        if reply.body.strip() and not reply.body.endswith(b"\n"):
            raise TransientError(f"{url} broke off in the middle of an answer.")
        quads = list(read_quads(io.BytesIO(reply.body), report, format))
    except (SyntaxError, ValueError, MemoryError, BadSource) as error:
        raise _malformed(url, error) from error
    if report.malformed > len(quads):
        raise TransientError(
            f"{url} answers with something else than N-Triples: {report.examples[0]}"
        )
    return Statements(quads, report)


def _malformed(url: str, error: BaseException) -> TransientError:
    said = " ".join(str(getattr(error, "msg", error)).split())[:200]
    return TransientError(f"{url} answers with damaged results: {said}.", patience=3)


def _other(reply: Reply, url: str) -> TransientError:
    _refuse_page(reply, url)
    kind = reply.media_type or "nothing that says what it is"
    return TransientError(f"{url} answers with {kind}, not with results of a query.", patience=1)


def _refuse_page(reply: Reply, url: str) -> None:
    if "html" in reply.media_type or re.match(rb"\s*<(!doctype|html)", reply.body[:100], re.I):
        raise TransientError(
            f"{url} answers with a web page, not with results. Is this the address of a SPARQL "
            "endpoint? It mostly ends in /sparql",
            patience=2,
        )
