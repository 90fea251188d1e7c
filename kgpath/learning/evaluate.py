"""How good are rankers on questions with known answers? End to end, from names to ranks.

PathArrays are what the engine finds, or those that each query brings along (``given``, as in the
paper); a true path that is not among them counts as missed. A hit is the exact labelled path;
since parallel relations often join the same entities, the sequence of entities is judged beside it.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.answer import support_of, verdict_of
from kgpath.errors import BadOption, KgpathError
from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.io.progress import Progress, silent
from kgpath.io.queries import Query
from kgpath.learning.models import path_encoder_of
from kgpath.linking.context import Context
from kgpath.linking.mentions import Link
from kgpath.metrics import PED, Evaluation, Judged, Metric, OntologyPaths, Tools, parse
from kgpath.metrics.folds import fold_of
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import RANKERS
from kgpath.rankers.ranker import Example, Ranker, TrainableRanker
from kgpath.storage.hop_codes import codes_of
from kgpath.types import Entity, Hop, Path, Relation

METRICS = ("MRR", "Hits@1", "Hits@3", "Hits@5", "NGEO(Ent)", "NGEO(Rel)", "Recall")
#: What is judged for the sequence of entities, whatever the relations.
ENTITY_METRICS = ("MRR", "Hits@1")

#: Where the paths to rank come from.
CANDIDATES = ("found", "given")


class Truth(NamedTuple):
    """A true path: as a path, and as ids where all of it is in the graph."""

    path: Path
    vertices: tuple[int, ...]
    hop_codes: tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """A query whose names have been looked up; without ends if an entity is not in the graph."""

    query: Query
    group: str
    ends: tuple[Entity, Entity] | None
    truths: tuple[Truth, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Run:
    """One ranker over all queries: the labelled paths, and the entity sequences, judged."""

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


class Evaluator:
    """Puts questions to rankers. ``notes`` says which queries could not count in full, and why."""

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
    ) -> None:
        """``path_encoder`` is for PED: a name, a fitted object, or the folder of a model."""
        _check_candidates(candidates, queries)
        self.graph = graph
        self.given = candidates == "given"
        self.options = options or PathOptions()
        self.limit = limit
        self.metrics = tuple(map(parse, metrics))
        encoder = None
        if any(isinstance(metric, PED) for metric in self.metrics):
            encoder = path_encoder_of(path_encoder, graph).of_paths(graph)
        self.tools = Tools(OntologyPaths.from_graph(graph), encoder)
        self.notes: list[str] = []
        self._relations = {relation.iri: relation for relation in graph.store.relations}
        self.questions = [self._look_up(query) for query in queries]
        self._context = Context(graph, "")

    def run(
        self,
        rankers: Mapping[str, Ranker],
        trained: Mapping[str, Ranker] | None = None,
        *,
        folds: int = 5,
        seed: int = 0,
        progress: Progress = silent,
    ) -> list[Run]:
        """Judge every ranker on every question; learners by cross-validation over documents.

        ``trained`` rankers are judged as they are, without folds.
        """
        rankers = {**rankers, **(trained or {})}
        learners = {
            name: ranker
            for name, ranker in rankers.items()
            if isinstance(ranker, TrainableRanker) and name not in (trained or {})
        }
        fold = [0] * len(self.questions)
        fitted: dict[tuple[str, int], Ranker] = {}
        for learner in learners.values():
            learner.check_requirements(self.graph)  # says what is missing, before the work
        if learners:
            fold = fold_of([question.group for question in self.questions], folds, seed)
            for (name, learner), number in ((i, n) for i in learners.items() for n in range(folds)):
                progress(f"fitting {name}", number, folds)
                fitted[name, number] = self._fitted(learner, fold, number)
        judges = {name: _Judge(self, name) for name in rankers}
        for place, question in enumerate(self.questions):
            progress("ranking", place, len(self.questions))
            features = self.features(question)
            for name, ranker in rankers.items():
                chosen = fitted.get((name, fold[place]), ranker)
                judges[name].add(question, chosen, features)
        return [judge.run() for judge in judges.values()]

    def examples(self, places: Iterable[int]) -> Iterator[Example]:
        """The questions at these places, to learn from; those without a true candidate are not."""
        for place in places:
            question = self.questions[place]
            features = self.features(question)
            if features is not None:
                true = true_places(features.candidates, question.truths)
                if true:
                    yield Example(features, true, question.group)

    def features(self, question: Question) -> PathFeatures | None:
        """The candidates for a question with what is known of them; None without its ends."""
        if question.ends is None:
            return None
        text = question.query.document
        if self._context.text != text or self._context.links != question.links:
            self._context = Context(self.graph, text, question.links)
        context = self._context
        if self.given:
            return PathFeatures(context, self._given(question))
        found = candidates_for(context, *question.ends, self.options, self.limit)
        return PathFeatures(context, found)

    def _given(self, question: Question) -> PathArrays:
        """The candidates that a query brings along, less those that are not in the graph."""
        assert question.ends is not None
        brought = list(dict.fromkeys(question.query.candidates))
        found = PathArrays.from_iris(self.graph, brought)
        there = [
            self._is_there(
                found.vertices[row, : length + 1].tolist(), found.hop_codes[row].tolist()
            )
            for row, length in enumerate(found.lengths.tolist())
        ]
        if sum(there) < len(brought):
            said = f"{_called(question.query)}: a candidate is not in the graph. It is left out."
            self.notes += [] if said in self.notes else [said]
        head, tail = question.ends
        rows = np.flatnonzero(there)
        return found.take(rows).bound(self.graph, head, tail)

    def _fitted(self, learner: TrainableRanker, fold: list[int], number: int) -> TrainableRanker:
        fresh = copy.deepcopy(learner)
        fresh.fit(_Again(self, [place for place, own in enumerate(fold) if own != number]))
        return fresh

    def _look_up(self, query: Query) -> Question:
        where = _called(query)
        group = hashlib.blake2b(query.document.encode("utf-8", "replace"), digest_size=8)
        ends = None
        try:
            head, tail = self.graph.entity(query.head), self.graph.entity(query.tail)
            if head.id == tail.id:
                raise BadOption(f"head and tail are both {head.label}.")
            ends = head, tail
        except KgpathError as error:
            self.notes.append(f"{where}: {str(error).splitlines()[0]} It counts as missed.")
        truths = tuple(self._truth(path) for path in query.paths)
        if ends and not any(truth.vertices for truth in truths):
            self.notes.append(f"{where}: the true path is not in the graph. It counts as missed.")
        links = tuple(self._links(query))
        return Question(query, group.hexdigest(), ends, truths, links)

    def _links(self, query: Query) -> Iterator[Link]:
        for name, words in query.links:
            try:
                yield Link(self.graph.entity(name).id, words)
            except KgpathError:
                continue  # a text may link to what the graph does not have

    def _truth(self, iris: Sequence[str]) -> Truth:
        """A true path by IRI; without ids if the graph lacks a part of it."""
        nodes = tuple(self._entity(name) for name in iris[::2])
        hops = tuple(
            Hop(
                self._relations.get(name.removeprefix("^")) or _unknown_relation(name),
                name[0] != "^",
            )
            for name in iris[1::2]
        )
        vertices = tuple(node.id for node in nodes)
        codes = tuple(codes_of(hops))
        known = min(vertices) >= 0 and min(codes) >= 0 and self._is_there(vertices, codes)
        return Truth(Path(nodes, hops), vertices if known else (), codes if known else ())

    def _entity(self, name: str) -> Entity:
        try:
            return self.graph.entity(name)
        except KgpathError:
            return Entity(-1, name, name)

    def _is_there(self, vertices: Sequence[int], codes: Sequence[int]) -> bool:
        hops = zip(vertices, codes, vertices[1:], strict=False)
        return all(code in self.graph.index.codes_between(one, other) for one, code, other in hops)


class _Again:
    """Examples that can be gone through more than once, made anew each time."""

    def __init__(self, evaluator: Evaluator, places: list[int]) -> None:
        self._evaluator, self._places = evaluator, places

    def __iter__(self) -> Iterator[Example]:
        return self._evaluator.examples(self._places)


class _Judge:
    """Collects the figures of one ranker, query by query; keeps no paths."""

    def __init__(self, evaluator: Evaluator, name: str) -> None:
        self._name = name
        self._tools = evaluator.tools
        self._ids: list[str] = []
        self._groups: list[str] = []
        self._sizes: tuple[list[int], list[int]] = [], []
        self._metrics = evaluator.metrics, tuple(map(parse, ENTITY_METRICS))
        self._values: tuple[dict[Metric, list[float]], ...] = tuple(
            {metric: [] for metric in metrics} for metrics in self._metrics
        )
        self._verdicts: list[str] = []
        self._first: list[str] = []

    def add(self, question: Question, ranker: Ranker, features: PathFeatures | None) -> None:
        """Rank and judge one question."""
        self._ids.append(question.query.id)
        self._groups.append(question.group)
        scores = np.zeros(0) if features is None else ranker.score(features).total
        for kind, judged in enumerate(_judged(question, features, scores)):
            self._sizes[kind].append(len(judged.scores))
            for metric, values in self._values[kind].items():
                values += metric.values([judged], self._tools)
        best = int(scores.argmax()) if len(scores) else -1
        has = features is not None and best >= 0
        self._verdicts.append(verdict_of(support_of(features, best)) if has else "none")  # type: ignore[arg-type]
        self._first.append(str(features.candidates[best]) if has else "")  # type: ignore[union-attr]

    def run(self) -> Run:
        """All figures."""
        paths, entities = (
            Evaluation(
                tuple(self._ids),
                tuple(self._groups),
                tuple(sizes),
                {metric: tuple(numbers) for metric, numbers in values.items()},
            )
            for sizes, values in zip(self._sizes, self._values, strict=True)
        )
        return Run(self._name, paths, entities, tuple(self._verdicts), tuple(self._first))


def make_rankers(names: Iterable[str | Ranker], **options: Any) -> dict[str, Ranker]:
    """Rankers by what they are called in a table; ``options`` go to those that have them."""
    made: dict[str, Ranker] = {}
    for name in names:
        called = name if isinstance(name, str) else type(name).__name__
        if called in made:
            raise BadOption(f"The ranker {called} is named twice.")
        made[called] = RANKERS.make(name, **options)
    return made


def true_places(found: PathArrays, truths: Iterable[Truth]) -> tuple[int, ...]:
    """Which candidates are true."""
    rows = (_rows_of(found, truth.vertices, truth.hop_codes) for truth in truths)
    return tuple(int(place) for places in rows for place in np.flatnonzero(places))


def _rows_of(
    found: PathArrays, vertices: Sequence[int], codes: Sequence[int] | None = None
) -> NDArray[np.bool_]:
    """The candidates with these entities and, if given, these hop codes."""
    length = len(vertices) - 1
    if not 1 <= length <= found.hop_codes.shape[1]:
        return np.zeros(len(found), dtype=np.bool_)
    same = (found.lengths == length) & (found.vertices[:, : length + 1] == vertices).all(axis=1)
    if codes is not None:
        same &= (found.hop_codes[:, :length] == codes).all(axis=1)
    return np.asarray(same)


def _judged(
    question: Question, features: PathFeatures | None, scores: NDArray[np.float64]
) -> tuple[Judged, Judged]:
    """The ranking of the labelled paths and that of the entity sequences."""
    query, truths = question.query.id, question.truths
    paths = tuple(truth.path for truth in truths)
    if features is None:
        missed = Judged(query, (), missing=len(truths), truths=paths)
        return missed, missed
    found = features.candidates
    true = true_places(found, truths)
    labelled = Judged(query, tuple(scores.tolist()), true, len(truths) - len(true), found, paths)
    sequences, place = np.unique(found.vertices, axis=0, return_inverse=True)
    best = np.full(len(sequences), -np.inf)
    np.maximum.at(best, place.reshape(-1), scores)
    wanted = {truth.path.nodes: truth.vertices for truth in truths}
    right = {
        int(at)
        for vertices in wanted.values()
        for at in place.reshape(-1)[_rows_of(found, vertices)]
    }
    return labelled, Judged(query, tuple(best.tolist()), tuple(right), len(wanted) - len(right))


def _called(query: Query) -> str:
    """A query as notes call it: its name and where it stood."""
    return f"{query.id} (line {query.line})" if query.line else query.id


def _check_candidates(candidates: str, queries: Iterable[Query]) -> None:
    if candidates not in CANDIDATES:
        raise BadOption(f"candidates is {candidates!r}; it can be {' or '.join(CANDIDATES)}.")
    if candidates == "given":
        for query in queries:
            if not query.candidates:
                raise BadOption(
                    f"{_called(query)} brings no candidates. Leave out --candidates given: they "
                    "are then found in the graph."
                )


def _unknown_relation(name: str) -> Relation:
    iri = name.removeprefix("^")
    return Relation(-1, iri, iri)
