"""Train a ranker on queries with known answers, on texts without any, or on both."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.io.progress import Progress, reporting, silent
from kgpath.io.queries import Query, read_queries
from kgpath.io.texts import GivenText
from kgpath.learning.examples import ExamplesOverGraphs, QuerySet
from kgpath.learning.model_folder import read_about
from kgpath.learning.models import check_place, load_model, save_model
from kgpath.learning.stored_choice import to_store
from kgpath.learning.text_training import TextTraining, read_texts
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.finder import PathOptions
from kgpath.plugins import DEFAULT_RANKER, RANKERS
from kgpath.rankers.ranker import Ranker, TrainableRanker

#: What learns from queries with known answers, where nothing else is said.
FROM_QUERIES = "kgpath-ltr"


class Trained(NamedTuple):
    """Where a model is, and what it learned from.

    ``answered`` are the questions of texts, with the answers that were learned from.
    """

    path: Path
    ranker: str
    queries: int
    examples: int
    seconds: float
    notes: list[str]
    report: dict[str, Any]
    answered: tuple[Query, ...] = ()

    def rows(self) -> Iterator[dict[str, Any]]:
        """A plain record for each answered question, as in a file of queries."""
        for query in self.answered:
            ends = {"head": query.head, "tail": query.tail}
            yield {"id": query.id, "document": query.document, **ends, "path": [*query.paths[0]]}


def train(
    graph: Graph,
    queries: str | Path | Sequence[Query] | None,
    output: str | Path,
    *,
    ranker: str | None = None,
    texts: str | Path | Sequence[GivenText] | None = None,
    teacher: str | Ranker = "",
    start: str | Path | None = None,
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
    """Train a ranker on queries with known answers or on texts, and write it to a folder.

    ``queries`` is a file of JSON lines, or what was read from one. ``texts`` have no answers: a
    folder, a file of JSON lines, or what was read from one; a ``teacher``, mostly the ranker
    itself, answers them first. Without a ``ranker``, ``kgpath-ltr`` learns from queries, and
    ``kgpath-general`` from texts alone. ``start`` is the folder of a model to go on from.

    ``context_encoder``, ``path_encoder``, ``vectors`` and ``seed`` go to rankers that have these
    options; others are part of the name: ``ranker="kgpath-ltr(rounds=1)"``. ``limit`` is how many
    paths of at most ``max_hops`` are candidates for a query; with ``candidates="given"`` they come
    from the file. ``also`` are further graphs with queries of their own: one model learns from all.
    """
    _check_sources(queries, texts, teacher, candidates, also)
    if start is None:
        named = ranker or (DEFAULT_RANKER if queries is None else FROM_QUERIES)
        given = {
            "context_encoder": context_encoder, "path_encoder": path_encoder, "vectors": vectors,
        }  # fmt: skip
        made = _new(named, seed=seed, **given)
    elif ranker is not None:
        raise BadOption("A model to go on from is a ranker already: do not name another.")
    else:
        named, made = _begun(start, graph, vectors)
    to_store(_choice(named, made))  # says what cannot be saved, before the work
    check_place(output)
    graphs = [graph, *(one for one, _ in also)]
    _check_graphs(made, graphs)
    options = PathOptions(max_hops=max_hops)
    query_sets: list[QuerySet] = []
    notes: list[str] = []
    asked = [() if queries is None else queries, *(some for _, some in also)]
    for one, some in zip(graphs, asked, strict=True):
        known, problems = read_queries(some)
        query_set = QuerySet(one, known, options=options, limit=limit, candidates=candidates)
        query_sets.append(query_set)
        notes += [*problems, *query_set.notes]
    begin = time.monotonic()
    answered: tuple[Query, ...] = ()
    with reporting(progress):
        if texts is None:
            examples = ExamplesOverGraphs(
                [one.examples(progress=progress, untold=made.learns_from_untold)
                 for one in query_sets]
            )  # fmt: skip
            (made.fit if start is None else made.go_on)(examples)
            count, report = examples.count, made.report()
        else:
            read, problems = read_texts(texts)
            taught = TextTraining(graph, read, query_sets[0], teacher, options, limit, seed)
            answered = tuple(taught.teach(made, goes_on=start is not None))
            notes += [*problems, *taught.found.notes]
            count, report = taught.examples, {**made.report(), "texts": taught.report()}
    seconds = time.monotonic() - begin
    about = {
        "queries": sum(map(len, query_sets)),
        "examples": count,
        "max_hops": max_hops,
        "limit": limit,
        "candidates": candidates,
        "seconds": round(seconds, 1),
        "report": report,
    }
    choice = to_store(_choice(named, made))  # a ranker that went on has more trees
    path = save_model(output, made, choice, graph, about, also=graphs[1:])
    number = sum(map(len, query_sets))
    called = named if start is None else choice
    return Trained(path, called, number, count, seconds, notes, report, answered)


def _new(name: str, **options: Any) -> TrainableRanker:
    """A ranker that has learned nothing yet."""
    made = RANKERS.make(name, **{key: value for key, value in options.items() if value is not None})
    if not isinstance(made, TrainableRanker):
        raise BadOption(f"{name} has nothing to learn: use it as it is, as the ranker of a query.")
    return made


def _begun(folder: str | Path, graph: Graph, vectors: str | None) -> tuple[str, TrainableRanker]:
    """What a model is called, and the model to go on from."""
    made = load_model(folder, graph, vectors=vectors or "")
    assert isinstance(made, TrainableRanker)  # nothing else can be saved
    if not made.goes_on:
        made.go_on(())  # says that it cannot
    return str(read_about(folder)["ranker"]), made


def _check_sources(
    queries: object, texts: object, teacher: object, candidates: str, also: Sequence[object]
) -> None:
    """Refuse what does not go together, before the work."""
    if queries is None and texts is None:
        raise BadOption("There is nothing to learn from: give queries with answers, or texts.")
    if texts is None and teacher:
        raise BadOption("A teacher answers texts: give texts, too.")
    if queries is None and also:
        raise BadOption("Further graphs have queries: give queries of the first one, too.")
    if texts is not None and also:
        raise BadOption("Texts are learned from over one graph: leave out the further ones.")
    if texts is not None and candidates == "given":
        raise BadOption("Texts bring no candidates along: they are found in the graph.")


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
