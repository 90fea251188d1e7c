"""The cheapest way to change one sequence into another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeVar

Item = TypeVar("Item")


def edit_distance(
    source: Sequence[Item],
    target: Sequence[Item],
    substitute: Callable[[Item, Item], float],
    insert: Callable[[Item], float],
) -> float:
    """The least total cost of substitutions, insertions and deletions; deleting costs as inserting.

    >>> edit_distance("film", "files", lambda a, b: float(a != b), lambda a: 1.0)
    2.0
    """
    # row[j]: the cost of changing what was read of the source into target[:j]
    row = list(accumulate(map(insert, target), initial=0.0))
    for item in source:
        deletion = insert(item)
        diagonal, row[0] = row[0], row[0] + deletion
        for j, other in enumerate(target, start=1):
            cheapest = min(
                diagonal + substitute(item, other),
                row[j] + deletion,
                row[j - 1] + insert(other),
            )
            diagonal, row[j] = row[j], cheapest
    return row[-1]
