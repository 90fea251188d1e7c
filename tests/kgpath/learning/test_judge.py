"""What a ranking is worth, on a graph small enough to rank by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from square_queries import DIRECT, OVER_C, OVER_D, SQUARE, query

import kgpath
from kgpath.features.path_features import PathFeatures
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.paths.finder import PathOptions
from kgpath.rankers.ranker import Ranker, Scores
from kgpath.rankers.shortest import Shortest


@pytest.fixture
def figures(build_graph) -> Callable[..., dict[str, float]]:
    """The figures of one query on the square, by the shortest path."""

    def of(*paths: str, max_hops: int = 4) -> dict[str, float]:
        evaluator = Evaluator(build_graph(SQUARE), [query(*paths)], options=PathOptions(max_hops))
        (run,) = evaluator.run({"shortest": Shortest()})
        (row,) = run.rows()
        assert evaluator.notes == []
        return row

    return of


def test_parallel_relations_tie_for_the_path_and_are_one_for_the_entities(figures) -> None:
    row = figures(DIRECT)
    # "a r b" and "a s b" share the places 1 and 2.
    assert (row["MRR"], row["Hits@1"], row["Hits@3"]) == ((1 + 1 / 2) / 2, 1 / 2, 1)
    assert (row["entities MRR"], row["entities Hits@1"]) == (1, 1)
    assert (row["candidates"], row["Recall"]) == (4, 1)
    assert (row["query"], row["ranker"], row["verdict"]) == ("q", "shortest", "none")
    assert row["first"] in ("a –r→ b", "a –s→ b")


def test_a_longer_path_has_its_rank_among_paths_and_among_entities(figures) -> None:
    row = figures(OVER_C)
    assert (row["MRR"], row["Hits@1"], row["Hits@3"]) == (1 / 3, 0, 1)
    assert (row["entities MRR"], row["entities Hits@1"]) == (1 / 2, 0)
    assert figures(OVER_D)["MRR"] == 1 / 4
    assert figures(OVER_D)["entities MRR"] == 1 / 3


def test_of_several_true_paths_the_first_counts_and_recall_asks_for_all(figures) -> None:
    row = figures(OVER_D, OVER_C)
    assert (row["MRR"], row["Recall"], row["entities MRR"]) == (1 / 3, 1, 1 / 2)
    both = figures(DIRECT, "a s b")
    assert (both["MRR"], both["Hits@1"], both["entities MRR"]) == (1, 1, 1)
    some = figures(OVER_C, OVER_D, max_hops=2)
    assert (some["MRR"], some["Recall"], some["candidates"]) == (1 / 3, 1 / 2, 3)
    again = figures(OVER_C, OVER_C)
    assert (again["MRR"], again["Recall"]) == (1 / 3, 1)


def test_a_true_path_that_is_too_long_is_missed(figures) -> None:
    row = figures(OVER_D, max_hops=2)
    assert (row["MRR"], row["Hits@5"], row["Recall"], row["entities MRR"]) == (0, 0, 0, 0)
    assert row["candidates"] == 3


def test_without_any_candidate_a_query_is_missed(build_graph) -> None:
    kg = build_graph("ex:a ex:p ex:c . ex:c ex:p ex:b .")
    evaluator = Evaluator(kg, [query(OVER_C)], options=PathOptions(1))
    for run in evaluator.run(make_rankers(["zero-shot", "tfidf-cosine", "random"])):
        (row,) = run.rows()
        assert (row["candidates"], row["MRR"], row["NGEO(Ent)"]) == (0, 0, 1)
        assert (row["verdict"], row["first"]) == ("none", "")


TWINS = """
ex:a ex:leader ex:b . ex:a ex:leaderName ex:b . ex:a ex:friend ex:b .
ex:c ex:leader ex:d . ex:c ex:leaderName ex:d .
""" + "".join(f"ex:c ex:leader ex:d{n} . ex:c ex:leaderName ex:d{n} ." for n in range(5))


class ByName(Ranker):
    """Each relation of a path of one hop has a score of its own."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def score(self, features: PathFeatures) -> Scores:
        names = [path.hops[0].relation.iri.rpartition("/")[2] for path in features.candidates]
        return Scores.sum_of({"name": np.array([self.scores[name] for name in names])})


def judged(kg: kgpath.Graph, *paths: str, same: bool = True, **scores: float) -> dict[str, float]:
    options = PathOptions(max_hops=1)
    evaluator = Evaluator(kg, [query(*paths)], options=options, same_relations=same)
    (run,) = evaluator.run({"by name": ByName(**scores)})
    (row,) = run.rows()
    return row


def test_relations_that_mean_the_same_count_as_one_if_asked(build_graph) -> None:
    kg = build_graph(TWINS)
    row = judged(kg, "a leader b", leaderName=3, friend=2, leader=1)
    assert (row["candidates"], row["MRR"], row["Hits@1"]) == (3, 1 / 3, 0)
    assert (row["same MRR"], row["same Hits@1"]) == (1, 1)


def test_the_better_of_two_that_mean_the_same_stands_for_both(build_graph) -> None:
    kg = build_graph(TWINS)
    row = judged(kg, "a friend b", leaderName=3, leader=2.5, friend=2)
    assert (row["MRR"], row["same MRR"]) == (1 / 3, 1 / 2)
    both = judged(kg, "a leader b", "a leaderName b", leaderName=1, leader=2, friend=3)
    assert (both["MRR"], both["same MRR"]) == (1 / 2, 1 / 2)


def test_without_being_asked_there_is_no_such_figure(build_graph) -> None:
    kg = build_graph(TWINS)
    row = judged(kg, "a leader b", same=False, leaderName=3, friend=2, leader=1)
    assert row["MRR"] == 1 / 3 and not [name for name in row if name.startswith("same ")]


def test_what_is_missed_is_missed_with_relations_that_mean_the_same(build_graph) -> None:
    kg = build_graph(TWINS)
    away = judged(kg, "a leader c", leaderName=3, friend=2, leader=1)
    assert (away["MRR"], away["same MRR"], away["same Hits@1"]) == (0, 0, 0)
    unknown = judged(kg, "a foe b", leaderName=3, friend=2, leader=1)
    assert (unknown["MRR"], unknown["same MRR"]) == (0, 0)
