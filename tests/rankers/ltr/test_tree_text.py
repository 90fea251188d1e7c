"""LightGBM's text: what we trained scores the same, and what would crash LightGBM is refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from kgpath.errors import BadStore
from kgpath.rankers.ltr.tree_text import MOST_LETTERS, checked_text
from kgpath.rankers.ltr.trees import predicted, read_model

lightgbm = pytest.importorskip("lightgbm")


@pytest.fixture(scope="module")
def text() -> str:
    """Two trees over two features, in one of which numbers are missing; and what is grown of it."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 2))
    rows[::3, 1] = np.nan
    data = lightgbm.Dataset(rows, rows[:, 0] > 0, group=[30, 30])
    settings = {"objective": "rank_xendcg", "num_leaves": 4, "min_data_in_leaf": 5, "verbose": -1}
    written: str = lightgbm.train(settings, data, 2).model_to_string()
    assert re.findall("num_leaves=.*", written)[:2] == ["num_leaves=4"] * 2
    return written


def test_scores_are_the_same_to_the_last_digit(text: str) -> None:
    rows = np.random.default_rng(1).normal(size=(200, 2)) * 3
    rows[::5] = np.nan
    rows[1::5] = 0
    before, after = (
        lightgbm.Booster(model_str=some).predict(rows, raw_score=True)
        for some in (text, checked_text(text, 2))
    )
    assert len(np.unique(before)) > 5
    assert before.tolist() == after.tolist()


def test_a_tree_without_a_split_is_one(tmp_path: Path) -> None:
    data = lightgbm.Dataset(np.zeros((9, 3)), np.arange(9) > 7, group=[9])
    model = lightgbm.train({"objective": "lambdarank", "verbose": -1}, data, 5)
    (tmp_path / "trees.txt").write_text(model.model_to_string())
    assert predicted(read_model(tmp_path / "trees.txt", 1), np.zeros((2, 3))).tolist() == [0, 0]


def test_a_threshold_without_end_parts_the_known_from_the_missing(text: str) -> None:
    endless = re.sub("threshold=[^ ]+", "threshold=inf", text)
    assert "threshold=inf " in checked_text(endless, 2)


def changed(text: str, line: str, value: str) -> str:
    """The first line of that name with another value."""
    return re.sub(f"(?m)^{line}=.*$", f"{line}={value}", text, count=1)


