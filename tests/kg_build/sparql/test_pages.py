"""Answers in pages: one with other columns than asked for is refused, whatever was asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import pytest
from pyoxigraph import Literal, NamedNode

from kgpath.errors import BadSource
from kgpath.kg_build.sparql.cached_client import CachedClient, is_count
from kgpath.kg_build.sparql.pages import Pages, QueryTemplate
from kgpath.kg_build.sparql.replies import Rows

ONE = NamedNode("http://x/a")


class Answering:
    """A client that has one answer to everything."""

    url = "http://x/sparql"

    def __init__(self, variables: Iterable[str], *rows: Any) -> None:
        self.answer = Rows(tuple(variables), list(rows))

    def rows(self, query: str) -> Rows:
        return self.answer

    number = CachedClient.number


def pages(variables: Iterable[str], *rows: Any) -> Pages:
    return Pages(cast(CachedClient, Answering(variables, *rows)))


@pytest.mark.parametrize("variables", [("s",), ("s", "n", "more"), ()])
def test_counts_with_other_columns_are_refused(variables: tuple[str, ...]) -> None:
    row = (ONE, Literal("3"), ONE)[: len(variables)]
    with pytest.raises(BadSource) as caught:
        pages(variables, row).degrees(["http://x/a"], QueryTemplate("?s ?p ?o"))
    assert str(caught.value) == "http://x/sparql answers with other columns than asked for."


def test_counts_of_two_columns_are_read() -> None:
    found = pages(("s", "n"), (ONE, Literal("3"))).degrees(
        ["http://x/a"], QueryTemplate("?s ?p ?o")
    )
    assert found == {"http://x/a": 3}


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "9" * 19, "9" * 5_000])
def test_what_is_no_count_is_refused(text: str) -> None:
    assert not is_count(text)
    with pytest.raises(BadSource, match="does not answer with a number when asked to count"):
        list(pages(("n",), (Literal(text),)).listed("?s ?p ?o"))
