"""Trees as plain arrays: the scores are LightGBM's own, and a stranger's arrays are looked at."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgpath.rankers.general.tree_arrays import MOST_LEAVES, MOST_TREES, TreeArrays

lightgbm = pytest.importorskip("lightgbm")


def grown(rows: np.ndarray, seed: int, leaves: int, trees: int = 7) -> Any:
    """A booster over these rows, of which the sign of a noisy sum is learned."""
    noise = np.random.default_rng(seed).normal(size=len(rows))
    target = (np.nan_to_num(rows, posinf=3, neginf=-3).sum(axis=1) + noise > 0).astype(float)
    chosen = {
        "objective": "binary", "num_leaves": leaves, "min_data_in_leaf": 1, "seed": seed,
        "use_missing": False, "verbose": -1, "num_threads": 1, "feature_fraction": 0.7,
        "min_data_in_bin": 1,
    }  # fmt: skip
    return lightgbm.train(chosen, lightgbm.Dataset(rows, target, params=chosen), trees)


def theirs(booster: Any, rows: np.ndarray) -> np.ndarray:
    return np.asarray(booster.predict(rows, raw_score=True, num_threads=1))


def ours(booster: Any, rows: np.ndarray) -> np.ndarray:
    return TreeArrays.from_lightgbm(booster.dump_model()).scores(rows)


@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**31 - 1),
    leaves=st.integers(2, 15),
    width=st.integers(1, 5),
    steps=st.sampled_from([2, 5, 1000]),  # few steps: many values are tied
)
def test_the_scores_are_those_of_lightgbm(seed: int, leaves: int, width: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    rows = (np.round(rng.normal(size=(150, width)) * steps) / steps).astype(np.float32)
    booster = grown(rows, seed, leaves)
    seen = np.concatenate([rows, rng.normal(size=(50, width)).astype(np.float32) * 3])
    seen = np.concatenate([seen, rng.choice([-np.inf, 0, np.inf], (20, width)).astype(np.float32)])
    assert ours(booster, seen) == pytest.approx(theirs(booster, seen), abs=1e-6)


def test_numbers_next_to_a_threshold_go_where_lightgbm_sends_them() -> None:
    rows = np.random.default_rng(1).normal(size=(200, 3)).astype(np.float32)
    booster = grown(rows, 1, 15, trees=20)
    dump = re.findall(r"'split_feature': (\d+).*?'threshold': ([^,]+)", str(booster.dump_model()))
    assert len(dump) > 100
    near = np.array([float(threshold) for _, threshold in dump]).astype(np.float32)
    up, down = np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))
    seen = np.tile(rows[:1], (3 * len(dump), 1))
    columns = np.tile([int(feature) for feature, _ in dump], 3)
    seen[np.arange(len(seen)), columns] = np.concatenate([near, up, down])
    expected = theirs(booster, seen)
    assert len(np.unique(expected)) > 20
    assert ours(booster, seen) == pytest.approx(expected, abs=1e-6)


def test_values_without_end_are_learned_from_and_scored_alike() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(300, 2)).astype(np.float32)
    rows[::3, 0], rows[1::3, 0], rows[::5, 1] = np.inf, -np.inf, np.inf
    booster = grown(rows, 2, 8)
    assert len(np.unique(theirs(booster, rows))) > 5
    assert ours(booster, rows) == pytest.approx(theirs(booster, rows), abs=1e-6)


def test_a_tree_without_a_split_scores_all_rows_the_same() -> None:
    rows = np.zeros((30, 2), dtype=np.float32)
    chosen = {"objective": "binary", "verbose": -1}
    booster = lightgbm.train(chosen, lightgbm.Dataset(rows, np.arange(30) < 10), 3)
    assert ours(booster, rows[:4]) == pytest.approx(np.full(4, np.log(10 / 20)))


def test_trees_of_more_leaves_than_there_are_bits_are_refused() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 2)).astype(np.float32)
    with pytest.raises(ValueError, match=r"^a tree has more than 16 leaves$"):
        ours(grown(rows, 0, 17), rows)
    most = grown(rows, 0, 16)
    assert ours(most, rows) == pytest.approx(theirs(most, rows), abs=1e-6)


def test_trees_that_decide_by_kinds_or_by_what_is_missing_are_refused() -> None:
    rows = np.random.default_rng(0).integers(0, 3, (200, 2)).astype(np.float64)
    target, chosen = rows[:, 0] == 1, {"objective": "binary", "verbose": -1}
    kinds = lightgbm.Dataset(rows, target, categorical_feature=[0, 1])
    zeros = lightgbm.Dataset(rows, target, params={"zero_as_missing": True})
    for data in (kinds, zeros):
        dump = lightgbm.train(chosen, data, 3).dump_model()
        with pytest.raises(ValueError, match="decides in a way that these arrays cannot hold"):
            TreeArrays.from_lightgbm(dump)


# By hand: left of 1 is leaf 0; right of it, number 1 of a row parts leaf 1 from leaf 2 at 5.
def by_hand(**changed: Any) -> dict[str, Any]:
    leaves = np.zeros((1, MOST_LEAVES), dtype=np.float32)
    leaves[0, :3] = 10, 20, 30
    return {
        "tree": np.array([0, 0], np.int32),
        "feature": np.array([0, 1], np.int32),
        "threshold": np.array([1, 5], np.float32),
        "left": np.array([0b001, 0b010], np.uint16),
        "leaves": leaves,
        **changed,
    }


ROWS = np.array([[0, 9], [1, 9], [2, 5], [2, 6], [-np.inf, np.inf], [np.inf, -np.inf]])


def test_a_tree_by_hand() -> None:
    trees = TreeArrays.from_arrays(2, by_hand())
    assert trees.scores(ROWS).tolist() == [10, 10, 20, 30, 10, 20]


def test_what_arrays_gives_is_read_back_the_same() -> None:
    rows = np.random.default_rng(5).normal(size=(100, 3)).astype(np.float32)
    trees = TreeArrays.from_lightgbm(grown(rows, 5, 15).dump_model())
    again = TreeArrays.from_arrays(3, trees.arrays())
    assert again.scores(rows).tolist() == trees.scores(rows).tolist()


NAN = float("nan")


@pytest.mark.parametrize(
    ("name", "spoiled", "reason"),
    [
        ("tree", np.array([0, 0], np.int64), "arrays of nodes do not fit together"),
        ("tree", np.array([0], np.int32), "arrays of nodes do not fit together"),
        ("tree", np.array([[0, 0]], np.int32), "arrays of nodes do not fit together"),
        ("tree", np.array([0, 1], np.int32), "a node belongs to no tree"),
        ("tree", np.array([-1, 0], np.int32), "a node belongs to no tree"),
        ("feature", np.array([0, 2], np.int32), "a node asks for a number that no row has"),
        ("feature", np.array([0, -1], np.int32), "a node asks for a number that no row has"),
        ("feature", np.array([0, 1, 1], np.int32), "arrays of nodes do not fit together"),
        ("threshold", np.array([1, 5], np.float64), "arrays of nodes do not fit together"),
        ("threshold", np.array([1, NAN], np.float32), "a threshold or a score is out of range"),
        ("left", np.array([1, 2], np.int32), "arrays of nodes do not fit together"),
        ("left", np.array([1, 2, 4], np.uint16), "arrays of nodes do not fit together"),
        ("leaves", np.zeros((1, 15), np.float32), "trees do not have 16 places for leaves"),
        ("leaves", np.zeros((0, 16), np.float32), "there are 0 trees, not 1 to 5,000"),
        (
            "leaves",
            np.zeros((MOST_TREES + 1, 16), np.float32),
            "there are 5,001 trees, not 1 to 5,000",
        ),
        ("leaves", np.zeros(16, np.float32), "arrays of nodes do not fit together"),
        ("leaves", np.zeros((1, 16), np.float64), "arrays of nodes do not fit together"),
        ("leaves", np.full((1, 16), NAN, np.float32), "a threshold or a score is out of range"),
        ("leaves", np.full((1, 16), 2e6, np.float32), "a threshold or a score is out of range"),
        ("leaves", np.full((1, 16), -np.inf, np.float32), "a threshold or a score is out of range"),
    ],
)
def test_spoiled_arrays_are_refused(name: str, spoiled: np.ndarray, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        TreeArrays.from_arrays(2, by_hand(**{name: spoiled}))


def test_nodes_that_are_no_list_are_refused_together() -> None:
    nodes = {name: array.reshape(1, 2) for name, array in by_hand().items() if name != "leaves"}
    with pytest.raises(ValueError, match=r"^arrays of nodes do not fit together$"):
        TreeArrays.from_arrays(2, by_hand(**nodes))


@given(st.lists(st.integers(0, 0xFFFF), min_size=2, max_size=2))
def test_whatever_bits_a_stranger_writes_a_leaf_of_the_tree_is_found(bits: list[int]) -> None:
    leaves = np.arange(16, dtype=np.float32)[None, :]
    made = by_hand(left=np.array(bits, np.uint16), leaves=leaves)
    scores = TreeArrays.from_arrays(2, made).scores(ROWS)
    assert set(scores.tolist()) <= set(range(16))


def test_rows_of_another_width_are_refused() -> None:
    trees = TreeArrays.from_arrays(2, by_hand())
    with pytest.raises(ValueError, match=r"^rows of 3 numbers for trees over 2$"):
        trees.scores(np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"^rows of 2 numbers for trees over 2$"):
        trees.scores(np.zeros(2))


def test_no_rows_have_no_scores() -> None:
    scores = TreeArrays.from_arrays(2, by_hand()).scores(np.zeros((0, 2)))
    assert (scores.shape, scores.dtype) == ((0,), np.float64)


def test_several_trees_score_their_mean() -> None:
    rows = np.random.default_rng(8).normal(size=(300, 3)).astype(np.float32)
    several = [
        TreeArrays.from_lightgbm(grown(rows[:, :], seed, 5 + seed, trees=seed).dump_model())
        for seed in (1, 2, 4)
    ]
    mean = TreeArrays.mean_of(several)
    assert len(mean.leaves) == 7
    expected = np.mean([one.scores(rows) for one in several], axis=0)
    assert mean.scores(rows) == pytest.approx(expected, abs=1e-6)
    alone = TreeArrays.mean_of(several[:1])
    assert alone.scores(rows).tolist() == several[0].scores(rows).tolist()


def uneven(trees: int) -> TreeArrays:
    """Trees of one node each whose scores differ by up to 12 powers of ten."""
    rng = np.random.default_rng(trees)
    leaves = np.zeros((trees, MOST_LEAVES), dtype=np.float32)
    leaves[:, :2] = rng.normal(size=(trees, 2)) * 10.0 ** rng.integers(-8, 4, (trees, 2))
    return TreeArrays(
        3,
        np.arange(trees, dtype=np.int32),
        rng.integers(0, 3, trees).astype(np.int32),
        rng.normal(size=trees).astype(np.float32),
        np.full(trees, 1, np.uint16),
        leaves,
    )


@pytest.mark.parametrize("trees", [1, 7, 130, 600, 2000])
def test_a_score_is_the_same_to_the_last_digit_whichever_other_rows_there_are(trees: int) -> None:
    made = uneven(trees)
    rows = np.random.default_rng(0).normal(size=(2100, 3)).astype(np.float32)  # three times 1,024
    scores = made.scores(rows)
    assert len(scores) == 2100
    order = np.random.default_rng(1).permutation(len(rows))
    assert made.scores(rows[order]).tolist() == scores[order].tolist()
    for at in (0, 1, 700, 1023, 1024, 2099):
        assert made.scores(rows[at : at + 1]).tolist() == scores[at : at + 1].tolist()
        assert made.scores(rows[: at + 1]).tolist() == scores[: at + 1].tolist()