@pytest.mark.parametrize(
    ("line", "value", "reason"),
    [
        ("split_feature", "0 2 1", "a tree asks for a feature that is none of 2"),
        ("split_feature", "0 99999999999999999999 1", "a tree asks for a feature that is none"),
        ("split_feature", "0 -1 1", "tree 0 cannot be read"),
        ("split_feature", "0 1", "tree 0 has 2 of split_feature, not 3"),
        ("split_feature", "0 1 1 1", "tree 0 has 4 of split_feature, not 3"),
        ("split_feature", "0  1", "split_feature of a tree holds what is no number"),
        ("left_child", "1 2 3", "a child of a tree is out of range"),
        ("left_child", "1 2 -2147483648", "a child of a tree is out of range"),
        ("left_child", "1 2 -5", "a child of a tree is out of range"),
        ("left_child", "0 2 -1", "a child of a tree is out of range"),  # for ever
        ("left_child", "1 0 -1", "a child of a tree is out of range"),  # for ever
        ("left_child", "1 -1 -1", "a part of a tree is reached twice, or never"),
        ("right_child", "1 -3 -4", "a part of a tree is reached twice, or never"),
        ("right_child", "1 - -4", "right_child of a tree holds what is no number"),
        ("threshold", "0 nan 0", "tree 0 cannot be read"),
        ("threshold", "0 1e999 0", "a threshold or the score of a leaf is out of range"),
        ("threshold", "0 1e-999 0", "threshold of a tree holds what is no number"),
        ("threshold", "0 1e 0", "threshold of a tree holds what is no number"),
        ("threshold", "0 1.2.3 0", "threshold of a tree holds what is no number"),
        ("leaf_value", "0 1 2 1e300", "a threshold or the score of a leaf is out of range"),
        ("leaf_value", "0 1 2 1e999", "a threshold or the score of a leaf is out of range"),
        ("leaf_value", "0 1 2", "tree 0 has 3 of leaf_value, not 4"),
        ("decision_type", "2 2 1", "a tree decides in a way that kgpath's trees do not"),
        ("decision_type", "2 2 12", "a tree decides in a way that kgpath's trees do not"),
        ("num_leaves", "2147483647", "tree 0 cannot be read"),
        ("num_leaves", "257", "a tree has 4 to 257 leaves"),
        ("num_leaves", "0", "a tree has 0 to 4 leaves"),
        ("num_cat", "1", "tree 0 cannot be read"),
        ("is_linear", "1", "tree 0 cannot be read"),
        ("leaf_count", "1\ncat_threshold=1", "tree 0 cannot be read"),
        ("Tree", "7", "its trees are not numbered one after the other"),
        ("max_feature_idx", "0", "it does not have 1 feature names"),
        ("max_feature_idx", "1000000", "it has 1,000,001 features"),
        ("max_feature_idx", "-1", "its first lines are not those of trees by LightGBM"),
        ("feature_infos", "none", "it does not have 2 feature infos"),
        ("objective", "binary", "its objective binary is none of kgpath's"),
        ("num_class", "2", "its first lines are not those of trees by LightGBM"),
        ("num_tree_per_iteration", "2", "its first lines are not those of trees by LightGBM"),
        ("version", "v3", "its first lines are not those of trees by LightGBM"),
        ("tree_sizes", "100", "it has 2 trees, not 1"),
        ("tree_sizes", " ", "it has 2 trees, not 0"),
    ],
)
def test_what_is_out_of_range_is_refused(text: str, line: str, value: str, reason: str) -> None:
    # left_child is 1 2 -1 or the like: what matters is that each change is wrong by itself.
    plain = text
    for name, usual in (("left_child", "1 2 -1"), ("right_child", "-2 -3 -4")):
        plain = changed(plain, name, usual)
    checked_text(plain, 2)
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        checked_text(changed(plain, line, value), 2)


def test_no_more_trees_than_the_ranker_was_asked_for(text: str) -> None:
    with pytest.raises(ValueError, match=r"^it has 2 trees, not 1$"):
        checked_text(text, 1)


def test_a_text_without_trees_or_without_end_is_refused(text: str) -> None:
    start = text.index("Tree=0")
    for damaged in (text[:start], text[:start] + "end of trees\n", text[: start + 300], "", "tree"):
        with pytest.raises(ValueError):
            checked_text(damaged, 2)
    with pytest.raises(ValueError, match="longer than 67,108,864 letters"):
        checked_text("tree\n" * (MOST_LETTERS // 5 + 1), 2)


def test_what_follows_the_trees_does_not_reach_lightgbm(text: str) -> None:
    end = text.index("end of trees")
    hostile = text[:end] + "end of trees\n\npandas_categorical:" + "[" * 100_000
    assert checked_text(hostile, 2) == checked_text(text, 2)


def test_a_refused_file_is_named_with_the_reason(text: str, tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text(changed(text, "split_feature", "0 7 1"))
    with pytest.raises(BadStore) as raised:
        read_model(path, 2)
    assert str(raised.value) == (
        f"{path} cannot be read (a tree asks for a feature that is none of 2). "
        "Train the model again."
    )


def test_rows_of_another_width_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "trees.txt").write_text(text)
    model = read_model(tmp_path / "trees.txt", 2)
    with pytest.raises(BadStore) as raised:
        predicted(model, np.zeros((1, 3)))
    assert str(raised.value) == (
        "The model scores rows of 2 numbers, and here a row has 3. Train it again."
    )
