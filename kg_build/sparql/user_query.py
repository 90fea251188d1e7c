"""A user's own SELECT or CONSTRUCT, asked in pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode, Quad, QueryTriples, Store

from kgpath.errors import BadOption, BadSource
from kgpath.io.lines import read_text
from kgpath.kg_build.sparql.pages import Pages, quad_of
from kgpath.kg_build.sparql.replies import Row, Term
from kgpath.kg_build.sparql.terms import iri, is_iri, language, literal

# What may hide a brace: comments, IRIs, and texts in any kind of quotes.
_TOKEN = re.compile(
    r"#[^\n\r]*|<[^<>\"{}|^`\\\x00-\x20]*>|"
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|'
    r"'''(?:[^'\\]|\\.|'(?!''))*'''|"
    r'"(?:[^"\\\n\r]|\\.)*"|'
    r"'(?:[^'\\\n\r]|\\.)*'|[{}]|[?$]\w+|[A-Za-z]\w*|.",
    re.DOTALL,
)


def query_text(query: str) -> str:
    """The query itself, or what is in the file of that name."""
    if not query or "{" in query:
        return query
    try:
        return read_text(query)
    except (OSError, ValueError, BadSource) as error:
        raise BadSource(f"Neither a query nor a file with one: {query} ({error}).") from None


class GivenQuery:
    """A query that names statements: a SELECT of three columns, or a CONSTRUCT."""

    def __init__(self, query: str) -> None:
        form = _form(query)
        tokens = _tokens(query)
        start = next(
            at for at, (_, token) in enumerate(tokens) if token.upper() in ("SELECT", "CONSTRUCT")
        )
        if any(token.upper() == "FROM" for _, token in tokens):
            raise BadOption("Name graphs with --graph, not with FROM: the query is asked in parts.")
        self._prologue = query[: tokens[start][0]]
        if form == "SelectQuery":
            self._template = ""
            self._where = "{ " + query[tokens[start][0] :] + " }"
            self._variables = _selected(query)
        else:
            self._template, rest = _template(query, tokens, start)
            self._variables = _variables(self._template)
            names = " ".join(f"?{name}" for name in self._variables)
            self._where = f"{{ SELECT {names} {rest} }}"
            if not self._variables:
                raise BadOption("The CONSTRUCT has no variable in it.")

    def statements(self, pages: Pages) -> Iterator[list[Quad]]:
        """The statements it names, a page at a time."""
        for rows in pages.rows(self._variables, self._where, self._prologue):
            if self._template:
                yield self._constructed(rows)
            else:
                yield [quad for row in rows for quad in quad_of(row)]

    def _constructed(self, rows: list[Row]) -> list[Quad]:
        """The template filled with rows, by a store of our own: it knows all that SPARQL allows."""
        names = " ".join(f"?{name}" for name in self._variables)
        values = "\n".join(f"({' '.join(map(_written, row))})" for row in rows)
        query = (
            f"{self._prologue} CONSTRUCT {{ {self._template} }} "
            f"WHERE {{ VALUES ({names}) {{ {values} }} }}"
        )
        made = Store().query(query)
        assert isinstance(made, QueryTriples)
        return [Quad(*triple) for triple in made]


def _form(query: str) -> str:
    """Which kind of query it is; one that is none is refused with the place where it fails."""
    from pyparsing import ParseException
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        name = str(parseQuery(query)[1].name)
    except (ParseException, RecursionError, ValueError, TypeError) as error:
        raise BadOption(f"Not a query that can be read: {error}") from None
    if name not in ("SelectQuery", "ConstructQuery"):
        raise BadOption(f"Give a SELECT of three columns or a CONSTRUCT, not a {name}.")
    return name


def _tokens(query: str) -> list[tuple[int, str]]:
    return [
        (match.start(), match.group())
        for match in _TOKEN.finditer(query)
        if not match.group().startswith("#") and not match.group().isspace()
    ]


def _template(query: str, tokens: list[tuple[int, str]], start: int) -> tuple[str, str]:
    """What a CONSTRUCT makes, and the rest behind it, from FROM or WHERE on."""
    if tokens[start + 1][1] != "{":  # CONSTRUCT WHERE { … }: the pattern is the template
        opening = next(at for at in range(start, len(tokens)) if tokens[at][1] == "{")
        closing = _closing(tokens, opening)
        template = query[tokens[opening][0] + 1 : tokens[closing][0]]
        return template, query[tokens[start + 1][0] :]
    closing = _closing(tokens, start + 1)
    begin, end = tokens[start + 1][0], tokens[closing][0]
    return query[begin + 1 : end], query[end + 1 :]


def _closing(tokens: list[tuple[int, str]], opening: int) -> int:
    depth = 0
    for at in range(opening, len(tokens)):
        depth += (tokens[at][1] == "{") - (tokens[at][1] == "}")
        if not depth:
            return at
    raise BadOption("A brace is missing in the query.")


def _selected(query: str) -> tuple[str, ...]:
    """The columns of a SELECT."""
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    names = tuple(map(str, translateQuery(parseQuery(query)).algebra.PV))
    if len(names) != 3 or len(set(names)) != 3:
        raise BadOption(
            f"The SELECT has {len(names)} columns; it needs three: head, relation, tail."
        )
    return names


def _variables(template: str) -> tuple[str, ...]:
    found = dict.fromkeys(
        token[1:] for _, token in _tokens(template) if token[0] in "?$" and len(token) > 1
    )
    return tuple(found)


def _written(term: Term | None) -> str:
    if isinstance(term, NamedNode) and is_iri(term.value):
        return iri(term.value)
    if isinstance(term, Literal):
        if term.language:
            return literal(term.value, language(term.language))
        return f"{literal(term.value)}^^{iri(term.datatype.value)}"
    return "UNDEF"  # a blank node has no name outside its page: no statement with it is made
