"""Train a ranker on queries with known answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.io.progress import Progress, reporting, silent
from kgpath.io.queries import Query, read_queries
from kgpath.learning.examples import ExamplesOverGraphs, QuerySet
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
    also: Sequence[tuple[Graph, str | Path | Sequence[Query]]] = (),
    progress: Progress = silent,
) -> Trained:
    """Train a ranker on queries with known answers, and write it to a folder.

    ``queries`` is a file of JSON lines, or what was read from one. ``context_encoder``,
    ``path_encoder``, ``vectors`` and ``seed`` go to rankers that have these options; others are
    part of the name: ``ranker="kgpath-ltr(rounds=1)"``. ``limit`` is how many paths of at most
    ``max_hops`` are candidates for a query; with ``candidates="given"`` they come from the file.
    ``also`` are further graphs with queries of their own: one model learns from all of them.
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
    asked = [(graph, queries), *also]
    _check_graphs(made, [one for one, _ in asked])
    options = PathOptions(max_hops=max_hops)
    query_sets: list[QuerySet] = []
    notes: list[str] = []
    for one, some in asked:
        known, problems = read_queries(some)
        query_set = QuerySet(one, known, options=options, limit=limit, candidates=candidates)
        query_sets.append(query_set)
        notes += [*problems, *query_set.notes]
    examples = ExamplesOverGraphs(
        [one.examples(progress=progress, untold=made.learns_from_untold) for one in query_sets]
    )
    start = time.monotonic()
    with reporting(progress):
        made.fit(examples)
    seconds = time.monotonic() - start
    report = made.report()
    about = {
        "queries": sum(map(len, query_sets)),
        "examples": examples.count,
        "max_hops": max_hops,
        "limit": limit,
        "candidates": candidates,
        "seconds": round(seconds, 1),
        "report": report,
    }
    others = [one for one, _ in also]
    path = save_model(output, made, choice, graph, about, also=others)
    return Trained(path, ranker, sum(map(len, query_sets)), examples.count, seconds, notes, report)


def _check_graphs(ranker: TrainableRanker, graphs: Sequence[Graph]) -> None:
    """Say what is missing, before the work."""
    of_one = len(graphs) > 1 and not ranker.learns_from_graphs
    needs = [] if of_one else [ranker.check_requirements(graph) for graph in graphs]
    if of_one or (len(graphs) > 1 and any(needs)):
        raise BadOption(
            "This ranker learns from one graph alone: its encoders are fitted to the entities of "
            "that graph. kgpath-ltr, kgpath-general and score-ltr learn from several."
        )


def _choice(name: str, ranker: TrainableRanker) -> str:
    """The name of a ranker with all options it has."""
    options = {key: value for key, value in ranker.options().items() if value != ""}
    said = ", ".join(f"{key}={value}" for key, value in options.items())
    return f"{name.partition('(')[0].strip()}({said})" if said else name
