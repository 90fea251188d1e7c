"""Folds keep documents whole, are about equally large, and are the same every time."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import BadOption
from kgpath.metrics.folds import fold_of

GROUPS = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=40).filter(
    lambda groups: len(set(groups)) > 1
)


@st.composite
def splits(draw: st.DrawFn) -> tuple[list[str], int, int]:
    groups = draw(GROUPS)
    return groups, draw(st.integers(2, len(set(groups)))), draw(st.integers(0, 3))


@given(splits())
def test_a_group_is_in_one_fold_and_no_fold_is_empty(split: tuple[list[str], int, int]) -> None:
    groups, number, seed = split
    folds = fold_of(groups, number, seed)
    assert len(folds) == len(groups)
    assert len(set(zip(groups, folds, strict=True))) == len(set(groups))
    assert set(folds) == set(range(number))


@given(splits())
def test_folds_differ_by_a_group_at_most(split: tuple[list[str], int, int]) -> None:
    groups, number, seed = split
    sizes = Counter(fold_of(groups, number, seed)).values()
    assert max(sizes) - min(sizes) <= max(Counter(groups).values())


@given(splits(), st.randoms(use_true_random=False))
def test_the_order_of_the_items_makes_no_difference(split, random) -> None:
    groups, number, seed = split
    shuffled = random.sample(groups, len(groups))
    first = dict(zip(groups, fold_of(groups, number, seed), strict=True))
    assert dict(zip(shuffled, fold_of(shuffled, number, seed), strict=True)) == first


def test_groups_of_one_size_are_spread_evenly() -> None:
    assert Counter(fold_of([f"d{n}" for n in range(20)], 5)) == dict.fromkeys(range(5), 4)


def test_a_large_group_has_a_fold_for_itself() -> None:
    folds = fold_of(["big"] * 6 + ["b", "c", "d", "e"], 2)
    assert folds[:6] == [folds[0]] * 6
    assert folds[6:] == [1 - folds[0]] * 4


def test_the_seed_makes_other_folds() -> None:
    groups = [f"d{n}" for n in range(20)]
    assert fold_of(groups, 5, 1) == fold_of(groups, 5, 1)
    assert fold_of(groups, 5, 1) != fold_of(groups, 5, 2)


def test_what_cannot_be_split_says_what_can() -> None:
    with pytest.raises(BadOption, match="4 folds of 3 documents cannot be made; take 2 to 3"):
        fold_of(["a", "b", "c", "c"], 4)
    with pytest.raises(BadOption, match="take 2 to 3"):
        fold_of(["a", "b", "c"], 1)
    with pytest.raises(BadOption, match="at least two documents"):
        fold_of(["a", "a"], 2)
