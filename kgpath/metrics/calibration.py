"""Calibration: of what is given a probability of 70 %, are 70 % true?"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, nan
from typing import NamedTuple

import numpy as np

from kgpath.errors import BadOption

BINS = 10


class Bin(NamedTuple):
    """The cases with a probability from ``low`` on and below ``high``; the last bin has 1 too.

    ``probability`` is their mean, ``right`` the share of them that is true; neither is a number
    in an empty bin.
    """

    low: float
    high: float
    cases: int
    probability: float
    right: float


def reliability(
    probabilities: Sequence[float], right: Sequence[bool], bins: int = BINS
) -> tuple[Bin, ...]:
    """Cases in bins of equal width by their probability: a row of a reliability diagram each."""
    if bins < 1:
        raise BadOption(f"bins is {bins}; it can be 1 or more.")
    sure, true = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    if len(sure) != len(true):
        raise BadOption(f"{len(sure)} probabilities, but {len(true)} cases.")
    if len(sure) and not (sure.min() >= 0 and sure.max() <= 1):
        raise BadOption("A probability is not between 0 and 1.")
    edges = np.arange(bins + 1) / bins  # 0.3 itself, which linspace misses
    place = np.minimum(np.searchsorted(edges, sure, side="right") - 1, bins - 1)
    made = []
    for at in range(bins):
        here = place == at
        count = int(here.sum())
        means = (float(sure[here].mean()), float(true[here].mean())) if count else (nan, nan)
        made.append(Bin(float(edges[at]), float(edges[at + 1]), count, *means))
    return tuple(made)


def expected_calibration_error(
    probabilities: Sequence[float], right: Sequence[bool], bins: int = BINS
) -> float:
    """How far probability and truth are apart, mean over cases: 0 is perfect, 1 the worst.

    It compares the two means of each bin of equal width. Not a number without any case.

    >>> expected_calibration_error([0.75, 0.75, 0.75, 0.75], [True, True, True, False])
    0.0
    """
    if not len(probabilities):
        return nan
    filled = [one for one in reliability(probabilities, right, bins) if one.cases]
    error = fsum(one.cases * abs(one.probability - one.right) for one in filled)
    return min(error / len(probabilities), 1.0)
