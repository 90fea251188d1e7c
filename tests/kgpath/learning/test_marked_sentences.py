"""Sentences of one split of a text as those of another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.learning.marked_sentences import same_sentences
from kgpath.lexicon.text import sentence_spans

#           0         1         2         3         4
#           0123456789012345678901234567890123456789012345
TEXT = "Ann met Bob. They left for Rome. It was hot."
OURS = [(0, 12), (13, 32), (33, 44)]


def test_equal_splits_have_equal_numbers() -> None:
    assert sentence_spans(TEXT) == OURS
    for numbers in ((), (0,), (1,), (2,), (0, 2)):
        assert same_sentences(OURS, [0, 13, 33], numbers) == set(numbers)
        assert same_sentences(OURS, [], numbers) == set(numbers)
        # Blanks may belong to the sentence before or after them.
        assert same_sentences(OURS, [0, 12, 32], numbers) == set(numbers)


def test_a_sentence_that_we_joined_shows_all_of_its_parts() -> None:
    joined = [(0, 32), (33, 44)]
    assert same_sentences(joined, [0, 13, 33], [0]) == {0, 1}
    assert same_sentences(joined, [0, 13, 33], [1]) == {2}
    assert same_sentences([(0, 44)], [0, 13, 33], [0]) == {0, 1, 2}


def test_a_part_of_a_sentence_shows_it() -> None:
    assert same_sentences(OURS, [0, 33], [0]) == {0}
    assert same_sentences(OURS, [0, 33], [1]) == {0}
    assert same_sentences(OURS, [0, 33], [2]) == {1}


def test_a_word_too_many_does_not_show_the_sentence_it_is_of() -> None:
    # Ours ends after "They", theirs before it.
    assert same_sentences([(0, 17), (18, 32), (33, 44)], [0, 13, 33], [0]) == {0}
    assert same_sentences([(0, 17), (18, 32), (33, 44)], [0, 13, 33], [1]) == {1}


def test_what_stands_before_the_first_start_belongs_to_the_first_sentence() -> None:
    assert same_sentences(OURS, [13, 33], [0]) == {0}


@given(st.sets(st.integers(1, 43), max_size=6), st.sets(st.integers(1, 43), max_size=6))
def test_every_sentence_is_shown_by_all_of_ours_together(ours: set[int], theirs: set[int]) -> None:
    edges, starts = sorted({0, *ours, 44}), sorted({0, *theirs})
    spans = list(pairwise(edges))
    assert same_sentences(spans, starts, range(len(spans))) == set(range(len(starts)))
    for number in range(len(spans)):
        assert same_sentences(spans, starts, [number])


@pytest.mark.parametrize("starts", [[0], [5]])
def test_one_sentence_is_shown_by_any_of_ours(starts: list[int]) -> None:
    assert [same_sentences(OURS, starts, [n]) for n in range(3)] == [{0}] * 3
