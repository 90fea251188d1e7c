"""Folds for cross-validation that keep what belongs together, such as the queries of a document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgpath.errors import BadOption


def fold_of(groups: Sequence[str], number: int = 5, seed: int = 0) -> list[int]:
    """The fold of each item; items of a group are in one fold, and folds are about equally large.

    Which groups fall together depends on their names and the seed, not on the order of the items.
    """
    sizes: dict[str, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    if not 2 <= number <= len(sizes):
        raise BadOption(
            f"{number} folds of {len(sizes)} documents cannot be made; take 2 to {len(sizes)}."
            if len(sizes) > 1
            else "Cross-validation needs queries over at least two documents."
        )
    names = sorted(sizes)
    shuffled = [names[at] for at in np.random.default_rng(seed).permutation(len(names))]
    filled = [0] * number
    fold: dict[str, int] = {}
    for name in sorted(shuffled, key=lambda name: -sizes[name]):  # large ones first; stable
        fold[name] = filled.index(min(filled))
        filled[fold[name]] += sizes[name]
    return [fold[group] for group in groups]
