"""Words by bytes are the words of the paper's regular expression."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kgpath.dialogue.words import IGNORED_IN_TITLES, split_words, title_words, words

TOKEN = re.compile("[a-z0-9]+")
texts = st.text(st.one_of(st.characters(), st.sampled_from("aAzZ09 .'İK\0é猫")), max_size=60)


@given(texts)
def test_words_are_those_of_the_regular_expression(text: str) -> None:
    assert words(text) == TOKEN.findall(text.lower())


def test_letters_whose_small_form_is_plain() -> None:
    # "İ".lower() is an i and a dot, the Kelvin sign's is a plain k.
    for text in ("İstanbul", "5\u212a run"):
        assert words(text) == TOKEN.findall(text.lower())


@given(st.lists(texts, max_size=6))
def test_splitting_many_texts_is_splitting_each(many: list[str]) -> None:
    split = split_words(many)
    assert split.lengths.tolist() == [len(words(text)) for text in many]
    alone = [split_words([text]).keys for text in many]
    assert np.array_equal(split.keys, np.concatenate([np.zeros(0, np.uint64), *alone]))


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=20), max_size=30))
def test_two_words_have_one_number_only_if_they_are_equal(some: list[str]) -> None:
    keys = split_words([" ".join(some)]).keys.tolist()
    assert len(set(keys)) == len(set(some))


def test_titles_without_stop_words() -> None:
    assert title_words("The Lord of the Rings") == ("lord", "rings")
    assert title_words("The The") == ()
    assert "of" in IGNORED_IN_TITLES
