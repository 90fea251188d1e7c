"""The figures of a run: for every query first, means second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isnan, nan
from statistics import fmean
from typing import Any

from kgpath.errors import UnknownName
from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.metric import Metric, PathVectors, Tools, parse
from kgpath.metrics.ontology_paths import OntologyPaths


@dataclass(frozen=True)
class Evaluation:
    """The value of every metric for every query; all tuples are in the order of the queries.

    A value that is not a number is one that the query cannot have; see ``Metric.every_query``.
    """

    queries: tuple[str, ...]
    groups: tuple[str, ...]
    candidates: tuple[int, ...]
    values: dict[Metric, tuple[float, ...]]

    def __len__(self) -> int:
        return len(self.queries)

    def __getitem__(self, metric: str | Metric) -> tuple[float, ...]:
        """The values of one metric, query by query."""
        try:
            return self.values[parse(metric)]
        except KeyError:
            known = ", ".join(map(str, self.values))
            raise UnknownName(f"{metric} was not evaluated; these were: {known}.") from None

    def figures(self, metric: str | Metric) -> tuple[list[float], list[str]]:
        """The values of one metric for the queries that have one, and the groups of these."""
        both = zip(self[metric], self.groups, strict=True)
        there = [(value, group) for value, group in both if not isnan(value)]
        return [value for value, _ in there], [group for _, group in there]

    def means(self) -> dict[str, float]:
        """The mean of every metric over the queries that have it; of none it is not a number."""
        known = {str(metric): self.figures(metric)[0] for metric in self.values}
        return {name: fmean(values) if values else nan for name, values in known.items()}

    def with_choice(self) -> Evaluation:
        """Only the queries with more than one candidate: with one, every ranker is right."""
        kept = [at for at, count in enumerate(self.candidates) if count > 1]
        return Evaluation(
            tuple(self.queries[at] for at in kept),
            tuple(self.groups[at] for at in kept),
            tuple(self.candidates[at] for at in kept),
            {m: tuple(values[at] for at in kept) for m, values in self.values.items()},
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """One plain record for each query, as for JSON lines."""
        for at, query in enumerate(self.queries):
            row: dict[str, Any] = {"query": query}
            if self.groups[at]:
                row["group"] = self.groups[at]
            row["candidates"] = self.candidates[at]
            yield row | {str(m): _plain(values[at]) for m, values in self.values.items()}

    def to_json(self) -> dict[str, Any]:
        """The means as plain data: over all queries, and over those with a choice."""
        choice = self.with_choice()
        return {**_summary(self), "with_choice": _summary(choice)}


class RunningEvaluation:
    """The figures of a run that is judged bit by bit: they are kept, the rankings are not."""

    def __init__(self, metrics: Iterable[Metric], tools: Tools) -> None:
        self._tools = tools
        self._queries: list[str] = []
        self._groups: list[str] = []
        self._candidates: list[int] = []
        self._values: dict[Metric, list[float]] = {metric: [] for metric in metrics}

    def add(self, *judged: JudgedRanking) -> None:
        """Judge further queries; those given together are encoded together, for PED."""
        self._queries += [ranking.query for ranking in judged]
        self._groups += [ranking.group for ranking in judged]
        self._candidates += [len(ranking.scores) for ranking in judged]
        for metric, values in self._values.items():
            values += metric.values(judged, self._tools)

    def result(self) -> Evaluation:
        """All figures so far."""
        return Evaluation(
            tuple(self._queries),
            tuple(self._groups),
            tuple(self._candidates),
            {metric: tuple(values) for metric, values in self._values.items()},
        )


def evaluate(
    judged: Iterable[JudgedRanking],
    metrics: Iterable[str | Metric],
    *,
    ontology: OntologyPaths | None = None,
    encoder: PathVectors | None = None,
) -> Evaluation:
    """Judge a run by some metrics, given as values or by name.

    NGEO needs an ``ontology``, PED a path ``encoder``.
    """
    running = RunningEvaluation(map(parse, metrics), Tools(ontology, encoder))
    running.add(*judged)
    return running.result()


def _summary(evaluation: Evaluation) -> dict[str, Any]:
    means = {name: _plain(mean) for name, mean in evaluation.means().items()}
    return {"queries": len(evaluation), "means": means}


def _plain(value: float) -> float | None:
    """JSON has no word for what is not a number."""
    return None if isnan(value) else value
