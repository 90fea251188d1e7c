"""A ranker learns from texts without answers: kgpath-general their words, any other the answers."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.io.progress import counted
from kgpath.io.queries import Query
from kgpath.io.texts import GivenText, TextFiles
from kgpath.learning.examples import QuerySet
from kgpath.learning.self_training import Learned, SelfTrained, departures, self_train
from kgpath.learning.text_questions import TextQuestions, questions_of
from kgpath.linking.context import Context
from kgpath.paths import DEFAULT_LIMIT
from kgpath.paths.finder import PathOptions
from kgpath.plugins import DEFAULT_RANKER, RANKERS
from kgpath.rankers.kgpath_general import KgpathGeneral
from kgpath.rankers.ltr.fact_examples import FactExample, fact_examples
from kgpath.rankers.ltr.relation_statistics import RelationStatistics
from kgpath.rankers.ranker import Ranker, TrainableRanker

#: One of so many texts is held back from a pupil that is put to the test.
HELD_BACK = 5
#: One question about a direct fact is learned from for so many others.
DIRECT_FOR = 7
#: So many answers to texts that were held back are compared.
COMPARED = 300


@dataclass
class TextTraining:
    """Texts without answers over a graph, and how a ranker learns from them.

    ``teacher`` is a ranker by name; without one it is the ranker itself as far as it knows
    anything, else the default one. ``own`` are questions with true answers over the same graph.
    """

    graph: Graph
    texts: Sequence[GivenText]
    own: QuerySet
    teacher: str | Ranker = ""
    options: PathOptions = field(default_factory=PathOptions)
    limit: int = DEFAULT_LIMIT
    seed: int = 0
    found: TextQuestions = field(default_factory=TextQuestions, init=False)
    taught: SelfTrained | None = field(default=None, init=False)
    examples: int = field(default=0, init=False)

    def teach(self, ranker: TrainableRanker, *, goes_on: bool = False) -> list[Query]:
        """Let a ranker learn from the texts and its own questions; gives what texts were answered.

        One that ``goes_on`` keeps what it learned before. BadOption where there is too little to
        learn from, or where a pupil is worse than its teacher.
        """
        if isinstance(ranker, KgpathGeneral):
            if len(self.own) and not goes_on:
                ranker.fit(self.own.examples(untold=True))
            if not ranker.ready:
                raise BadOption(
                    "kgpath-general learns words from texts, but its trees from questions with "
                    "answers: give some, or leave out shipped=false."
                )
            before = ranker.words_.statistics if ranker.words_ is not None else None
            self.taught = self._taught(self._teacher(ranker), before)
            ranker.words_ = self.taught.words
            self.examples = len(self.taught.learned) + len(self.own)
            return self.taught.queries
        self.taught = self._taught(self._teacher(ranker, learned=goes_on))
        pupil, (learned, kept_back) = copy.deepcopy(ranker), self._parted(self.taught.learned)
        self._learn(pupil, learned, goes_on)
        self._test(pupil, kept_back)
        self.examples = self._learn(ranker, self.taught.learned, goes_on)
        return self.taught.queries

    def report(self) -> dict[str, Any]:
        """What the texts gave, as plain data."""
        figures = self.taught.report() if self.taught is not None else {}
        return {"texts": self.found.texts, "silent": self.found.silent, **figures}

    def _teacher(self, ranker: TrainableRanker, *, learned: bool = False) -> Ranker:
        """Who answers the texts first."""
        if self.teacher:
            made: Ranker = RANKERS.make(self.teacher)
            return made
        if learned or ranker.ready:
            return ranker
        if not len(self.own):
            default: Ranker = RANKERS.make(DEFAULT_RANKER)
            return default
        teacher = copy.deepcopy(ranker)
        teacher.fit(self.own.examples(untold=ranker.learns_from_untold))
        return teacher

    def _taught(self, teacher: Ranker, before: RelationStatistics | None = None) -> SelfTrained:
        """What the texts and the own questions teach."""
        known: list[FactExample] = fact_examples(self.own.examples())
        self.found = questions_of(
            self.graph, self.texts, teacher, options=self.options, limit=self.limit, seed=self.seed
        )
        return self_train(self.found.asked, known, before, seed=self.seed)

    def _learn(self, ranker: TrainableRanker, learned: Sequence[Learned], goes_on: bool) -> int:
        """Learn from own questions and from those with learned answers; gives how many."""
        queries = [*(one.query for one in self.own), *(one.query() for one in thinned(learned))]
        query_set = QuerySet(self.graph, queries, options=self.options, limit=self.limit)
        examples = query_set.examples(untold=ranker.learns_from_untold)
        (ranker.go_on if goes_on else ranker.fit)(examples)
        return examples.count

    def _parted(self, learned: Sequence[Learned]) -> tuple[list[Learned], list[Learned]]:
        """Those of most texts, and those of the texts that are held back."""
        groups = sorted({one.question.example.group for one in learned})
        chosen = np.random.default_rng(self.seed).permutation(len(groups))[::HELD_BACK]
        held = {groups[at] for at in chosen.tolist()}
        parts: tuple[list[Learned], list[Learned]] = [], []
        for one in learned:
            parts[one.question.example.group in held].append(one)
        return parts

    def _test(self, pupil: Ranker, kept_back: Sequence[Learned]) -> None:
        """Refuse a pupil that is worse than its teacher on texts that were held back from it."""
        compared = kept_back[:COMPARED]
        context = Context(self.graph, "")
        answers = []
        for one in counted(compared, "testing the pupil", "questions"):
            if context.text != one.question.text.text:
                context = Context(self.graph, one.question.text.text)
            scores = pupil.score(PathFeatures(context, one.question.candidates)).total
            answers.append(int(scores.argmax()))
        departures([one.log_chances for one in compared], np.array(answers, dtype=np.int64))


def read_texts(
    source: str | Path | Sequence[GivenText],
) -> tuple[Sequence[GivenText], list[str]]:
    """The texts of a folder or file and what is wrong with others; texts pass as they are."""
    if not isinstance(source, str | Path):
        return source, []
    files = TextFiles(source)
    return files.texts, files.problems


def thinned(learned: Sequence[Learned]) -> list[Learned]:
    """The same with few questions about direct facts, if there are others.

    Most pairs of a text are joined by a direct fact, which any teacher finds: who learned mostly
    from those would take the direct path for the one that is meant.
    """
    direct = [one for one in learned if one.question.candidates.lengths[one.answer] == 1]
    longer = len(learned) - len(direct)
    most = max(1, longer // DIRECT_FOR) if longer else len(direct)
    dropped = {id(one) for one in sorted(direct, key=_drawn)[most:]}
    return [one for one in learned if id(one) not in dropped]


def _drawn(learned: Learned) -> str:
    """A place in an order that has nothing to do with what was asked."""
    query = learned.query()
    said = "\n".join((query.document, *query.paths[0]))
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=8).hexdigest()
