"""Judged rankings: what is refused, and how true paths are found among candidates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kgpath.errors import BadOption
from kgpath.metrics import JudgedRanking, by_chance, judge
from kgpath.types import Path


def test_a_judged_query_is_a_plain_value() -> None:
    one = JudgedRanking("q", (1, 2.5), (1,))
    assert one == JudgedRanking("q", [1.0, 2.5], [1, 1])  # type: ignore[arg-type]
    assert hash(one) == hash(JudgedRanking("q", (1, 2.5), (1,)))
    assert one.complete
    assert not JudgedRanking("q", (), missing=1).complete


def test_top_holds_all_candidates_with_the_best_score() -> None:
    assert JudgedRanking("q", (1, 3, 3, 2), (0,)).top() == [1, 2]
    assert JudgedRanking("q", (), missing=1).top() == []
    assert JudgedRanking("q", (-math.inf, -math.inf), (0,)).top() == [0, 1]


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"scores": (1.0, math.nan), "true": (0,)}, "not a number"),
        ({"scores": (1.0,), "true": (1,)}, "there are 1 candidates"),
        ({"scores": (1.0,), "true": (-1,)}, "there are 1 candidates"),
        ({"scores": (1.0,)}, "has no true path.*missing=1"),
        ({"scores": (1.0,), "true": (0,), "missing": -1}, "has no true path"),
        ({"scores": (1.0,), "true": (0,), "paths": ("p", "q")}, "2 paths, but 1 scores"),
    ],
)
def test_what_makes_no_sense_is_refused(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint):
        JudgedRanking("q", **fields)


def test_judge_finds_the_exact_labelled_path(path: Callable[..., Path]) -> None:
    candidates = [path("a", "r", "b"), path("a", "^r", "b"), path("a", "s", "b")]
    judged = judge("q", candidates, [0.1, 0.2, 0.3], [path("a", "^r", "b")], group="d")
    assert (judged.scores, judged.true, judged.missing) == ((0.1, 0.2, 0.3), (1,), 0)
    assert judged.group == "d"
    assert list(judged.paths) == candidates


def test_judge_counts_the_true_paths_that_are_missing(path: Callable[..., Path]) -> None:
    truths = [path("a", "r", "b"), path("a", "s", "b"), path("a", "s", "b")]
    judged = judge("q", [path("a", "r", "b")], [1.0], truths)
    assert (judged.true, judged.missing) == ((0,), 1)
    assert judge("q", [], [], truths).missing == 2


def test_the_cost_of_a_path_does_not_make_it_another(path: Callable[..., Path]) -> None:
    candidate = path("a", "r", "b")
    cheap = Path(candidate.nodes, candidate.hops, cost=0.5)
    assert judge("q", [cheap], [1.0], [candidate]).true == (0,)


def test_entity_sequences_are_ranked_by_their_best_path(path: Callable[..., Path]) -> None:
    candidates = [path("a", "r", "b"), path("a", "r", "c"), path("a", "s", "b")]
    truth = path("a", "t", "b")
    judged = judge("q", candidates, [0.1, 0.2, 0.3], [truth], same=lambda p: p.nodes)
    assert (judged.scores, judged.true, judged.missing) == ((0.3, 0.2), (0,), 0)
    assert list(judged.paths) == [candidates[2], candidates[1]]
    assert judge("q", candidates, [0.1, 0.2, 0.3], [truth]).missing == 1


def test_duplicates_among_the_candidates_become_one(path: Callable[..., Path]) -> None:
    judged = judge("q", [path("a", "r", "b")] * 3, [1, 3, 2], [path("a", "r", "b")])
    assert (judged.scores, judged.true) == ((3.0,), (0,))


def test_judge_needs_a_score_for_each_path(path: Callable[..., Path]) -> None:
    with pytest.raises(ValueError, match="shorter"):
        judge("q", [path("a", "r", "b")], [], [path("a", "r", "b")])
    with pytest.raises(BadOption, match="no true path"):
        judge("q", [path("a", "r", "b")], [1.0], [])


def test_by_chance_only_the_scores_change(path: Callable[..., Path]) -> None:
    judged = judge("q", [path("a", "r", "b"), path("a", "s", "b")], [1, 2], [path("a", "r", "b")])
    lucky = by_chance(judged)
    assert lucky.scores == (0.0, 0.0)
    assert (lucky.true, lucky.truths, lucky.paths) == (judged.true, judged.truths, judged.paths)


def test_paths_that_are_made_when_asked_stay_unmade(path: Callable[..., Path]) -> None:
    class Lazy(Sequence[Path]):
        def __len__(self) -> int:
            return 2

        def __getitem__(self, place: Any) -> Any:
            raise AssertionError("nobody asked")

    judged = JudgedRanking("q", (1, 2), (1,), paths=Lazy())
    assert judged.top() == [1]
    assert "Lazy" not in repr(judged)
