"""The figures of several runs over the same queries as one table, with what is sure about them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from kgpath.learning.judge import Run
from kgpath.metrics import bootstrap, compare


def as_json(runs: Sequence[Run], seed: int = 0) -> dict[str, Any]:
    """Means, 95 % intervals and the paired difference of every ranker to the best, as plain data.

    The best is the one with the best mean of the first metric. Intervals and p draw whole
    documents, since the queries of a document depend on each other.
    """
    first = runs[0].paths
    metric = next(iter(first.values))
    means = [run.paths.means()[str(metric)] for run in runs]
    best = means.index(max(means) if metric.higher_is_better else min(means))
    return {
        "queries": len(first),
        "documents": len(set(first.groups)),
        "candidates": fmean(first.candidates),
        "single": sum(count == 1 for count in first.candidates),
        "rankers": [
            {
                "ranker": run.ranker,
                "all": run.paths.means(),
                "with_choice": run.paths.to_json()["with_choice"]["means"],
                "entities": run.entities.means(),
                "interval": {
                    str(name): bootstrap(values, run.paths.groups, seed=seed)[1:]
                    for name, values in run.paths.values.items()
                },
                "verdicts": _verdicts(run),
                "difference": None if at == best else _difference(run, runs[best], metric, seed),
            }
            for at, run in enumerate(runs)
        ],
    }


def _difference(run: Run, best: Run, metric: Any, seed: int) -> dict[str, Any]:
    compared = compare(run.paths, best.paths, metric, by_group=True, seed=seed)
    return {
        "to": best.ranker,
        "metric": str(metric),
        **compared.difference._asdict(),
        "p": compared.p,
    }


def _verdicts(run: Run) -> dict[str, dict[str, float]]:
    """For each verdict on the first path: how many queries, and how often it was the true one."""
    metric = next((m for m in run.paths.values if str(m) == "Hits@1"), None)
    hits = run.paths.values[metric] if metric else ()
    counted: dict[str, dict[str, float]] = {}
    for verdict in sorted(set(run.verdicts)):
        places = [at for at, own in enumerate(run.verdicts) if own == verdict]
        counted[verdict] = {"queries": len(places)}
        if hits:
            counted[verdict]["Hits@1"] = fmean(hits[at] for at in places)
    return counted
