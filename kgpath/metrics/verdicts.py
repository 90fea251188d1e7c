"""Are verdicts right? Questions whose text tells a path against questions whose text tells none."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, nan
from typing import NamedTuple

from kgpath.metrics.auc import auc_interval
from kgpath.metrics.calibration import BINS, Bin, expected_calibration_error, reliability
from kgpath.metrics.comparison import Interval

#: The share of told questions that a threshold is to keep.
KEPT = 0.9


class JudgedVerdict(NamedTuple):
    """What was made of the best path of a question, and what is known of the question.

    ``support`` is the probability of the best path, 0 where there is none; ``told`` says whether
    the text tells a path at all, ``right`` whether the best one is true. ``group`` is as for
    judged rankings.
    """

    support: float
    verdict: str
    told: bool
    right: bool = False
    group: str = ""


class VerdictFigures(NamedTuple):
    """How well the support of the best path tells told questions from untold ones.

    Shares are of all told, or all untold, questions with that verdict. ``threshold`` keeps 90 %
    of the told ones, ``untold_kept`` is the share of untold ones it lets through. Without
    questions of a kind, figures that need them are not numbers.
    """

    told: int
    untold: int
    auc: Interval
    calibration_error: float
    told_relevant: float
    untold_relevant: float
    untold_doubtful: float
    threshold: float
    untold_kept: float


def figures_of(verdicts: Sequence[JudgedVerdict], seed: int = 0) -> VerdictFigures:
    """All figures of a ranker's verdicts.

    The calibration error needs no untold questions: right is a best path that is a true one, which
    also fails on told questions. With untold ones it says more, as these fill the lower bins.
    """
    told = [one for one in verdicts if one.told]
    untold = [one for one in verdicts if not one.told]
    ordered = [*told, *untold]
    support = [one.support for one in ordered]
    threshold = threshold_keeping([one.support for one in told])
    return VerdictFigures(
        len(told),
        len(untold),
        auc_interval(
            support, [one.told for one in ordered], [one.group for one in ordered], seed=seed
        ),
        expected_calibration_error(support, [one.right for one in ordered]),
        share_called("relevant", told),
        share_called("relevant", untold),
        share_called("doubtful", untold),
        threshold,
        share_from(threshold, [one.support for one in untold]),
    )


def reliability_of(verdicts: Sequence[JudgedVerdict], bins: int = BINS) -> tuple[Bin, ...]:
    """The bins of a reliability diagram: the support of best paths, and how many are true."""
    return reliability([one.support for one in verdicts], [one.right for one in verdicts], bins)


def share_called(verdict: str, among: Sequence[JudgedVerdict]) -> float:
    """The share of questions with a verdict; not a number without any."""
    return sum(one.verdict == verdict for one in among) / len(among) if among else nan


def threshold_keeping(numbers: Sequence[float], kept: float = KEPT) -> float:
    """The highest threshold that at least a share of ``kept`` numbers reach.

    >>> threshold_keeping([0.1, 0.5, 0.6, 0.9], kept=0.75)
    0.5
    """
    if not numbers:
        return nan
    # 0.7 * 10 is a little more than 7, so that rounding up alone would ask for eight of ten.
    needed = max(ceil(kept * len(numbers) - 1e-9), 1)
    return sorted(numbers, reverse=True)[needed - 1]


def share_from(threshold: float, numbers: Sequence[float]) -> float:
    """The share of numbers at a threshold or above; not a number where either is missing."""
    if not numbers or threshold != threshold:
        return nan
    return sum(number >= threshold for number in numbers) / len(numbers)
