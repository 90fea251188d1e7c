"""Ranks with ties: by hand, and against every order of the tied candidates."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.metrics import FirstRank, JudgedRanking, by_chance


@st.composite
def small_runs(draw: st.DrawFn) -> JudgedRanking:
    """Up to six candidates with few different scores; any of them may be true, or none."""
    scores = draw(st.lists(st.integers(0, 2), max_size=6))
    true = [place for place in range(len(scores)) if draw(st.booleans())]
    return JudgedRanking("q", tuple(scores), tuple(true), missing=not true)


def first_ranks(query: JudgedRanking) -> list[int]:
    """The rank of the first true candidate in every order that the scores allow."""
    places = range(len(query.scores))
    return [
        1 + min(at for at, place in enumerate(order) if place in query.true)
        for order in itertools.permutations(places)
        if all(query.scores[a] >= query.scores[b] for a, b in itertools.pairwise(order))
    ]


def test_without_ties_it_is_the_plain_rank() -> None:
    rank = FirstRank.of(JudgedRanking("q", (0.9, 0.7, 0.8), (1,)))
    assert rank == FirstRank(above=2, tied=1, true=1)
    assert rank.reciprocal() == 1 / 3
    assert [rank.within(k) for k in (1, 2, 3, 9)] == [0, 0, 1, 1]


def test_a_tie_is_the_mean_over_the_places_it_takes() -> None:
    rank = FirstRank.of(JudgedRanking("q", (3, 2, 2, 2, 1), (2,)))  # places 2, 3 and 4
    assert rank == FirstRank(above=1, tied=3, true=1)
    assert rank.reciprocal() == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3, abs=1e-15)
    assert [rank.within(k) for k in (1, 2, 3, 4)] == [0, 1 / 3, 2 / 3, 1]


def test_two_true_of_three_tied() -> None:
    # First of the three with 2/3, second with 1/3; never third.
    rank = FirstRank.of(JudgedRanking("q", (1, 1, 1), (0, 2)))
    assert rank.reciprocal() == pytest.approx(2 / 3 + 1 / 3 / 2)
    assert [rank.within(k) for k in (1, 2, 3)] == [2 / 3, 1, 1]


def test_a_true_path_below_the_first_one_does_not_count() -> None:
    assert FirstRank.of(JudgedRanking("q", (3, 2, 1, 1), (1, 2, 3))) == FirstRank(1, 1, 1)


def test_a_true_path_that_is_not_there_has_no_rank() -> None:
    for query in (JudgedRanking("q", (), missing=1), JudgedRanking("q", (2, 1), missing=1)):
        rank = FirstRank.of(query)
        assert (rank.reciprocal(), rank.within(1), rank.within(100)) == (0, 0, 0)


@given(small_runs())
def test_ties_are_the_mean_over_all_orders(query: JudgedRanking) -> None:
    rank = FirstRank.of(query)
    ranks = first_ranks(query) if query.true else []
    expected = sum((Fraction(1, r) for r in ranks), Fraction(0)) / max(len(ranks), 1)
    assert rank.reciprocal() == pytest.approx(float(expected), abs=1e-15)
    for k in range(1, 8):
        assert rank.within(k) == sum(r <= k for r in ranks) / max(len(ranks), 1)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 300])
def test_the_random_baseline_is_exact(n: int) -> None:
    harmonic = sum(Fraction(1, i) for i in range(1, n + 1))
    chance = FirstRank.of(by_chance(JudgedRanking("q", tuple(range(n)), (0,))))
    assert chance.reciprocal() == pytest.approx(float(harmonic / n), rel=1e-15)
    for k in (1, 3, 5, 1000):
        assert chance.within(k) == min(k, n) / n
    assert chance == FirstRank(above=0, tied=n, true=1)


def test_chance_without_candidates_finds_nothing() -> None:
    nothing = FirstRank.of(by_chance(JudgedRanking("q", (), (), missing=1)))
    assert (nothing.reciprocal(), nothing.within(5)) == (0, 0)
    every = FirstRank.of(by_chance(JudgedRanking("q", (1, 2), (0, 1), missing=3)))
    assert every.within(1) == 1  # more true paths than candidates


def test_thousands_of_ties_fit() -> None:
    rank = FirstRank(above=10, tied=2000, true=1000)
    assert rank.within(11) == 0.5
    assert 1 / 13 < rank.reciprocal() < 1 / 11
