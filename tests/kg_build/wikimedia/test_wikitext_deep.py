"""Markup opened again and again: time grows with the length of the text alone.

These took minutes, and four times as many for twice the text: a test that ends has passed.
"""

from __future__ import annotations

import pytest

from kgpath.kg_build.wikimedia.wikitext import read_wikitext

PAIRS = [("{{", "}}"), ("[[a|b c ", "]]"), ("{{nowrap|x", "}}"), ("{{w|a[[b|", "]]}}"),
         ("<ref>", "</ref>"), ("{|\n", "\n|}\n"), ("[http://a ", "]")]  # fmt: skip


@pytest.mark.parametrize(("opened", "closed"), PAIRS)
def test_deep_markup_is_soon_read(opened: str, closed: str) -> None:
    read_wikitext(opened * 60_000 + "x" + closed * 60_000)
    read_wikitext((opened + "x") * 20_000)
    read_wikitext((closed + "x") * 20_000)


def test_many_links_in_a_paragraph_with_gaps_are_soon_read() -> None:
    (paragraph,) = read_wikitext("[[a|b]] ( ) " * 50_000)
    assert len(paragraph.links) == 50_000
    assert {paragraph.text[link.start : link.end] for link in paragraph.links} == {"b"}


@pytest.mark.parametrize("depth", [1, 5, 30])
def test_markup_as_deep_as_people_write_it_is_read(depth: int) -> None:
    (paragraph,) = read_wikitext("a " + "{{nowrap|" * depth + "[[b|c]]" + "}}" * depth + " d")
    assert paragraph.text == "a c d"


def test_what_was_never_closed_hides_nothing_behind_it() -> None:
    (paragraph,) = read_wikitext("[[ {{ " * 100 + "[[a|b]]")
    assert [link.title for link in paragraph.links] == ["a"]
    assert paragraph.text.endswith(" b")
