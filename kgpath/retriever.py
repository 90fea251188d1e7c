"""From two entities and a text to ranked, explained paths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from kgpath.answer import DOUBTFUL, NONE, Answer, Answers, probabilities, quotes_of
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.linking.context import Context
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import MOST_PATHS, PathFinder, PathOptions
from kgpath.paths.kernels import FAR
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.same_meaning import best_of_each_meaning, shown_together
from kgpath.plugins import DEFAULT_RANKER, RANKERS
from kgpath.rankers.ranker import Ranker, Scores
from kgpath.types import Entity

#: Below this the text does not name an entity: a common word of its name at most.
NAMED_FROM = 0.3
#: Entities of a text that are tried against each other when pairs are proposed.
MOST_ENTITIES = 24


class Ranked(NamedTuple):
    """Candidates with their scores; ``order`` has the best first.

    Equal scores stay in the order of the candidates: by what the text leaves unnamed, then by
    length, then by the IRIs along the path.
    """

    features: PathFeatures
    scores: Scores
    order: NDArray[np.int64]


class Pair(NamedTuple):
    """Two entities of a text, ``hops`` apart in the graph and ``gap`` tokens in the text."""

    head: Entity
    tail: Entity
    hops: int
    gap: int


@dataclass
class Retriever:
    """Answers queries over one graph with one ranker, by name or as an object."""

    graph: Graph
    ranker: str | Ranker = DEFAULT_RANKER
    options: PathOptions = field(default_factory=PathOptions)
    limit: int = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        self.name = self.ranker if isinstance(self.ranker, str) else type(self.ranker).__name__
        self.ranker = RANKERS.make(self.ranker)
        if self.limit < 1:
            raise BadOption(f"limit is {self.limit}; it can be 1 or more.")
        if self.limit > MOST_PATHS:
            raise BadOption(f"limit is {self.limit:,}; it can be 1 to {MOST_PATHS:,}.")

    def rank(self, context: Context, head: Entity, tail: Entity) -> Ranked:
        """The candidates for a query, scored."""
        found = self.candidates(context, head, tail)
        return ranked(self.ranker, PathFeatures(context, found))

    def candidates(self, context: Context, head: Entity, tail: Entity) -> PathArrays:
        """The paths that are ranked for a query."""
        return candidates_for(context, head, tail, self.options, self.limit)

    def query(self, head: Entity, tail: Entity, context: Context, k: int = 5) -> Answers:
        """The ``k`` best paths, explained; of those that mean the same the best stands for all."""
        if not context.text.strip():
            raise BadOption(
                "The text is empty, so it cannot choose between paths. Without a text: kgpath paths"
            )
        features, scores, order = self.rank(context, head, tail)
        found = features.candidates
        meanings = best_of_each_meaning(found, order, k)
        best = [int(rows[0]) for rows in meanings]
        sure = probabilities(features, scores, np.array(best, dtype=np.int64)).tolist()
        on_paths = np.unique(features.facts.along[best])
        shown = cast(Ranker, self.ranker).evidence(features, on_paths[on_paths >= 0])
        answers = tuple(
            Answer(
                shown_together(path, found, rows),
                float(scores.total[place]),
                {name: float(part[place]) for name, part in scores.parts.items()},
                support,
                quotes_of(features, place, path, shown),
            )
            for place, rows, support, path in zip(
                best, meanings, sure, found.paths(best), strict=True
            )
        )
        made = Answers(head, tail, self.name, answers, len(found), bool(found.truncated))
        return replace(made, note=self._note(made, context))

    def _note(self, answers: Answers, context: Context) -> str:
        """Why there is no good answer: no path in the graph, or none that this text expresses."""
        head, tail, hops = answers.head, answers.tail, self.options.max_hops
        if not answers.candidates:
            most = "1 hop" if hops == 1 else f"{hops} hops"
            said = f"The graph has no path of at most {most} between {head} and {tail}"
            if self.options.filters():
                return f"{said} under these filters: {self.options.filters()}."
            return said + ("." if hops == 6 else ": more hops may find one.")
        absent = [str(end) for end in (head, tail) if context.name_scores[end.id] < NAMED_FROM]
        said = f"The text does not name {' or '.join(absent)}. " if absent else ""
        if answers and answers.verdict == NONE:
            more = "at least " if answers.truncated else ""
            return (
                f"{said}No path explains this pair in this text: the graph has {more}"
                f"{answers.candidates:,}, but the text does not express the best of them."
            )
        if answers and answers.verdict == DOUBTFUL:
            return f"{said}Doubtful: the text expresses the best path only in part."
        return said.strip()


def ranked(ranker: Any, features: PathFeatures) -> Ranked:
    """Score and order candidates."""
    scores: Scores = ranker.score(features)
    return Ranked(features, scores, np.argsort(-scores.total, kind="stable"))


def propose_pairs(
    context: Context, given: Iterable[Entity] = (), options: PathOptions | None = None
) -> list[Pair]:
    """Pairs of entities that the text mentions and the graph connects, closest in both first.

    With ``given`` entities, only pairs with one of them.
    """
    graph, options = context.graph, options or PathOptions()
    wanted = list(given)
    places: dict[int, list[tuple[int, int]]] = {}
    for mention in context.mentions([entity.id for entity in wanted]):
        places.setdefault(mention.entity, []).append((mention.first, mention.last))
    # Those mentioned most often, then first.
    often = sorted(places, key=lambda entity: (-len(places[entity]), places[entity][0]))
    chosen = dict.fromkeys([entity.id for entity in wanted] + often[:MOST_ENTITIES])
    entities = graph.store.entities(chosen)
    keep = {entity.id for entity in wanted}
    pairs = []
    for one, other in combinations(chosen, 2):
        if keep and one not in keep and other not in keep:
            continue
        _, search = graph.derived(PathFinder).search(entities[one], entities[other], options)
        with search:
            hops = search.shortest
        if hops != FAR:
            gap = _gap(places.get(one, []), places.get(other, []), len(context.tokens))
            pairs.append(Pair(entities[one], entities[other], hops, gap))
    return sorted(pairs, key=lambda pair: (pair.hops, pair.gap, pair.head.iri, pair.tail.iri))


def _gap(ones: list[tuple[int, int]], others: list[tuple[int, int]], otherwise: int) -> int:
    """Tokens between the closest of two entities' mentions."""
    gaps = (max(c - b, a - d, 0) for a, b in ones for c, d in others)
    return min(gaps, default=otherwise)
