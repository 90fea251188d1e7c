"""Questions that texts put by themselves: pairs that a text surely relates, without an answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.answer import RELEVANT_FROM
from kgpath.errors import KgpathError
from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.io.progress import counted
from kgpath.io.texts import GivenText
from kgpath.learning.resolve import group_of
from kgpath.linking.context import Context
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import DEFAULT_RANKER, RANKERS
from kgpath.rankers.general.learned_words import log_sum
from kgpath.rankers.ltr.fact_examples import FactExample, fact_example
from kgpath.rankers.ranker import Ranker
from kgpath.retriever import propose_pairs
from kgpath.types import Entity

Numbers = NDArray[np.float64]

#: Of the pairs of a text so many are asked about for each number of hops, the closest first.
OF_EACH_LENGTH = 6
#: More questions than these hardly fit into memory; then some texts are left out, by chance.
MOST_QUESTIONS = 20_000


class TextQuestion(NamedTuple):
    """A pair that a text tells of, without an answer.

    ``log_chances`` is what the teacher makes of each candidate: the logarithm of its chance among
    them; ``example`` has what can be counted of the question.
    """

    text: GivenText
    candidates: PathArrays
    example: FactExample
    log_chances: Numbers


@dataclass
class TextQuestions:
    """What texts ask, in their order. ``silent`` texts name no pair of which they surely tell."""

    asked: list[TextQuestion] = field(default_factory=list)
    texts: int = 0
    silent: int = 0
    notes: list[str] = field(default_factory=list)


def questions_of(
    graph: Graph,
    texts: Sequence[GivenText],
    teacher: Ranker,
    *,
    options: PathOptions | None = None,
    limit: int = DEFAULT_LIMIT,
    seed: int = 0,
) -> TextQuestions:
    """The pairs of all texts of which the text surely tells, by the teacher's own probability.

    A teacher that has none is helped by the default ranker. A pair that a text brings along is
    asked about whatever that says.
    """
    assert graph.index  # made now, if it has to be: it is no part of the first text
    asks = _Asks(graph, teacher, options or PathOptions(), limit)
    found = TextQuestions(texts=len(texts))
    # In an order by chance, so that those that are left out are no special ones.
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()
    asked: dict[int, list[TextQuestion]] = {}
    count = 0
    for place in counted(order, "asking the texts", "texts"):
        if count >= MOST_QUESTIONS:
            found.notes.append(
                f"{MOST_QUESTIONS:,} questions are enough: {len(texts) - len(asked):,} texts were "
                "not asked."
            )
            break
        asked[place] = []
        try:
            asked[place] = list(asks.of(texts[place]))
        except KgpathError as error:
            found.notes.append(f"{texts[place].id}: {str(error).splitlines()[0]} It is left out.")
        found.silent += not asked[place]
        count += len(asked[place])
    found.asked = [question for place in sorted(asked) for question in asked[place]]
    return found


def log_chances(scores: Numbers) -> Numbers:
    """The logarithm of the chance of each path to be the one, among all."""
    odds = np.asarray(scores, dtype=np.float64)
    return np.asarray(odds - log_sum(odds))


class _Asks:
    """Puts the questions of one text after the other."""

    def __init__(self, graph: Graph, teacher: Ranker, options: PathOptions, limit: int) -> None:
        self.graph, self.teacher, self.options, self.limit = graph, teacher, options, limit
        self.judge: Ranker = RANKERS.make(DEFAULT_RANKER)

    def of(self, given: GivenText) -> Iterator[TextQuestion]:
        """The questions of a text."""
        context = Context(self.graph, given.text)
        if given.head is not None and given.tail is not None:
            ends = context.entity(given.head), context.entity(given.tail)
            pairs, told = [ends], lambda sure: True
        else:
            pairs, told = self._pairs(context), lambda sure: sure >= RELEVANT_FROM
        for head, tail in pairs:
            question = self._question(given, context, head, tail, told)
            if question is not None:
                yield question

    def _pairs(self, context: Context) -> list[tuple[Entity, Entity]]:
        """Some pairs of each number of hops, the closest in the text first."""
        chosen: dict[int, list[tuple[Entity, Entity]]] = defaultdict(list)
        for pair in propose_pairs(context, (), self.options):
            if len(chosen[pair.hops]) < OF_EACH_LENGTH:
                chosen[pair.hops].append((pair.head, pair.tail))
        return [pair for pairs in chosen.values() for pair in pairs]

    def _question(
        self,
        given: GivenText,
        context: Context,
        head: Entity,
        tail: Entity,
        told: Callable[[float], bool],
    ) -> TextQuestion | None:
        found = candidates_for(context, head, tail, self.options, self.limit)
        if len(found) < 2:  # nothing to choose
            return None
        features = PathFeatures(context, found)
        scores = self.teacher.score(features)
        sure = scores.probability
        if sure is None:
            sure = self.judge.score(features).probability
        if sure is not None and not told(float(sure.max())):
            return None
        example = fact_example(features, (), group_of(given.text))
        return TextQuestion(given, found, example.to_count(), log_chances(scores.total))
