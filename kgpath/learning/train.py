"""Train a ranker on queries with known answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.io.progress import Progress, silent
from kgpath.io.queries import Query
from kgpath.learning.examples import QuerySet
from kgpath.learning.models import check_place, save_model
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.finder import PathOptions
from kgpath.plugins import RANKERS
from kgpath.rankers.ranker import TrainableRanker


class Trained(NamedTuple):
    """Where a model is, and what it learned from."""

    path: Path
    ranker: str
    queries: int
    examples: int
    seconds: float
    notes: list[str]
    report: dict[str, Any]


def train(
    graph: Graph,
    queries: Sequence[Query],
    output: str | Path,
    *,
    ranker: str = "kgpath-ltr",
    options: PathOptions | None = None,
    limit: int = DEFAULT_LIMIT,
    candidates: str = "found",
    progress: Progress = silent,
    **parts: Any,
) -> Trained:
    """Fit a ranker by name and write it to a folder; ``parts`` go to rankers that have them."""
    made = RANKERS.make(ranker, **parts)
    if not isinstance(made, TrainableRanker):
        raise BadOption(f"{ranker} has nothing to learn: use it as it is, with --ranker {ranker}.")
    check_place(output)
    made.check_requirements(graph)  # says what is missing, before the work
    query_set = QuerySet(graph, queries, options=options, limit=limit, candidates=candidates)
    examples = query_set.examples(progress=progress)
    start = time.monotonic()
    made.fit(examples)
    seconds = time.monotonic() - start
    report = made.report()
    about = {
        "queries": len(queries),
        "examples": examples.count,
        "max_hops": query_set.options.max_hops,
        "limit": limit,
        "candidates": candidates,
        "seconds": round(seconds, 1),
        "report": report,
    }
    path = save_model(output, made, _choice(ranker, made), graph, about)
    return Trained(path, ranker, len(queries), examples.count, seconds, query_set.notes, report)


def _choice(name: str, ranker: TrainableRanker) -> str:
    """The name of a ranker with all options it has."""
    options = {key: value for key, value in ranker.options().items() if value != ""}
    said = ", ".join(f"{key}={value}" for key, value in options.items())
    return f"{name.partition('(')[0].strip()}({said})" if said else name
