"""How good are rankers on queries with known answers? End to end, from names to ranks."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.io.evidence import MarkedText, read_evidence
from kgpath.io.progress import Progress, note, reporting, silent
from kgpath.io.queries import Query, read_queries, read_untold
from kgpath.learning.evidence import EvidenceSet
from kgpath.learning.examples import QuerySet
from kgpath.learning.judge import Judge, Run
from kgpath.learning.models import load_model, path_encoder_of
from kgpath.metrics import PED, Metric, OntologyPaths, Tools, parse
from kgpath.metrics.folds import fold_of
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.finder import PathOptions
from kgpath.plugins import DEFAULT_RANKER, RANKERS
from kgpath.rankers.ranker import Ranker, TrainableRanker
from kgpath.storage.same_relations import SameRelations

METRICS = ("MRR", "Hits@1", "Hits@3", "Hits@5", "NGEO(Ent)", "NGEO(Rel)", "Recall")


class Evaluator:
    """Puts queries to rankers. ``notes`` says which queries could not count in full, and why.

    Queries without true paths, in the same file or given as ``untold``, are there for the verdicts
    alone. ``evidence`` are texts with marked sentences; ``left_out`` says which could not be used.
    """

    def __init__(
        self,
        graph: Graph,
        queries: Sequence[Query],
        *,
        options: PathOptions | None = None,
        limit: int = DEFAULT_LIMIT,
        metrics: Iterable[str | Metric] = METRICS,
        candidates: str = "found",
        path_encoder: Any = None,
        vectors: str = "",
        base: str = "",
        untold: Sequence[Query] = (),
        evidence: Sequence[MarkedText] = (),
        same_relations: bool = False,
    ) -> None:
        """``path_encoder`` is for PED: a name, a fitted object, or the folder of a model.

        ``vectors`` and ``base`` are for a model that was trained with them. With
        ``same_relations``, there are figures beside the exact ones for which relations that mean
        the same count as one.
        """
        self.query_set = QuerySet(
            graph, [*queries, *untold], options=options, limit=limit, candidates=candidates
        )
        self.notes = self.query_set.notes
        self.evidence = EvidenceSet(graph, evidence)
        self.left_out = [*self.query_set.left_out, *self.evidence.notes]
        self.metrics = tuple(map(parse, metrics))
        encoder = None
        if any(isinstance(metric, PED) for metric in self.metrics):
            found = path_encoder_of(path_encoder, graph, vectors=vectors, base=base)
            encoder = found.of_paths(graph)
        self.tools = Tools(OntologyPaths.from_graph(graph), encoder)
        self._groups = graph.derived(SameRelations).groups if same_relations else None

    def run(
        self,
        rankers: Mapping[str, Ranker],
        trained: Mapping[str, Ranker] | None = None,
        *,
        folds: int = 5,
        seed: int = 0,
        progress: Progress = silent,
    ) -> list[Run]:
        """Judge every ranker on every query; those that learn by cross-validation over documents.

        ``trained`` rankers are judged as they are, without folds.
        """
        trained = trained or {}
        untrained = {
            name: ranker
            for name, ranker in rankers.items()
            if isinstance(ranker, TrainableRanker) and name not in trained and not ranker.ready
        }
        rankers = {**rankers, **trained}
        fold: dict[str, int] = {}
        fitted: dict[tuple[str, int], TrainableRanker] = {}
        if untrained:
            for trainable in untrained.values():  # says what is missing, before the work
                trainable.check_requirements(self.query_set.graph)
            fold = self._folds(folds, seed)
            fitted = dict(self._fitted(untrained, fold, folds, progress))
        judges = {name: Judge(name, self.metrics, self.tools, self._groups) for name in rankers}
        for place, query in enumerate(self.query_set):
            progress("ranking", place, len(self.query_set))
            features = self.query_set.features(query)
            for name, ranker in rankers.items():
                learned = fitted.get((name, fold.get(query.group, 0)), ranker)
                judges[name].add(query, learned, features)
        for place in range(len(self.evidence)):
            progress("looking for evidence", place, len(self.evidence))
            features, group = self.evidence.features(place), self.evidence.group(place)
            for name, ranker in rankers.items():
                # A text that no query is about was learned from in no fold.
                learned = fitted.get((name, fold.get(group, 0)), ranker)
                judges[name].add_text(group, self.evidence.judged(place, learned, features))
        return [judge.result() for judge in judges.values()]

    def _folds(self, folds: int, seed: int) -> dict[str, int]:
        """The fold of each document.

        Those with a told question are dealt out first, so that untold ones change no figure of a
        ranker that does not learn from them.
        """
        told = [query.group for query in self.query_set if query.query.told]
        fold = dict(zip(told, fold_of(told, folds, seed), strict=True))
        others = sorted({query.group for query in self.query_set} - fold.keys())
        return fold | {group: at % folds for at, group in enumerate(others)}

    def _fitted(
        self,
        rankers: Mapping[str, TrainableRanker],
        fold: Mapping[str, int],
        folds: int,
        progress: Progress,
    ) -> Iterator[tuple[tuple[str, int], TrainableRanker]]:
        """Each ranker fitted for each fold, on the queries of all others."""
        for name, ranker in rankers.items():
            for number in range(folds):
                progress(f"fitting {name}", number, folds)
                fresh = copy.deepcopy(ranker)
                others = [
                    place
                    for place, query in enumerate(self.query_set)
                    if fold[query.group] != number
                ]
                with reporting(progress):
                    fresh.fit(self.query_set.examples(others, untold=fresh.learns_from_untold))
                yield (name, number), fresh


def evaluate(
    graph: Graph,
    queries: str | Path | Sequence[Query],
    rankers: Iterable[str | Ranker] = (DEFAULT_RANKER,),
    *,
    models: Iterable[str | Path] = (),
    metrics: Iterable[str | Metric] = METRICS,
    path_encoder: Any = None,
    vectors: str | None = None,
    base: str | None = None,
    max_hops: int = 4,
    limit: int = DEFAULT_LIMIT,
    candidates: str = "found",
    folds: int = 5,
    seed: int = 0,
    untold: str | Path | Sequence[Query] = (),
    evidence: str | Path | Sequence[MarkedText] = (),
    same_relations: bool = False,
    progress: Progress = silent,
) -> list[Run]:
    """How good rankers are on queries with known answers, end to end; every query counts.

    ``queries`` is a file of JSON lines, or what was read from one. ``rankers`` are names or
    objects; those that have to learn do so in ``folds`` over documents. ``models`` are folders of
    trained ones. ``path_encoder`` is for the metric PED, ``vectors`` for rankers that have this
    option; it and ``base`` also for models that were trained with them. ``untold`` are pairs whose
    text tells no path: they show how often a verdict is wrongly *relevant*. ``evidence`` are texts
    with the sentences that say their facts. With ``same_relations``, a run has figures beside the
    exact ones (``run.same``) for which relations that mean the same count as one. What could not
    count in full is said on stderr.

    >>> (run,) = kgpath.evaluate(kg, "dev.jsonl.gz", ["zero-shot"])  # doctest: +SKIP
    >>> run.paths.means()["MRR"]  # doctest: +SKIP
    0.8131
    """
    known, problems = read_queries(queries)
    unknown, also_wrong = read_untold(untold)
    marked, wrongly_marked = read_evidence(evidence)
    evaluator = Evaluator(
        graph, known, options=PathOptions(max_hops=max_hops), limit=limit, metrics=metrics,
        candidates=candidates, path_encoder=path_encoder, vectors=vectors or "", base=base or "",
        untold=unknown, evidence=marked, same_relations=same_relations,
    )  # fmt: skip
    made = make_rankers(rankers, vectors=vectors or "")
    trained = {
        str(folder): load_model(folder, graph, vectors=vectors or "", base=base or "")
        for folder in models
    }
    runs = evaluator.run(made, trained, folds=folds, seed=seed, progress=progress)
    wrong = (*problems, *also_wrong, *wrongly_marked)
    if evaluator.evidence.left_out.total():
        wrong = (*wrong, str(evaluator.evidence))
    for line in (*wrong, *evaluator.notes, *evaluator.left_out):
        note(line)
    return runs


def make_rankers(names: Iterable[str | Ranker], **options: Any) -> dict[str, Ranker]:
    """Rankers by what they are called in a table; ``options`` go to those that have them."""
    made: dict[str, Ranker] = {}
    for name in names:
        called = name if isinstance(name, str) else type(name).__name__
        if called in made:
            raise BadOption(f"The ranker {called} is named twice.")
        made[called] = RANKERS.make(name, **options)
    return made
