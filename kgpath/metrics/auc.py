"""AUC: how often does a case of one kind have a higher number than one of the other kind?"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
from numpy.typing import NDArray

from kgpath.metrics.comparison import Interval, check_resampling, unit_of

Numbers = NDArray[np.float64]


def auc(higher: Sequence[float] | Numbers, lower: Sequence[float] | Numbers) -> float:
    """The chance that one of ``higher`` is above one of ``lower``; a tie is half of it.

    Not a number if there are none of a kind.

    >>> auc([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    numbers = np.concatenate([np.asarray(higher, np.float64), np.asarray(lower, np.float64)])
    is_higher = np.arange(len(numbers)) < len(higher)
    return _weighted(*_levels(numbers), is_higher, np.ones(len(numbers)))


def auc_interval(
    numbers: Sequence[float],
    is_higher: Sequence[bool],
    groups: Sequence[str],
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """AUC with its percentile interval; whole groups are drawn, as by ``bootstrap``.

    A draw without a case of one of the kinds has no AUC and does not count.
    """
    check_resampling(resamples, level)
    values, kinds = np.asarray(numbers, np.float64), np.asarray(is_higher, np.bool_)
    place, count = _levels(values)
    units = np.array(unit_of(groups), dtype=np.int64)
    whole = _weighted(place, count, kinds, np.ones(len(values)))
    if np.isnan(whole):
        return Interval(nan, nan, nan)
    rng = np.random.default_rng(seed)
    size = int(units.max()) + 1
    drawn = np.empty(resamples)
    for at in range(resamples):
        times = np.bincount(rng.integers(size, size=size), minlength=size)
        drawn[at] = _weighted(place, count, kinds, times[units].astype(np.float64))
    tail = (1 - level) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return Interval(whole, float(low), float(high))


def _levels(numbers: Numbers) -> tuple[NDArray[np.int64], int]:
    """The place of each number among the different ones, and how many of these there are."""
    different, place = np.unique(numbers, return_inverse=True)
    return place.reshape(-1).astype(np.int64), len(different)


def _weighted(
    place: NDArray[np.int64], count: int, is_higher: NDArray[np.bool_], weights: Numbers
) -> float:
    """AUC where each case counts so many times."""
    higher = np.bincount(place[is_higher], weights[is_higher], minlength=count)
    lower = np.bincount(place[~is_higher], weights[~is_higher], minlength=count)
    pairs = higher.sum() * lower.sum()
    if not pairs:
        return nan
    return float((higher * (np.cumsum(lower) - lower / 2)).sum() / pairs)
