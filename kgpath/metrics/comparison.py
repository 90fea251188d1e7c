"""Is one run better than another, or was it luck? Bootstrap intervals and a randomisation test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.metrics.evaluation import Evaluation
from kgpath.metrics.metric import Metric, parse

#: With so many units or fewer, all assignments of signs are tried instead of a sample.
EXACT = 16
_BLOCK = 1 << 20

Numbers = NDArray[np.float64]


class Interval(NamedTuple):
    """A mean and the bounds between which it lies with the confidence asked for."""

    mean: float
    low: float
    high: float

    @property
    def clear_of_zero(self) -> bool:
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Comparison:
    """Two runs by one metric: their means, the paired difference first - second, and its p."""

    metric: Metric
    first: float
    second: float
    difference: Interval
    p: float

    @property
    def winner(self) -> str:
        """``first`` or ``second``; empty if the interval of the difference holds zero."""
        if not self.difference.clear_of_zero:
            return ""
        higher = "first" if self.difference.mean > 0 else "second"
        lower = "second" if higher == "first" else "first"
        return higher if self.metric.higher_is_better else lower


def compare(
    first: Evaluation,
    second: Evaluation,
    metric: str | Metric,
    *,
    by_group: bool = False,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Compare two runs over the same queries; ``by_group`` keeps those of a document together.

    ``resamples`` and ``level`` concern the interval of the difference, see :func:`bootstrap`; p is
    that of :func:`randomisation_test`.
    """
    if first.queries != second.queries:
        raise BadOption(
            f"The two runs have different queries ({len(first)} and {len(second)}), or in another "
            "order. Only runs over the same queries can be compared."
        )
    metric = parse(metric)
    one, other = np.array(first[metric]), np.array(second[metric])
    # A query may have no figure in one of the runs, if its metric is one that not all have.
    both = ~np.isnan(one - other)
    one, other = one[both], other[both]
    named = [name for name, kept in zip(first.groups, both, strict=True) if kept]
    groups = named if by_group else None
    difference = bootstrap(one - other, groups, resamples=resamples, level=level, seed=seed)
    p = randomisation_test(one - other, groups, seed=seed)
    return Comparison(metric, float(one.mean()), float(other.mean()), difference, p)


def bootstrap(
    values: Sequence[float] | Numbers,
    groups: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The mean of per-query values (or of paired differences), with its percentile interval.

    With ``groups``, whole groups are drawn: use it where the queries of a document, or the turns
    of a dialogue, depend on each other. A query of the group ``""`` stands alone.
    """
    numbers = np.asarray(values, dtype=np.float64)
    return bootstrap_ratio(
        numbers, np.ones(len(numbers)), groups, resamples=resamples, level=level, seed=seed
    )


def bootstrap_ratio(
    parts: Sequence[float] | Numbers,
    wholes: Sequence[float] | Numbers,
    groups: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The sum of parts by the sum of their wholes, as for a micro average, with its interval.

    Groups are as for :func:`bootstrap`. A draw without any whole does not count.
    """
    check_resampling(resamples, level)
    sums, sizes = _units(parts, groups), _units(wholes, groups)
    if not sizes.sum():
        raise BadOption("There is nothing to divide by, so there is no share.")
    rng = np.random.default_rng(seed)
    means = np.empty(resamples)
    for start, end in _blocks(resamples, len(sums)):
        drawn = rng.integers(len(sums), size=(end - start, len(sums)))
        totals = sizes[drawn].sum(axis=1)
        means[start:end] = np.where(
            totals > 0, sums[drawn].sum(axis=1) / np.where(totals > 0, totals, 1), np.nan
        )
    tail = (1 - level) / 2
    low, high = np.nanquantile(means, [tail, 1 - tail])
    return Interval(float(sums.sum() / sizes.sum()), float(low), float(high))


def randomisation_test(
    differences: Sequence[float] | Numbers,
    groups: Sequence[str] | None = None,
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> float:
    """The two-sided p of paired differences: how often random signs give as large a sum.

    Exact if at most 16 queries (or groups) differ, else from so many ``resamples``.
    """
    check_resampling(resamples)
    sums = _units(differences, groups)
    sums = sums[sums != 0]
    # Sums that are equal but for rounding count as equal.
    observed = abs(sums.sum()) - 1e-12 * np.abs(sums).sum()
    if len(sums) <= EXACT:
        totals = np.zeros(1)
        for value in sums:
            totals = np.concatenate([totals + value, totals - value])
        return float((np.abs(totals) >= observed).mean())
    rng = np.random.default_rng(seed)
    as_large = 1  # what was observed is one of the assignments
    for start, end in _blocks(resamples, len(sums)):
        signs = rng.integers(2, size=(end - start, len(sums))) * 2 - 1
        as_large += int((np.abs(signs @ sums) >= observed).sum())
    return as_large / (resamples + 1)


def unit_of(groups: Sequence[str]) -> list[int]:
    """Which values are drawn as one, by number: those of a group; one of ``""`` stands alone."""
    numbers: dict[str | int, int] = {}
    return [numbers.setdefault(name or at, len(numbers)) for at, name in enumerate(groups)]


def _units(values: Sequence[float] | Numbers, groups: Sequence[str] | None) -> Numbers:
    """The sum of the values of each unit that is drawn as one."""
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers):
        raise BadOption("There are no queries, so there is nothing to compare.")
    if groups is None:
        return numbers
    if len(groups) != len(numbers):
        raise BadOption(f"{len(numbers)} values, but {len(groups)} groups.")
    return np.bincount(unit_of(groups), weights=numbers).astype(np.float64)


def _blocks(rows: int, width: int) -> Iterator[tuple[int, int]]:
    """Rows in blocks that fit into memory."""
    step = max(1, _BLOCK // max(width, 1))
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def check_resampling(resamples: int, level: float = 0.95) -> None:
    """Refuse what cannot be drawn."""
    if resamples < 1:
        raise BadOption(f"resamples is {resamples}; it can be 1 or more.")
    if not 0 < level < 1:
        raise BadOption(f"level is {level}; it lies between 0 and 1, such as 0.95.")
