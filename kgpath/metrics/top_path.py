"""How far is the first path from the truth? What NGEO and PED have in common."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from kgpath.errors import BadOption
from kgpath.metrics.judged_ranking import JudgedRanking, whole_path
from kgpath.types import Path


def first_and_true(query: JudgedRanking) -> tuple[list[Path], tuple[Path, ...]]:
    """The paths that share the best score, and the true ones."""
    if query.scores and not (len(query.paths) and query.truths):
        raise BadOption(
            f"Query {query.query} has scores only; this metric compares the paths themselves. "
            "Give JudgedRanking its 'paths' and 'truths', or make it with judge()."
        )
    return [query.paths[place] for place in query.top()], query.truths


def distance_of_first(query: JudgedRanking, distance: Callable[[Path, Path], float]) -> float:
    """Distance (0 to 1) of the first path to the closest true one.

    The same path has distance 0. If several paths share the best score, the mean over them;
    without candidates 1, the worst.
    """
    first, truths = first_and_true(query)
    if not first:
        return 1.0
    keys = set(map(whole_path, truths))
    return fmean(
        0.0 if whole_path(path) in keys else min(distance(path, truth) for truth in truths)
        for path in first
    )
