"""Texts of one thing again and again: time grows with their length alone.

Each of these took hours, or would have: a test that ends at all has passed.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.lexicon.text import (
    first_sentence,
    fold,
    initials_in,
    sentence_spans,
    tokenize,
    without_qualifier,
)

THINGS = [".", "!?", "…", ".'", '."', "\n", "\n ", " ", "(", ")", "()", "( ", "A.", "a'", "é", "1"]


@pytest.mark.parametrize("thing", THINGS)
def test_a_million_of_the_same_are_soon_read(thing: str) -> None:
    text = thing * (1_000_000 // len(thing))
    sentence_spans(text)
    first_sentence(text)
    without_qualifier(text + "x")
    without_qualifier("x" + text + ")")
    fold(text)
    list(initials_in(text, tokenize(text)))


SIGNS = st.text(st.sampled_from(".!?…\"')] \na(1A"), max_size=30)


@given(SIGNS)
def test_sentences_end_where_they_did(text: str) -> None:
    slow = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|\n\s*\n")
    quick = __import__("kgpath.lexicon.text", fromlist=["x"])._SENTENCE_END
    assert [m.span() for m in quick.finditer(text)] == [m.span() for m in slow.finditer(text)]


@given(SIGNS)
def test_a_qualifier_is_what_it_was(name: str) -> None:
    assert without_qualifier(name) == (re.sub(r"\s*\([^()]*\)\s*\Z", "", name) or name)
