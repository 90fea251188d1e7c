"""Makes the cells of a study, one after the other: candidates once, fit, rank, judge, time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgpath.component import Component
from kgpath.encoders.vectors.embedding import embedding_of
from kgpath.errors import BadOption, BadStore, KgpathError, NotWritable
from kgpath.graph import open_graph
from kgpath.io.cache import key_of
from kgpath.learning.judge import judge_paths
from kgpath.metrics import evaluate
from kgpath.metrics.folds import fold_of
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS, RANKERS, TEXT_ENCODERS
from kgpath.rankers.ranker import Example, TrainableRanker
from kgpath.registry import Registry
from kgpath.reproduce.ecpr.cells import Cell, Failed, KeptCells, Result
from kgpath.reproduce.ecpr.data import Data, Protocol, read_data
from kgpath.reproduce.ecpr.encoders_once import EncodersOnce
from kgpath.reproduce.ecpr.printed import METRICS
from kgpath.reproduce.ecpr.questions import Questions
from kgpath.reproduce.ecpr.settings import QUICK_CONTEXT, QUICK_PATH, QUICK_RANKER, Settings
from kgpath.reproduce.ecpr.survey import survey_of

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.reproduction import Request


#: Raise it when the same cell gets other figures and no version of its ranker, its encoders or its
#: metrics says so: other candidates, folds or ways to judge.
VERSION = 1


class Study:
    """Everything that the tables of one command share."""

    def __init__(self, request: Request) -> None:
        if not request.graph:
            raise BadOption("Name the graph of the questions: --graph film.kg")
        self.settings = Settings.of(request.options, request.quick)
        self.data: Data = read_data(request.files)
        self.progress = request.progress
        self.graph: Graph = request.closing.enter_context(open_graph(request.graph))
        self.kept = KeptCells(Path(request.output) / "cells" if request.output else None)
        self._arenas: dict[bool, Arena] = {}

    def arena(self, strata: bool = False) -> Arena:
        """Where cells are measured; ``strata`` for tables over parts of a dataset."""
        if strata not in self._arenas:
            protocol = self.data.protocol(self.settings, strata)
            same = (a for a in self._arenas.values() if a.protocol == protocol)
            self._arenas[strata] = next(same, None) or Arena(self, protocol)
        return self._arenas[strata]

    @cached_property
    def ped(self) -> tuple[Any, str]:
        """The encoder of PED; else why there is none."""
        encoders = EncodersOnce(self.graph, self.settings, self.progress)
        try:
            return encoders.path(self.settings.ped), ""
        except KgpathError as error:
            return None, f"No PED: {error}"

    @cached_property
    def transe(self) -> str:
        """Tells the TransE vectors of the graph from others; empty without any."""
        try:
            return embedding_of(self.graph).identity
        except BadStore:
            return ""


class Arena:
    """Cells over the same questions, so that any two can be compared."""

    def __init__(self, study: Study, protocol: Protocol) -> None:
        self.study, self.protocol = study, protocol
        self._results: dict[Cell, Result | Failed] = {}
        self._encoders = EncodersOnce(study.graph, study.settings, study.progress)

    @cached_property
    def measured(self) -> Questions:
        """The questions to measure on."""
        return self._questions(self.protocol.measured)

    @cached_property
    def learned(self) -> Questions:
        """The questions to learn from; in cross-validation, the same."""
        return self.measured if self.protocol.folds else self._questions(self.protocol.learned)

    def results(self, cells: Iterable[Cell], title: str) -> dict[Cell, Result | Failed]:
        """All of these cells, those that were made before and the others."""
        wanted = list(dict.fromkeys(cells))
        for cell in wanted:
            kept = self.study.kept.get(str(cell), self._key(str(cell), _versions(cell)))
            if kept is not None and cell not in self._results:
                self._results[cell] = Result.from_json(kept)
        missing = [cell for cell in wanted if cell not in self._results]
        for done, cell in enumerate(missing):
            said = f"{title}, {len(missing) - done} to do: {cell}"
            self._results[cell] = self._result(cell, said)
        return {cell: self._results[cell] for cell in wanted}

    @cached_property
    def survey(self) -> dict[str, Any]:
        """What there is to know of the questions measured on and of their candidates."""
        key = self._key("survey")
        found = self.study.kept.get("survey", key)
        if found is None:
            found = survey_of(self.measured, self.study.ped[0], self.study.progress)
            self.study.kept.put("survey", key, found)
        return found

    def _result(self, cell: Cell, said: str) -> Result | Failed:
        self.study.progress(said, 0, 0)
        try:
            made = self._made(cell, said)
        except NotWritable:
            raise
        except Exception as error:  # the other cells are still wanted, whatever this one met
            return Failed.of(str(cell), error)
        self.study.kept.put(str(cell), self._key(str(cell), _versions(cell)), made.to_json())
        return made

    def _made(self, cell: Cell, said: str) -> Result:
        questions = self.measured
        ranker = self._ranker(cell)
        fit = score = 0.0
        scores: list[Any] = [np.zeros(0)] * len(questions)
        total = len(questions)
        # Candidates are found before the clock runs.
        _ = questions.found
        for places, examples in self._parts(isinstance(ranker, TrainableRanker)):
            began = time.process_time()
            if isinstance(ranker, TrainableRanker):
                ranker = self._ranker(cell)  # nothing of another fold is left in it
                assert isinstance(ranker, TrainableRanker)
                self.study.progress(f"{said}, learning", 0, 0)
                ranker.fit(examples)
            fit += time.process_time() - began
            began = time.process_time()
            for place in places:
                self.study.progress(said, place, total)
                features = questions.features(place)
                if features is not None:
                    scores[place] = ranker.score(features).total
            score += time.process_time() - began
        seconds = {
            "fit": round(fit, 2), "score": round(score, 2),
            "learning": round(self._learning(cell), 2),
        }  # fmt: skip
        return self._judged(str(cell), scores, seconds, ranker.report())

    def _parts(self, learns: bool) -> Iterable[tuple[Sequence[int], Iterable[Example]]]:
        """The questions to measure on, each with what may be learned for it."""
        everything = range(len(self.measured))
        if not learns:
            yield everything, ()
        elif self.protocol.folds:
            groups = [question.group for question in self.measured.questions]
            fold = np.array(fold_of(groups, self.protocol.folds, self.study.settings.seed))
            for number in range(self.protocol.folds):
                others = np.flatnonzero(fold != number).tolist()
                yield np.flatnonzero(fold == number).tolist(), self.measured.examples(others)
        else:
            yield everything, self.learned.examples(range(len(self.learned)))

    def _ranker(self, cell: Cell) -> Any:
        """A ranker that has learned nothing yet, with encoders that have."""
        settings = self.study.settings
        quick: dict[str, Any] = QUICK_RANKER if settings.quick else {}
        options: dict[str, Any] = {**quick, "vectors": settings.vectors, "seed": settings.seed}
        if cell.context:
            # Never from which path is true, so in cross-validation from all questions at once.
            encoders = self._encoders
            options["context_encoder"] = encoders.context(cell.context, self.learned.contexts)
            options["path_encoder"] = encoders.path(cell.path, self.learned.candidates)
        return RANKERS.make(cell.ranker, **options)

    def _learning(self, cell: Cell) -> float:
        """How long the context encoder of a cell took to learn, in this run."""
        return sum(
            seconds
            for name, seconds in self._encoders.seconds.items()
            if cell.context and name.partition("(")[0] == cell.context.partition("(")[0]
        )

    def _judged(
        self, name: str, scores: list[Any], seconds: dict[str, float], report: dict[str, Any]
    ) -> Result:
        questions = self.measured
        judged, hops = [], []
        for place, question in enumerate(questions.questions):
            found = questions.found[place]
            judged.append(judge_paths(question, found, scores[place]))
            best = int(scores[place].argmax()) if len(scores[place]) else -1
            hops.append(int(found.lengths[best]) if found is not None and best >= 0 else 0)
        encoder = self.study.ped[0]
        metrics = [name for name in METRICS if name != "PED" or encoder is not None]
        of_paths = encoder.of_paths(self.study.graph) if encoder is not None else None
        evaluation = evaluate(judged, metrics, ontology=questions.ontology, encoder=of_paths)
        return Result(name, evaluation, tuple(hops), seconds, report)

    def _questions(self, queries: list[Any]) -> Questions:
        return Questions(self.study.graph, queries, self.study.settings, self.study.progress)

    def _key(self, what: str, versions: str = "") -> str:
        """Everything that a figure depends on: the versions of what makes it, too."""
        settings = self.study.settings
        small = (QUICK_CONTEXT, QUICK_PATH, QUICK_RANKER) if settings.quick else ()
        return key_of(
            what, VERSION, versions, _version(PATH_ENCODERS, settings.ped), self.protocol.key,
            self.study.graph.fingerprint, self.study.transe,
            settings.ped, settings.candidates, settings.max_hops, settings.limit, settings.seed,
            _content(settings.vectors), small, METRICS,
        )  # fmt: skip


def _versions(cell: Cell) -> str:
    """The versions of the ranker and of the encoders of a cell."""
    chosen = (RANKERS, cell.ranker), (CONTEXT_ENCODERS, cell.context), (PATH_ENCODERS, cell.path)
    return "; ".join(_version(registry, choice) for registry, choice in chosen if choice)


def _version(registry: Registry, choice: str) -> str:
    """The versions of a component and of those that its options name."""
    try:
        made = registry.make(choice)
        if not isinstance(made, Component):
            return str(made.identity)  # has its version in it
        own = made.versions()
    except KgpathError:  # cannot be made: the cell says why
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


def study_of(request: Request) -> Study:
    """The study of a request, the same one for all of its tables."""
    return request.shared("ecpr", lambda: Study(request))
