"""Named numbers as a matrix: trees read columns by place, everything else reads them by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class FeatureTable:
    """A row for each thing (a fact, a path) and a column for each name, in the order of ``names``.

    >>> table = FeatureTable.of(("size", "age"), {"age": np.array([3, 4]), "size": np.ones(2)})
    >>> table["age"].tolist(), table.values.tolist()
    ([3.0, 4.0], [[1.0, 3.0], [1.0, 4.0]])
    """

    names: tuple[str, ...]
    values: NDArray[Any]

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.names):
            raise ValueError(f"{len(self.names)} names for values of shape {self.values.shape}")

    @classmethod
    def of(cls, names: Iterable[str], columns: Mapping[str, NDArray[Any]]) -> FeatureTable:
        """The columns in the order of the names; both have to be the same."""
        order = tuple(names)
        if order_error := columns.keys() ^ set(order):
            raise ValueError(f"no such feature, or none made of that name: {sorted(order_error)}")
        values = np.column_stack([columns[name] for name in order])
        return cls(order, values.astype(np.float64))

    @classmethod
    def side_by_side(cls, *tables: FeatureTable) -> FeatureTable:
        """Tables over the same rows as one, rounded to 32 bits, as trees read them."""
        names = tuple(name for table in tables for name in table.names)
        values = np.column_stack([table.values for table in tables])
        return cls(names, values.astype(np.float32))

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.asarray(self.values[:, self.names.index(name)])

    def select(self, names: Iterable[str]) -> FeatureTable:
        """Only these columns, in this order."""
        wanted = tuple(names)
        places = [self.names.index(name) for name in wanted]
        return FeatureTable(wanted, self.values[:, places])

    def blanked(self, rows: NDArray[np.bool_], names: Iterable[str]) -> FeatureTable:
        """A copy in which some rows have nothing in some columns."""
        values = self.values.copy()
        wanted = frozenset(names)
        columns = np.array([name in wanted for name in self.names])
        values[rows[:, None] & columns] = np.nan
        return FeatureTable(self.names, values)

    def behind(self, group: NDArray[np.int64]) -> FeatureTable:
        """How far each row is behind the best of its group, as columns of their own."""
        names = tuple(f"{name} behind" for name in self.names)
        return FeatureTable(names, behind_best(self.values, group))


def best_of_group(values: NDArray[Any], group: NDArray[np.int64]) -> NDArray[np.float64]:
    """For each row the best of its group; what is not a number counts as least of all.

    >>> best_of_group(np.array([1.0, 3.0, 2.0]), np.array([0, 0, 1])).tolist()
    [3.0, 3.0, 2.0]
    """
    best = np.full((int(group.max(initial=-1)) + 1, *values.shape[1:]), -np.inf)
    np.maximum.at(best, group, np.where(np.isnan(values), -np.inf, values))
    return np.asarray(best[group], dtype=np.float64)


def behind_best(values: NDArray[Any], group: NDArray[np.int64]) -> NDArray[np.float64]:
    """How far each row is behind the best of its group; not a number where it is none.

    >>> behind_best(np.array([1.0, 3.0, 2.0]), np.array([0, 0, 1])).tolist()
    [-2.0, 0.0, 0.0]
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(values - best_of_group(values, group), dtype=np.float64)
