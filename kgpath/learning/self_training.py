"""Learning without answers: what a teacher answers to many texts corrects what it answers to each.

A teacher's mistakes are of many kinds, and what it gets right repeats itself: which words go with
which relation, and what is told of whom. So the texts are put into two halves. What is counted over
the surest answers of one half moves the answers to the other; from these the next counts are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.io.progress import counted
from kgpath.io.queries import Query
from kgpath.learning.text_questions import Numbers, TextQuestion, log_chances
from kgpath.rankers.general.learned_words import CountedFacts, LearnedWords
from kgpath.rankers.ltr.fact_examples import FactExample
from kgpath.rankers.ltr.relation_statistics import RelationStatistics

#: How often the halves move each other's answers.
ROUNDS = 3
#: Of the questions so many are learned from, those with the surest answers.
SUREST = 0.8
#: Fewer texts than these say nothing of what holds for another text.
FEWEST_TEXTS = 8


class Learned(NamedTuple):
    """A question with the answer that it was given in the end: the place of a candidate.

    ``log_chances`` are those of all candidates in the end.
    """

    question: TextQuestion
    answer: int
    log_chances: Numbers

    def query(self) -> Query:
        """The same as a person might have written it."""
        path = self.question.candidates[self.answer]
        head, tail, given = path.nodes[0].iri, path.nodes[-1].iri, self.question.text
        return Query(given.id, head, tail, given.text, (tuple(path.iris()),))


class SelfTrained(NamedTuple):
    """What was learned from texts, and the questions with the answers it was learned from.

    ``departed`` is how often another answer was given to a text than the teacher's, by what was
    counted in other texts, over the surer half of its answers; ``doubted`` is how often the teacher
    is wrong there, by itself.
    """

    words: LearnedWords
    learned: list[Learned]
    asked: int
    departed: float
    doubted: float

    @property
    def queries(self) -> list[Query]:
        """The questions that were learned from, with their answers."""
        return [one.query() for one in self.learned]

    def report(self) -> dict[str, float]:
        """The figures as plain data."""
        return {
            "asked": self.asked, "learned from": len(self.learned),
            "departed": round(self.departed, 4), "doubted": round(self.doubted, 4),
        }  # fmt: skip


def self_train(
    asked: Sequence[TextQuestion],
    known: Sequence[FactExample] = (),
    before: RelationStatistics | None = None,
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> SelfTrained:
    """Learn from the questions of texts; ``known`` have true answers, ``before`` was counted.

    BadOption where there is too little to learn from, or where what was learned is worse than the
    teacher on texts that it was not learned from.
    """
    half = _halves(asked, seed)
    facts = [CountedFacts.of_example(one.example) for one in asked]
    chances = [one.log_chances for one in asked]
    for _ in counted(range(rounds), "self-training", "rounds"):
        answers, surest = _surest(chances)
        words = [_counted(asked, answers, surest & (half == own), known, before) for own in (0, 1)]
        chances = [
            log_chances(one.log_chances + words[1 - own].gain(own_facts))
            for one, own_facts, own in zip(asked, facts, half.tolist(), strict=True)
        ]
    answers, surest = _surest(chances)
    departed, doubted = departures([one.log_chances for one in asked], answers)
    words_of_all = _counted(asked, answers, surest, known, before)
    learned = [
        Learned(asked[at], int(answers[at]), chances[at]) for at in np.flatnonzero(surest).tolist()
    ]
    return SelfTrained(words_of_all, learned, len(asked), departed, doubted)


def departures(teacher: Sequence[Numbers], answers: NDArray[np.int64]) -> tuple[float, float]:
    """How often answers depart from the surer half of a teacher's, and how often it doubts them.

    Whoever departs more than twice as often as the teacher is wrong is wrong more often: where it
    departs and the teacher is right, it errs. That is a BadOption: the teacher is kept.
    """
    sure = np.array([float(one.max()) for one in teacher])
    surer = np.flatnonzero(sure >= np.median(sure))
    departed = float(np.mean([int(teacher[at].argmax()) != answers[at] for at in surer.tolist()]))
    doubted = float(1 - np.exp(sure[surer]).mean())
    chance = (departed * (1 - departed) / len(surer)) ** 0.5
    if departed > 2 * (doubted + chance):
        raise BadOption(
            f"What was learned is worse than its teacher: on texts that it was not learned from, "
            f"it departs from {departed:.0%} of the teacher's surer answers, of which the teacher "
            f"itself doubts {doubted:.0%}. Keep the teacher; more texts would help."
        )
    return departed, doubted


def _halves(asked: Sequence[TextQuestion], seed: int) -> NDArray[np.int64]:
    """The half of each question; those of one text are in one, whatever the order of texts."""
    groups = sorted({one.example.group for one in asked})
    if len(groups) < FEWEST_TEXTS:
        raise BadOption(
            f"{len(groups) or 'None'} of the texts surely tell how two entities of the graph are "
            f"related, by the teacher; it takes {FEWEST_TEXTS}. Give more texts about what the "
            "graph is about, or questions with answers."
        )
    numbers = np.random.default_rng(seed).permutation(len(groups)) % 2
    half = dict(zip(groups, numbers.tolist(), strict=True))
    return np.array([half[one.example.group] for one in asked], dtype=np.int64)


def _surest(chances: Sequence[Numbers]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The best path of each question, and which questions have the surest of these."""
    answers = np.array([int(one.argmax()) for one in chances], dtype=np.int64)
    sure = np.array([float(one.max()) for one in chances])
    return answers, sure >= np.quantile(sure, 1 - SUREST)


def _counted(
    asked: Sequence[TextQuestion],
    answers: NDArray[np.int64],
    chosen: NDArray[np.bool_],
    known: Sequence[FactExample],
    before: RelationStatistics | None,
) -> LearnedWords:
    """What the chosen answers teach, beside true ones and what was counted before."""
    learned = [
        replace(asked[at].example, true=(int(answers[at]),))
        for at in np.flatnonzero(chosen).tolist()
    ]
    return LearnedWords.counted([*known, *learned], before)
