"""The judge: a ranker's scores for a query, held against the paths that are known to be true.

A true path that is not among the candidates counts as missed. A hit is the exact true path; since
parallel relations often join the same entities, the sequence of entities is judged beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.answer import probabilities, verdict_of
from kgpath.features.path_features import PathFeatures
from kgpath.learning.examples import matching_rows, true_places
from kgpath.learning.resolve import ResolvedQuery
from kgpath.metrics import Evaluation, JudgedRanking, Metric, RunningEvaluation, Tools, parse
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.ranker import Ranker

#: What is judged for the sequence of entities, whatever the relations.
ENTITY_METRICS = ("MRR", "Hits@1")

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """One ranker over all queries: the true paths, and their entity sequences, judged."""

    ranker: str
    paths: Evaluation
    entities: Evaluation
    verdicts: tuple[str, ...]
    first: tuple[str, ...]

    def rows(self) -> Iterator[dict[str, Any]]:
        """One plain record for each query, as for JSON lines."""
        for row, entities, verdict, first in zip(
            self.paths.rows(), self.entities.rows(), self.verdicts, self.first, strict=True
        ):
            names = map(str, self.entities.values)
            judged = {f"entities {name}": entities[name] for name in names}
            yield {"ranker": self.ranker, **row, **judged, "verdict": verdict, "first": first}


class Judge:
    """Collects the figures of one ranker, query by query; keeps no paths."""

    def __init__(self, ranker: str, metrics: tuple[Metric, ...], tools: Tools) -> None:
        self._ranker = ranker
        self._paths = RunningEvaluation(metrics, tools)
        self._entities = RunningEvaluation(tuple(map(parse, ENTITY_METRICS)), tools)
        self._verdicts: list[str] = []
        self._first: list[str] = []

    def add(self, query: ResolvedQuery, ranker: Ranker, features: PathFeatures | None) -> None:
        """Rank and judge one query; without features it counts as missed."""
        given = None if features is None else ranker.score(features)
        scores = np.zeros(0) if given is None else given.total
        found = None if features is None else features.candidates
        self._paths.add(judge_paths(query, found, scores))
        self._entities.add(judge_entities(query, found, scores))
        verdict, first = "none", ""
        if features is not None and given is not None and len(scores):
            best = int(scores.argmax())
            (sure,) = probabilities(features, given, np.array([best]))
            verdict, first = verdict_of(float(sure)), str(features.candidates[best])
        self._verdicts.append(verdict)
        self._first.append(first)

    def result(self) -> Run:
        """All figures."""
        return Run(
            self._ranker,
            self._paths.result(),
            self._entities.result(),
            tuple(self._verdicts),
            tuple(self._first),
        )


def judge_paths(query: ResolvedQuery, found: PathArrays | None, scores: Numbers) -> JudgedRanking:
    """The ranking of the candidates, of which the true paths are sought."""
    true = () if found is None else true_places(found, query.truths)
    return JudgedRanking(
        query.query.id,
        tuple(scores.tolist()),
        true,
        len(query.truths) - len(true),
        () if found is None else found,
        tuple(truth.path for truth in query.truths),
        query.group,
    )


def judge_entities(
    query: ResolvedQuery, found: PathArrays | None, scores: Numbers
) -> JudgedRanking:
    """The ranking of the entity sequences, each with the best score of its paths."""
    if found is None:
        return judge_paths(query, found, scores)
    sequences, place = np.unique(found.vertices, axis=0, return_inverse=True)
    best = np.full(len(sequences), -np.inf)
    np.maximum.at(best, place.reshape(-1), scores)
    wanted = {truth.path.nodes: truth.vertices for truth in query.truths}
    right = {
        int(at)
        for vertices in wanted.values()
        for at in place.reshape(-1)[matching_rows(found, vertices)]
    }
    missing = len(wanted) - len(right)
    scored = tuple(best.tolist())
    return JudgedRanking(query.query.id, scored, tuple(right), missing, group=query.group)
