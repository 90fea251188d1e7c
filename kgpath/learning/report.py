"""The figures of several runs over the same queries as one table, with what is sure about them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from statistics import fmean
from typing import Any

from kgpath.errors import BadOption
from kgpath.learning.judge import Run
from kgpath.metrics import Metric, bootstrap, compare
from kgpath.metrics.verdicts import figures_of


def as_json(runs: Sequence[Run], seed: int = 0) -> dict[str, Any]:
    """Means, 95 % intervals and the paired difference of every ranker to the best, as plain data.

    The best is the one with the best mean of the first metric. Intervals and p draw whole
    documents, since the queries of a document depend on each other. A figure that nothing is
    known for is None: without told questions, that is all of a ranking.
    """
    first = runs[0].paths
    metric = next(iter(first.values))
    means = [run.paths.means()[str(metric)] for run in runs]
    known = [mean for mean in means if not isnan(mean)]
    best = means.index(max(known) if metric.higher_is_better else min(known)) if known else None
    return {
        "queries": len(first),
        "untold": len(runs[0].best) - len(first),
        "documents": len(set(first.groups)),
        "candidates": fmean(first.candidates) if len(first) else None,
        "single": sum(count == 1 for count in first.candidates),
        "rankers": [
            {
                "ranker": run.ranker,
                "all": run.paths.to_json()["means"],
                "with_choice": run.paths.to_json()["with_choice"]["means"],
                **{called: each.to_json()["means"] for called, each in run.merged.items()},
                "interval": {str(name): _interval(run, name, seed) for name in run.paths.values},
                "verdicts": _verdicts(run),
                "support": _support(run, seed),
                "difference": None
                if best is None or at == best
                else _difference(run, runs[best], metric, seed),
                **({"evidence": run.evidence.to_json(seed)} if run.evidence else {}),
            }
            for at, run in enumerate(runs)
        ],
    }


def _interval(run: Run, metric: Metric, seed: int) -> list[float] | None:
    values, groups = run.paths.figures(metric)
    return list(bootstrap(values, groups, seed=seed)[1:]) if values else None


def _difference(run: Run, best: Run, metric: Metric, seed: int) -> dict[str, Any] | None:
    try:
        compared = compare(run.paths, best.paths, metric, by_group=True, seed=seed)
    except BadOption:  # not every query has every metric: the two may share none
        return None
    return {
        "to": best.ranker,
        "metric": str(metric),
        **compared.difference._asdict(),
        "p": compared.p,
    }


def _support(run: Run, seed: int) -> dict[str, Any]:
    """Whether the support of the first paths can be believed."""
    found = figures_of([best.judged for best in run.best], seed)
    figures = {
        "AUC": found.auc.mean,
        "calibration_error": found.calibration_error,
        "told_relevant": found.told_relevant,
        "untold_relevant": found.untold_relevant,
        "untold_doubtful": found.untold_doubtful,
        "threshold": found.threshold,
        "untold_kept": found.untold_kept,
    }
    known = {name: None if isnan(value) else value for name, value in figures.items()}
    interval = None if isnan(found.auc.mean) else list(found.auc[1:])
    return {**known, "AUC_interval": interval}


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
