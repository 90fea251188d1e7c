"""The judge: a ranker's scores for a query, held against the paths that are known to be true.

A true path that is not among the candidates counts as missed. A hit is the exact true path; since
parallel relations often join the same entities, the sequence of entities is judged beside it, and
if asked for, the path with relations that mean the same as one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.answer import probabilities, verdict_of
from kgpath.features.path_features import PathFeatures
from kgpath.learning.evidence import EvidenceFigures
from kgpath.learning.examples import matching_rows, true_places
from kgpath.learning.resolve import ResolvedQuery
from kgpath.metrics import (
    Evaluation,
    Evidence,
    JudgedRanking,
    JudgedVerdict,
    Metric,
    Overlap,
    RunningEvaluation,
    Tools,
    parse,
)
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.ranker import Ranker

#: What is judged for the sequence of entities, whatever the relations, and for paths of which
#: relations that mean the same count as one.
ENTITY_METRICS = SAME_METRICS = ("MRR", "Hits@1")

Numbers = NDArray[np.float64]
Groups = NDArray[np.int32]


class BestPath(NamedTuple):
    """What a ranker put first for a question, told or untold."""

    query: str
    candidates: int
    path: str
    judged: JudgedVerdict

    def row(self) -> dict[str, Any]:
        """The same as plain data."""
        judged = self.judged
        return {
            "told": judged.told, "verdict": judged.verdict, "support": judged.support,
            "first": self.path,
        }  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One ranker over all queries: the true paths, and their entity sequences, judged.

    ``best`` has also the untold questions: they have no true path, so that only their verdict can
    be right or wrong. ``evidence`` is there where marked texts were given, ``same`` where relations
    that mean the same were to count as one, too.
    """

    ranker: str
    paths: Evaluation
    entities: Evaluation
    best: tuple[BestPath, ...]
    evidence: EvidenceFigures | None = None
    same: Evaluation | None = None

    @property
    def merged(self) -> dict[str, Evaluation]:
        """The figures of rankings in which several paths count as one, by what they are called."""
        return {"entities": self.entities, **({"same": self.same} if self.same else {})}

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict on the first path of every query with a true one."""
        return tuple(best.judged.verdict for best in self.best if best.judged.told)

    @property
    def first(self) -> tuple[str, ...]:
        """The first path of every query with a true one; empty where there is none."""
        return tuple(best.path for best in self.best if best.judged.told)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One plain record for each query, as for JSON lines."""
        merged = self.merged
        judged = zip(self.paths.rows(), *(each.rows() for each in merged.values()), strict=True)
        for best in self.best:
            row: dict[str, Any] = {"query": best.query, "candidates": best.candidates}
            if best.judged.told:
                row, *others = next(judged)
                for (called, figures), other in zip(merged.items(), others, strict=True):
                    row |= {f"{called} {name}": other[str(name)] for name in figures.values}
            elif best.judged.group:
                row = {"query": best.query, "group": best.judged.group, **row}
            yield {"ranker": self.ranker, **row, **best.row()}


class Judge:
    """Collects the figures of one ranker, query by query; keeps no paths.

    ``groups`` are those of hop codes that are to count as one, beside the exact figures.
    """

    def __init__(
        self, ranker: str, metrics: tuple[Metric, ...], tools: Tools, groups: Groups | None = None
    ) -> None:
        self._ranker = ranker
        self._paths = RunningEvaluation(metrics, tools)
        self._entities = RunningEvaluation(tuple(map(parse, ENTITY_METRICS)), tools)
        self._same = RunningEvaluation(tuple(map(parse, SAME_METRICS)), tools)
        self._groups = groups
        self._with_evidence = any(isinstance(metric, Evidence) for metric in metrics)
        self._best: list[BestPath] = []
        self._texts: list[tuple[str, Overlap]] = []

    def add(self, query: ResolvedQuery, ranker: Ranker, features: PathFeatures | None) -> None:
        """Rank and judge one query; without features it counts as missed."""
        given = None if features is None else ranker.score(features)
        scores = np.zeros(0) if given is None else given.total
        found = None if features is None else features.candidates
        true = () if found is None else true_places(found, query.truths)
        support, first, right, overlap = 0.0, "", False, None
        if features is not None and given is not None and len(scores):
            best = int(scores.argmax())
            support = float(probabilities(features, given, np.array([best]))[0])
            first, right = str(features.candidates[best]), best in true
            if self._with_evidence and query.marked is not None:
                hops = features.facts.along[best]
                shown = ranker.evidence(features)
                overlap = query.marked.overlap(features, shown, hops[hops >= 0].tolist())
        told = query.query.told
        verdict = verdict_of(support)
        judged = JudgedVerdict(support, verdict, told, right, query.group)
        self._best.append(BestPath(query.query.id, len(scores), first, judged))
        if told:
            self._paths.add(replace(judge_paths(query, found, scores), evidence=overlap))
            self._entities.add(judge_entities(query, found, scores))
            if self._groups is not None:
                self._same.add(judge_same(query, found, scores, self._groups))

    def add_text(self, group: str, overlap: Overlap) -> None:
        """Take in what was shown for the facts of a marked text."""
        self._texts.append((group, overlap))

    def result(self) -> Run:
        """All figures."""
        evidence = None
        if self._texts:
            groups, overlaps = zip(*self._texts, strict=True)
            evidence = EvidenceFigures(overlaps, groups)
        return Run(
            self._ranker,
            self._paths.result(),
            self._entities.result(),
            tuple(self._best),
            evidence,
            None if self._groups is None else self._same.result(),
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
    wanted = {truth.path.nodes: matching_rows(found, truth.vertices) for truth in query.truths}
    return _judge_merged(query, found.vertices, scores, wanted)


def judge_same(
    query: ResolvedQuery, found: PathArrays | None, scores: Numbers, groups: Groups
) -> JudgedRanking:
    """The ranking of the paths that are different, each with the best score of those that are not.

    Paths are the same if entities are, and every hop is in the same of the ``groups``.
    """
    if found is None:
        return judge_paths(query, found, scores)
    codes = np.where(found.hop_codes >= 0, groups[found.hop_codes], -1)
    one = replace(found, hop_codes=codes)
    wanted: dict[Hashable, NDArray[np.bool_]] = {}
    for truth in query.truths:
        same = groups[list(truth.hop_codes)].tolist()
        meant = (truth.vertices, tuple(same)) if truth.vertices else truth.path
        wanted[meant] = matching_rows(one, truth.vertices, same)
    return _judge_merged(query, np.hstack([one.vertices, codes]), scores, wanted)


def _judge_merged(
    query: ResolvedQuery,
    rows: NDArray[np.int32],
    scores: Numbers,
    wanted: Mapping[Any, NDArray[np.bool_]],
) -> JudgedRanking:
    """The ranking of the distinct rows; ``wanted`` says which rows are true, for each that is."""
    distinct, place = np.unique(rows, axis=0, return_inverse=True)
    best = np.full(len(distinct), -np.inf)
    np.maximum.at(best, place.reshape(-1), scores)
    right = {int(at) for there in wanted.values() for at in place.reshape(-1)[there]}
    missing = len(wanted) - len(right)
    scored = tuple(best.tolist())
    return JudgedRanking(query.query.id, scored, tuple(right), missing, group=query.group)
