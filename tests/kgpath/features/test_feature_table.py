"""Tables of named features: columns by name, in the declared order, and nothing by chance."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.features.feature_table import FeatureTable, behind_best

NAMES = ("near", "far", "old")


@pytest.fixture
def table() -> FeatureTable:
    columns = {"old": np.array([5, 6]), "near": np.array([True, False]), "far": np.array([0.5, 2])}
    return FeatureTable.of(NAMES, columns)


def test_columns_stand_in_the_declared_order(table: FeatureTable) -> None:
    assert table.values.tolist() == [[1, 0.5, 5], [0, 2, 6]]
    assert [table[name].tolist() for name in NAMES] == [[1, 0], [0.5, 2], [5, 6]]
    assert table.select(["old", "near"]).values.tolist() == [[5, 1], [6, 0]]
    assert len(table) == 2


@pytest.mark.parametrize("made", [("near", "far"), ("near", "far", "old", "new")])
def test_a_feature_too_few_or_too_many_is_refused(made: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"\['(old|new)'\]"):
        FeatureTable.of(NAMES, {name: np.zeros(2) for name in made})
    with pytest.raises(ValueError, match="3 names for values of shape"):
        FeatureTable(NAMES, np.zeros((2, len(made))))


def test_tables_side_by_side_are_as_trees_read_them(table: FeatureTable) -> None:
    both = FeatureTable.side_by_side(table, table.behind(np.array([0, 0])))
    assert both.names == (*NAMES, "near behind", "far behind", "old behind")
    assert both["far behind"].tolist() == [-1.5, 0]
    assert both.values.dtype == np.float32


def test_blanked_rows_have_nothing_in_those_columns(table: FeatureTable) -> None:
    blank = table.blanked(np.array([False, True]), ["old", "near"])
    assert np.isnan(blank.values).tolist() == [[False] * 3, [True, False, True]]
    assert not np.isnan(table.values).any()  # what was given is left as it was


def test_what_is_unknown_is_behind_nobody() -> None:
    values = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, 2.0]])
    found = behind_best(values, np.array([0, 0, 1]))
    assert np.array_equal(found, [[-2, np.nan], [0, np.nan], [np.nan, 0]], equal_nan=True)
    assert behind_best(np.zeros((0, 2)), np.zeros(0, np.int64)).shape == (0, 2)
