"""Train a ranker on queries with known answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.io.progress import Progress, silent
from kgpath.io.queries import Query, read_queries
from kgpath.learning.examples import QuerySet
from kgpath.learning.models import check_place, save_model
from kgpath.learning.stored_choice import to_store
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
    queries: str | Path | Sequence[Query],
    output: str | Path,
    *,
    ranker: str = "kgpath-ltr",
    context_encoder: str | None = None,
    path_encoder: str | None = None,
    vectors: str | None = None,
    max_hops: int = 4,
    limit: int = DEFAULT_LIMIT,
    candidates: str = "found",
    seed: int = 0,
    progress: Progress = silent,
) -> Trained:
    """Train a ranker on queries with known answers, and write it to a folder.

    ``queries`` is a file of JSON lines, or what was read from one. ``context_encoder``,
    ``path_encoder``, ``vectors`` and ``seed`` go to rankers that have these options; others are
    part of the name: ``ranker="kgpath-ltr(rounds=1)"``. ``limit`` is how many paths of at most
    ``max_hops`` are candidates for a query; with ``candidates="given"`` they come from the file.
    """
    given = {"context_encoder": context_encoder, "path_encoder": path_encoder, "vectors": vectors}
    parts = {name: value for name, value in given.items() if value is not None}
    made = RANKERS.make(ranker, seed=seed, **parts)
    if not isinstance(made, TrainableRanker):
        raise BadOption(
            f"{ranker} has nothing to learn: use it as it is, as the ranker of a query."
        )
    choice = to_store(_choice(ranker, made))
    check_place(output)
    made.check_requirements(graph)  # says what is missing, before the work
    queries, problems = read_queries(queries)
    options = PathOptions(max_hops=max_hops)
    query_set = QuerySet(graph, queries, options=options, limit=limit, candidates=candidates)
    examples = query_set.examples(progress=progress, untold=made.learns_from_untold)
    start = time.monotonic()
    made.fit(examples)
    seconds = time.monotonic() - start
    report = made.report()
    about = {
        "queries": len(queries),
        "examples": examples.count,
        "max_hops": max_hops,
        "limit": limit,
        "candidates": candidates,
        "seconds": round(seconds, 1),
        "report": report,
    }
    path = save_model(output, made, choice, graph, about)
    notes = [*problems, *query_set.notes]
    return Trained(path, ranker, len(queries), examples.count, seconds, notes, report)


def _choice(name: str, ranker: TrainableRanker) -> str:
    """The name of a ranker with all options it has."""
    options = {key: value for key, value in ranker.options().items() if value != ""}
    said = ", ".join(f"{key}={value}" for key, value in options.items())
    return f"{name.partition('(')[0].strip()}({said})" if said else name
