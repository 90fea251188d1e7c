"""What is seen of whole paths, worked out by hand from three facts and two paths."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from told_examples_by_hand import OF_THE_TEXT, told

from kgpath.rankers.general.told_example import ToldExample
from kgpath.rankers.general.told_paths import hop_log_chances, told_paths

LOG_9 = np.log(9)  # the log odds of 0.9
ODDS = np.array([LOG_9, 0.0, -LOG_9])  # chances 0.9, 0.5 and 0.1


def example(**changed: object) -> ToldExample:
    """Facts 0 and 1 join the same two entities; path 0 takes fact 0, path 1 facts 1 and 2."""
    made = told(
        facts={"said": [1.0, 0.0, 1.0], "meant near": [0.75, 0.25, 0.5], "gap": [0.0, 1.0, 3.0]},
        paths={"length": [1.0, 2.0]},
        along=[[0, -1], [1, 2]],
        entity_pair=[0, 0, 1],
        zero_shot=[-1.0, -0.5],
    )
    return dataclasses.replace(made, **changed)


def columns(table) -> dict[str, list[float]]:
    return {name: table[name].tolist() for name in table.names}


def test_every_feature_by_hand() -> None:
    found = columns(told_paths(example(), ODDS))
    expected = {
        "log p": [np.log(0.9), np.log(0.5 * 0.1)],
        "log p behind": [0, np.log(0.05 / 0.9)],
        "odds": [LOG_9, -LOG_9],
        "odds behind": [0, -2 * LOG_9],
        "least odds": [LOG_9, -LOG_9],
        "least odds behind": [0, -2 * LOG_9],
        "mean odds": [LOG_9, -LOG_9 / 2],
        "mean odds behind": [0, -1.5 * LOG_9],
        "log p beyond the second": [np.log(0.9 / 0.05), 0],
        "better paths": [0, 1],
        "best log p": [np.log(0.9)] * 2,
        "odds behind parallels": [0, -LOG_9],  # fact 0 is more likely than its parallel, fact 1
        "least behind parallels": [0, -LOG_9],
        "zero-shot behind": [-0.5, 0],
        "zero-shot better": [1, 0],
        "length": [1, 2],
        "length behind": [-1, 0],
        "mean said": [1, 0.5],
        "least said": [1, 0],
        "most said": [1, 1],
        "mean meant near": [0.75, 0.375],
        "least meant near": [0.75, 0.25],
        "most meant near": [0.75, 0.5],
        "mean gap": [0, 2],
        "least gap": [0, 1],
        "most gap": [0, 3],
        **{name: [size] * 2 for name, size in OF_THE_TEXT.items()},
    }
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, abs=1e-6), name


def test_the_chance_of_every_hop_and_none_after_the_end() -> None:
    chances = hop_log_chances(np.array([[0, -1], [1, 2]]), ODDS)
    assert np.exp(chances) == pytest.approx(np.array([[0.9, 1], [0.5, 0.1]]))
    assert hop_log_chances(np.array([[0]]), np.array([-800.0])).tolist() == [[-800.0]]
    assert hop_log_chances(np.array([[0]]), np.array([800.0])).tolist() == [[0.0]]


def test_a_path_alone_is_far_beyond_a_second() -> None:
    one = example()
    alone = dataclasses.replace(
        one,
        along=one.along[:1],
        zero_shot=one.zero_shot[:1],
        reading=one.reading[:1],
        true=one.true[:1],
        paths=dataclasses.replace(one.paths, values=one.paths.values[:1]),
    )
    found = columns(told_paths(alone, ODDS))
    assert found["log p beyond the second"] == [20]
    assert found["better paths"] == found["zero-shot better"] == [0]
    assert found["length behind"] == found["log p behind"] == [0]


def test_what_differs_by_a_rounding_error_is_not_better() -> None:
    found = columns(told_paths(example(zero_shot=np.array([0.1 + 0.2, 0.3])), ODDS))
    assert found["zero-shot better"] == [0, 0]
    same = told(
        facts={"said": [1, 1]},
        paths={"length": [1, 1, 1]},
        along=[[0], [1], [1]],
        entity_pair=[0, 0],
        zero_shot=[3, 3, 1],
    )
    found = columns(told_paths(same, np.array([2.0, 2.0])))
    assert found["zero-shot better"] == [0, 0, 2]
    assert found["better paths"] == found["log p beyond the second"] == [0, 0, 0]


def many(seed: int) -> tuple[ToldExample, np.ndarray]:
    """40 paths of one to three hops over 25 facts, all numbers drawn."""
    rng = np.random.default_rng(seed)
    along = np.stack([rng.permutation(25)[:3] for _ in range(40)])
    along[np.arange(3) >= rng.integers(1, 4, 40)[:, None]] = -1
    made = told(
        facts={
            name: rng.random(25)
            for name in ("said", "meant near", "gap", "relation share", "other")
        },
        paths={name: rng.normal(size=40) for name in ("length", "tfidf")},
        along=along.tolist(),
        entity_pair=rng.integers(0, 9, 25).tolist(),
        zero_shot=rng.normal(size=40).tolist(),
    )
    return made, rng.normal(size=25) * 5


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_candidates_changes_nothing(seed: int) -> None:
    one, odds = many(seed)
    order = np.random.default_rng(seed).permutation(40)
    other = dataclasses.replace(
        one,
        along=one.along[order],
        zero_shot=one.zero_shot[order],
        reading=one.reading[order],
        paths=dataclasses.replace(one.paths, values=one.paths.values[order]),
        true=one.true[order],
    )
    expected = told_paths(one, odds).values[order].tolist()
    assert told_paths(other, odds).values.tolist() == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_end_from_which_paths_are_read_changes_nothing(seed: int) -> None:
    one, odds = many(seed)
    turned = np.full_like(one.along, -1)
    for row, path in enumerate(one.along.tolist()):
        hops = [fact for fact in reversed(path) if fact >= 0]
        turned[row, : len(hops)] = hops
    assert (turned != one.along).any()
    other = dataclasses.replace(one, along=turned)
    assert told_paths(other, odds).values.tolist() == told_paths(one, odds).values.tolist()


def test_sums_over_hops_are_the_same_from_both_ends_however_uneven_they_are() -> None:
    # 10^17 and 1 is 10^17: what is added first makes a difference.
    one = told({"said": [1] * 3}, {"length": [3, 3]}, [[0, 1, 2], [2, 1, 0]], [0, 1, 2], [0, 0])
    found = told_paths(one, np.array([1e17, -1e17, 1.0]))
    assert found.values[0].tolist() == found.values[1].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_facts_changes_nothing(seed: int) -> None:
    one, odds = many(seed)
    order = np.random.default_rng(seed).permutation(25)
    place = np.argsort(order)
    other = dataclasses.replace(
        one,
        facts=dataclasses.replace(one.facts, values=one.facts.values[order]),
        entity_pair=one.entity_pair[order],
        along=np.where(one.along >= 0, place[one.along], -1),
    )
    assert told_paths(other, odds[order]).values.tolist() == told_paths(one, odds).values.tolist()


def test_features_of_facts_that_say_nothing_of_a_path_are_left_out() -> None:
    names = told_paths(*many(0)).names
    assert "mean relation share" in names and "mean other" not in names
    assert len(set(names)) == len(names)
