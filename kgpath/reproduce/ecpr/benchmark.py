"""Runs experiments on the same queries: candidates once, then fit, rank, judge and time each."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgpath.component import Component, versions_of
from kgpath.errors import BadOption, KgpathError, NotWritable
from kgpath.io.cache import key_of
from kgpath.learning.judge import judge_paths
from kgpath.metrics import evaluate
from kgpath.metrics.folds import fold_of
from kgpath.metrics.metric import parse
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS, RANKERS, TEXT_ENCODERS
from kgpath.rankers.ranker import Example, TrainableRanker
from kgpath.registry import Registry
from kgpath.reproduce.ecpr.data import Protocol
from kgpath.reproduce.ecpr.experiments import Experiment, Failed, Result
from kgpath.reproduce.ecpr.fitted_encoders import FittedEncoders
from kgpath.reproduce.ecpr.published_figures import METRICS
from kgpath.reproduce.ecpr.query_statistics import query_statistics
from kgpath.reproduce.ecpr.settings import QUICK_CONTEXT, QUICK_PATH, QUICK_RANKER
from kgpath.reproduce.ecpr.study_queries import StudyQueries

if TYPE_CHECKING:
    from kgpath.reproduce.ecpr.study import Study


#: Raise it when the same experiment gets other figures and no version of its ranker, its encoders
#: or its metrics says so: other candidates, folds or ways to judge.
VERSION = 2


class Benchmark:
    """Experiments over the same queries, so that any two can be compared."""

    def __init__(self, study: Study, protocol: Protocol) -> None:
        self.study, self.protocol = study, protocol
        self._results: dict[Experiment, Result | Failed] = {}
        self._encoders = FittedEncoders(study.graph, study.settings, study.progress)
        self._needs: dict[tuple[str, str], str] = {}

    @cached_property
    def measured(self) -> StudyQueries:
        """The queries to measure on."""
        return self._queries(self.protocol.measured)

    @cached_property
    def learned(self) -> StudyQueries:
        """The queries to learn from; in cross-validation, the same."""
        return self.measured if self.protocol.folds else self._queries(self.protocol.learned)

    def results(
        self, experiments: Iterable[Experiment], title: str
    ) -> dict[Experiment, Result | Failed]:
        """All of these experiments, those that were made before and the others."""
        wanted = list(dict.fromkeys(experiments))
        for experiment in wanted:
            cached = self.study.cache.get(str(experiment), self._key_of(experiment))
            if cached is not None and experiment not in self._results:
                self._results[experiment] = Result.from_json(cached)
        missing = [experiment for experiment in wanted if experiment not in self._results]
        for done, experiment in enumerate(missing):
            said = f"{title}, {len(missing) - done} to do: {experiment}"
            self._results[experiment] = self._result(experiment, said)
        return {experiment: self._results[experiment] for experiment in wanted}

    @cached_property
    def statistics(self) -> dict[str, Any]:
        """What there is to know of the queries measured on and of their candidates."""
        key = self._key("statistics")
        found = self.study.cache.get("statistics", key)
        if found is None:
            found = query_statistics(self.measured, self.study.ped[0], self.study.progress)
            self.study.cache.put("statistics", key, found)
        return found

    def _result(self, experiment: Experiment, said: str) -> Result | Failed:
        self.study.progress(said, 0, 0)
        try:
            made = self._made(experiment, said)
        except NotWritable:
            raise
        except Exception as error:  # the other experiments are still wanted, whatever this one met
            return Failed.of(str(experiment), error)
        self.study.cache.put(str(experiment), self._key_of(experiment), made.to_json())
        return made

    def _made(self, experiment: Experiment, said: str) -> Result:
        queries = self.measured
        ranker = self._ranker(experiment)
        fit = score = 0.0
        scores: list[Any] = [np.zeros(0)] * len(queries)
        total = len(queries)
        # Candidates are found before the clock runs.
        _ = queries.found
        for places, examples in self._parts(isinstance(ranker, TrainableRanker)):
            began = time.process_time()
            if isinstance(ranker, TrainableRanker):
                ranker = self._ranker(experiment)  # nothing of another fold is left in it
                assert isinstance(ranker, TrainableRanker)
                self.study.progress(f"{said}, learning", 0, 0)
                ranker.fit(examples)
            fit += time.process_time() - began
            began = time.process_time()
            for place in places:
                self.study.progress(said, place, total)
                features = queries.features(place)
                if features is not None:
                    scores[place] = ranker.score(features).total
            score += time.process_time() - began
        seconds = {
            "fit": round(fit, 2), "score": round(score, 2),
            "learning": round(self._learning(experiment), 2),
        }  # fmt: skip
        return self._judged(str(experiment), scores, seconds, ranker.report())

    def _parts(self, learns: bool) -> Iterable[tuple[Sequence[int], Iterable[Example]]]:
        """The queries to measure on, each with what may be learned for it."""
        everything = range(len(self.measured))
        if not learns:
            yield everything, ()
        elif self.protocol.folds:
            groups = [query.group for query in self.measured.queries]
            fold = np.array(fold_of(groups, self.protocol.folds, self.study.settings.seed))
            for number in range(self.protocol.folds):
                others = np.flatnonzero(fold != number).tolist()
                yield np.flatnonzero(fold == number).tolist(), self.measured.examples(others)
        else:
            yield everything, self.learned.examples(range(len(self.learned)))

    def _ranker(self, experiment: Experiment) -> Any:
        """A ranker that has learned nothing yet, with encoders that have."""
        settings = self.study.settings
        quick: dict[str, Any] = QUICK_RANKER if settings.quick else {}
        options: dict[str, Any] = {**quick, "vectors": settings.vectors, "seed": settings.seed}
        if experiment.context:
            # Never from which path is true, so in cross-validation from all queries at once.
            encoders = self._encoders
            options["context_encoder"] = encoders.context(experiment.context, self.learned.contexts)
            options["path_encoder"] = encoders.path(experiment.path, self.learned.candidates)
        return RANKERS.make(experiment.ranker, **options)

    def _learning(self, experiment: Experiment) -> float:
        """How long the context encoder of an experiment took to learn, in this run."""
        return sum(
            seconds
            for name, seconds in self._encoders.seconds.items()
            if experiment.context and name.partition("(")[0] == experiment.context.partition("(")[0]
        )

    def _judged(
        self, name: str, scores: list[Any], seconds: dict[str, float], report: dict[str, Any]
    ) -> Result:
        queries = self.measured
        judged, hops = [], []
        for place, query in enumerate(queries.queries):
            found = queries.found[place]
            judged.append(judge_paths(query, found, scores[place]))
            best = int(scores[place].argmax()) if len(scores[place]) else -1
            hops.append(int(found.lengths[best]) if found is not None and best >= 0 else 0)
        encoder = self.study.ped[0]
        metrics = [name for name in METRICS if name != "PED" or encoder is not None]
        of_paths = encoder.of_paths(self.study.graph) if encoder is not None else None
        evaluation = evaluate(judged, metrics, ontology=queries.ontology, encoder=of_paths)
        return Result(name, evaluation, tuple(hops), seconds, report)

    def _queries(self, queries: list[Any]) -> StudyQueries:
        return StudyQueries(self.study.graph, queries, self.study.settings, self.study.progress)

    def _key_of(self, experiment: Experiment) -> str:
        needs = [self._requirements(registry, choice) for registry, choice in _chosen(experiment)]
        return self._key(str(experiment), _versions(experiment), *needs)

    def _key(self, what: str, *made_by: str) -> str:
        """Everything that a figure depends on: the versions of what makes it, too."""
        settings = self.study.settings
        small = (QUICK_CONTEXT, QUICK_PATH, QUICK_RANKER) if settings.quick else ()
        return key_of(
            what, VERSION, made_by, _version(PATH_ENCODERS, settings.ped),
            self._requirements(PATH_ENCODERS, settings.ped), _metric_versions(),
            self.protocol.key, self.study.graph.fingerprint, self.study.transe,
            settings.ped, settings.candidates, settings.max_hops, settings.limit, settings.seed,
            _content(settings.vectors), small, METRICS,
        )  # fmt: skip

    def _requirements(self, registry: Registry, choice: str) -> str:
        """What a component reads that its choice only names: files, the base of a model."""
        asked = registry.kind, choice
        if asked not in self._needs:
            try:
                found = registry.make(choice).check_requirements(self.study.graph)
            except Exception:  # cannot be made: the experiment says why
                found = {}
            self._needs[asked] = str(sorted(found.items()))
        return self._needs[asked]


def _chosen(experiment: Experiment) -> list[tuple[Registry, str]]:
    """The ranker and the encoders of an experiment, and where to find them."""
    chosen = (
        (RANKERS, experiment.ranker),
        (CONTEXT_ENCODERS, experiment.context),
        (PATH_ENCODERS, experiment.path),
    )
    return [(registry, choice) for registry, choice in chosen if choice]


def _versions(experiment: Experiment) -> str:
    """The versions of the ranker and of the encoders of an experiment."""
    return "; ".join(_version(registry, choice) for registry, choice in _chosen(experiment))


def _metric_versions() -> str:
    return versions_of(*(type(parse(name)) for name in METRICS))


def _version(registry: Registry, choice: str) -> str:
    """The versions of a component and of those that its options name."""
    try:
        made = registry.make(choice)
        if not isinstance(made, Component):
            return str(made.identity)  # has its version in it
        own = made.versions()
    except KgpathError:  # cannot be made: the experiment says why
        return ""
    every = RANKERS, CONTEXT_ENCODERS, PATH_ENCODERS, TEXT_ENCODERS
    inner = (
        _version(kind, value)
        for value in made.options().values()
        for kind in (every if registry is RANKERS else (TEXT_ENCODERS,))
        if isinstance(value, str) and value.partition("(")[0] in kind
    )
    return ", ".join([own, *inner])


def _content(path: str) -> str:
    """A file by its size and time: those of word vectors are too large to be read each time."""
    if not path:
        return ""
    try:
        about = Path(path).stat()
    except OSError:
        raise BadOption(f"There is no file {path}: vectors=FILE") from None
    return f"{Path(path).name} {about.st_size} {about.st_mtime_ns}"
