"""What runs show beyond means: errors, path lengths, diversity, correlations, no-passage turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.dialogue.evaluation import NAN, Run
from kgpath.dialogue.titles import title_key


class Errors(NamedTuple):
    """Shares of the turns with a known sentence; the first three sum to 1."""

    turns: int
    correct: float
    right_title: float
    wrong_title: float
    wrong_with_overlap: float
    wrong_know_f1: float


def errors(run: Run) -> Errors:
    """Right sentence, wrong sentence of the right title, wrong title."""
    known = [o for o in run.outcomes if o.know_acc == o.know_acc]
    wrong = [o for o in known if not o.entity_acc]
    number = max(len(known), 1)
    correct = sum(o.know_acc for o in known) / number
    missed = len(wrong) / number
    return Errors(
        len(known),
        correct,
        1 - correct - missed if known else 0.0,
        missed,
        sum(o.know_f1 > 0 for o in wrong) / number,
        sum(o.know_f1 for o in wrong) / len(wrong) if wrong else NAN,
    )


class Bucket(NamedTuple):
    """The turns whose chain has this many steps; None for those without a chain."""

    length: int | None
    turns: int
    user: float
    know_f1: float
    entity_acc: float
    known: int  # turns of the bucket whose title is known


def buckets(run: Run) -> list[Bucket]:
    """The turns by the length of their chain, those without one last."""
    by_length: dict[int | None, list[int]] = {}
    for at, outcome in enumerate(run.outcomes):
        by_length.setdefault(outcome.selection.path_length, []).append(at)
    rows = []
    for length in sorted(by_length, key=lambda value: (value is None, value or 0)):
        some = Run(run.name, tuple(run.outcomes[at] for at in by_length[length]))
        known = len(some.values("EntityAcc")[0])
        user, know_f1, entity_acc = map(some.mean, ("UserScore", "KnowF1", "EntityAcc"))
        rows.append(Bucket(length, len(some.outcomes), user, know_f1, entity_acc, known))
    return rows


class NoPassage(NamedTuple):
    """How often a turn needs no passage, is said to need none, and both."""

    turns: int
    gold: int
    predicted: int
    correct: int

    @property
    def precision(self) -> float:
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0


def no_passage(run: Run) -> NoPassage:
    """Selecting the no-passage entry, over turns that say whether they used evidence."""
    pairs = [
        (not o.selection.turn.grounded, not o.selection.candidate.is_evidence)
        for o in run.outcomes
        if o.selection.turn.grounded is not None
    ]
    return NoPassage(
        len(pairs),
        sum(gold for gold, _ in pairs),
        sum(predicted for _, predicted in pairs),
        sum(gold and predicted for gold, predicted in pairs),
    )


class Diversity(NamedTuple):
    """How dialogues move between titles, and how that goes with the user score."""

    distinct: float
    new: float
    distinct_pearson: float
    distinct_spearman: float
    new_pearson: float
    new_spearman: float


def movement(run: Run) -> list[tuple[float, float, float]]:
    """Per dialogue: distinct titles per turn, share of new titles after the first turn, score."""
    by_dialogue: dict[str, list[int]] = {}
    for at, outcome in enumerate(run.outcomes):
        by_dialogue.setdefault(outcome.dialogue, []).append(at)
    rows = []
    for places in by_dialogue.values():
        titles = [title_key(run.outcomes[at].selection.title) for at in places]
        fresh = [title not in titles[:at] for at, title in enumerate(titles)][1:]
        scores = [run.outcomes[at].user for at in places]
        rows.append(
            (
                len(set(titles)) / len(titles),
                sum(fresh) / len(fresh) if fresh else NAN,
                sum(scores) / len(scores),
            )
        )
    return rows


def diversity(run: Run) -> Diversity:
    """The means over dialogues, and the correlations with the user score of each."""
    rows = np.array(movement(run), dtype=np.float64).reshape(-1, 3)
    distinct, new, score = rows.T
    several = ~np.isnan(new)
    return Diversity(
        float(distinct.mean()) if len(rows) else NAN,
        float(new[several].mean()) if several.any() else NAN,
        pearson(distinct, score),
        spearman(distinct, score),
        pearson(new, score),
        spearman(new, score),
    )


Numbers = NDArray[np.float64]


def pearson(one: Sequence[float] | Numbers, other: Sequence[float] | Numbers) -> float:
    """The correlation of two lists, over the places where both have a number; NaN if constant."""
    pairs = np.array([one, other], dtype=np.float64)
    first, second = pairs[:, ~np.isnan(pairs).any(axis=0)]
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return NAN
    return float(np.corrcoef(first, second)[0, 1])


def spearman(one: Sequence[float] | Numbers, other: Sequence[float] | Numbers) -> float:
    """The correlation of the ranks of two lists; equal numbers share their mean rank."""
    pairs = np.array([one, other], dtype=np.float64)
    first, second = pairs[:, ~np.isnan(pairs).any(axis=0)]
    return pearson(_ranks(first), _ranks(second))


def _ranks(values: Numbers) -> Numbers:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Numbers = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks
