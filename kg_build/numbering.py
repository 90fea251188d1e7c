"""Final numbers for what was collected, and rows of numbers as sets: distinct, in order."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


def renumber(names: Sequence[str], chosen: Iterable[int]) -> Rows:
    """For each number its rank among the chosen, by name; -1 for the others."""
    numbering = np.full(len(names), -1, dtype=np.int64)
    order = sorted(chosen, key=names.__getitem__)
    numbering[order] = np.arange(len(order))
    return numbering


def in_order(names: Sequence[str], numbering: Rows) -> list[str]:
    """The names that have a number, in the order of these."""
    chosen = np.flatnonzero(numbering >= 0)
    return [names[number] for number in chosen[np.argsort(numbering[chosen])].tolist()]


def rows_of(flat: array[int], width: int) -> Rows:
    """Numbers one after the other as rows."""
    return np.array(flat, dtype=np.int32).reshape(-1, width).astype(np.int64)


def renumbered(pairs: set[tuple[int, int]], numbering: Rows) -> Rows:
    """Pairs by their new numbers; without those that have none."""
    rows = numbering[np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)]
    return distinct_rows(rows[(rows >= 0).all(axis=1)])


def distinct_rows(rows: Rows) -> Rows:
    """Distinct rows in ascending order."""
    if not len(rows):
        return rows
    rows = rows[np.lexsort(rows.T[::-1])]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[first]


def rows_in(rows: Rows, others: Rows) -> NDArray[np.bool_]:
    """Which rows occur among the others."""
    both = np.concatenate([rows, others])
    _, keys = np.unique(both, axis=0, return_inverse=True)
    keys = keys.ravel()
    return np.isin(keys[: len(rows)], keys[len(rows) :])
