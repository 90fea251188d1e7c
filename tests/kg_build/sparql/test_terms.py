"""Nothing that a user or an endpoint says can change a query; two parsers of others judge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pyoxigraph import Literal, NamedNode, QuerySolutions, Store
from rdflib import Graph

from kgpath.errors import BadOption, BadSource, KgpathError
from kgpath.kg_build.sparql.terms import iri, language, literal, resource, text

# What an attacker would try, mixed with anything else.
_TRICKS = r"""
" ' \ \u0022 \U00000022 \u005c } { > < "@en "^^<http://x> };DROP # ?s ''' é 😀
"""
_NASTY = some.lists(
    some.sampled_from([*_TRICKS.split(), " ", "\n", "\r", "\u2028", "\x00"])
    | some.text(max_size=4),
    max_size=8,
).map("".join)


def meant(query: str) -> list[object]:
    """What pyoxigraph makes of the one value that a query asks for."""
    found = Store().query(query)
    assert isinstance(found, QuerySolutions)
    return [solution["x"] for solution in found]


@given(_NASTY)
def test_a_text_stays_what_it_was(value: str) -> None:
    try:
        written = text(value)
    except BadSource:
        return
    query = f"SELECT ({written} AS ?x) WHERE {{ }}"
    assert meant(query) == [Literal(value)]
    # rdflib turns \u0022 into a quote even behind a backslash: it is the naive server here.
    (row,) = Graph().query(query)
    assert str(row[0]) == value  # type: ignore[index]


@given(_NASTY)
def test_a_literal_in_values_stays_what_it_was(value: str) -> None:
    try:
        written = literal(value, "en-GB")
    except BadSource:
        return
    query = f"SELECT ?x WHERE {{ VALUES ?x {{ {written} }} }}"
    assert meant(query) == [Literal(value, language="en-gb")]
    (row,) = Graph().query(query)
    assert str(row[0]) == value  # type: ignore[index]


@given(some.one_of(_NASTY, _NASTY.map("http://example.org/".__add__), _NASTY.map("urn:".__add__)))
def test_an_iri_is_itself_or_refused(value: str) -> None:
    try:
        written = iri(value)
    except BadSource:
        return
    query = f"SELECT ?x WHERE {{ VALUES ?x {{ {written} }} }}"
    try:
        assert meant(query) == [NamedNode(value)]
    except (SyntaxError, ValueError) as error:
        # pyoxigraph is stricter about hosts and the like; the grammar was kept all the same.
        assert "Invalid" in str(error) or "IRI" in str(error)
    (row,) = Graph().query(query)
    assert str(row[0]) == value  # type: ignore[index]


@given(_NASTY)
def test_what_a_user_types_is_a_thing_a_name_or_refused(value: str) -> None:
    try:
        found = resource(value, {"dbr": "http://dbpedia.org/resource/"})
    except BadOption:
        return
    if found is not None:
        iri(found)


@pytest.mark.parametrize("tag", ["", "en en", 'en"', "en@", "-", "é", "en-", "toolongtag"])
def test_a_language_is_a_tag(tag: str) -> None:
    with pytest.raises(BadOption, match="is not a language"):
        language(tag)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("dbr:Roger_Moore", "http://dbpedia.org/resource/Roger_Moore"),
        ("<http://example.org/a>", "http://example.org/a"),
        ("https://example.org/a", "https://example.org/a"),
        ("Roger Moore", None),
        ("Alien: Covenant", None),
    ],
)
def test_things_are_named_in_several_ways(name: str, found: str | None) -> None:
    assert resource(name, {"dbr": "http://dbpedia.org/resource/"}) == found


@pytest.mark.parametrize("name", ['"Roger Moore"', "'x'@en", '"1942"^^xsd:gYear', "<a b>", "http://"
                                  "x/<y>"])  # fmt: skip
def test_a_literal_or_a_broken_iri_is_no_thing(name: str) -> None:
    with pytest.raises(KgpathError):
        resource(name, {})
