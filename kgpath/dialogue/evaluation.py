"""How good are selectors on dialogues whose true sentences are known?

Turn by turn first, means after. A turn whose true sentence is not among the candidates is left out
of KnowAcc and EntityAcc, and counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kgpath.dialogue.generator import Generator, copy
from kgpath.dialogue.records import Dialogue
from kgpath.dialogue.scores import rouge_l, token_f1
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector
from kgpath.dialogue.titles import title_key
from kgpath.errors import BadOption
from kgpath.io.progress import Progress, silent
from kgpath.metrics.comparison import Interval, bootstrap

NAN = math.nan
#: The numbers of a turn that means are taken of.
METRICS = ("KnowF1", "KnowAcc", "EntityAcc", "RespGroundF1", "ROUGE-L", "UserScore", "NoPath")


class Outcome(NamedTuple):
    """What a selector did on one turn; a number is NaN where the turn does not say it."""

    dialogue: str
    turn: str
    selection: Selection
    response: str
    know_f1: float
    know_acc: float
    entity_acc: float
    ground_f1: float
    rouge: float
    user: float
    no_path: float

    def value(self, metric: str) -> float:
        """A number by the name of its metric."""
        number = self[4 + METRICS.index(metric)]
        assert isinstance(number, float)
        return number


@dataclass(frozen=True)
class Run:
    """What one selector did on all turns."""

    name: str
    outcomes: tuple[Outcome, ...]

    def values(self, metric: str) -> tuple[list[float], list[str]]:
        """The numbers of the turns that have one, and the dialogue of each."""
        pairs = [(o.value(metric), o.dialogue) for o in self.outcomes]
        known = [(value, group) for value, group in pairs if not math.isnan(value)]
        return [value for value, _ in known], [group for _, group in known]

    def mean(self, metric: str) -> float:
        """The mean over the turns that have this number; NaN if none has."""
        values, _ = self.values(metric)
        return sum(values) / len(values) if values else NAN

    def interval(
        self, metric: str, by_dialogue: bool = False, resamples: int = 1000, seed: int = 0
    ) -> Interval | None:
        """The mean with its 95 % bootstrap interval, over turns or over whole dialogues."""
        values, groups = self.values(metric)
        if not values:
            return None
        return bootstrap(values, groups if by_dialogue else None, resamples=resamples, seed=seed)

    def rows(self) -> Iterable[dict[str, Any]]:
        """A plain row for each turn."""
        for outcome in self.outcomes:
            selection = outcome.selection
            yield {
                "run": self.name,
                "dialogue": outcome.dialogue,
                "turn": outcome.turn,
                "chosen": selection.chosen,
                "title": selection.title,
                "label": selection.turn.gold,
                "chain": None if selection.chain is None else str(selection.chain),
                "response": outcome.response,
                **{name: _plain(outcome.value(name)) for name in METRICS},
            }


def difference(
    one: Run,
    other: Run,
    metric: str,
    by_dialogue: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval | None:
    """The paired difference one − other over the same turns, with its interval."""
    if [o.turn for o in one.outcomes] != [o.turn for o in other.outcomes]:
        raise BadOption("Only runs over the same turns can be compared.")
    pairs = [
        (a.value(metric) - b.value(metric), a.dialogue)
        for a, b in zip(one.outcomes, other.outcomes, strict=True)
    ]
    known = [(value, group) for value, group in pairs if not math.isnan(value)]
    if not known:
        return None
    groups = [group for _, group in known] if by_dialogue else None
    return bootstrap([value for value, _ in known], groups, resamples=resamples, seed=seed)


def run(
    name: str,
    selector: Selector,
    dialogues: Sequence[Dialogue],
    generator: Generator = copy,
    progress: Progress = silent,
) -> Run:
    """Let a selector go through dialogues; each of its choices is where the next turn starts."""
    outcomes = []
    for at, dialogue in enumerate(dialogues):
        progress(name, at, len(dialogues))
        for selection in selector.select_all(dialogue):
            outcomes.append(outcome_of(dialogue, selection, generator))
    return Run(name, tuple(outcomes))


def outcome_of(dialogue: Dialogue, selection: Selection, generator: Generator = copy) -> Outcome:
    """The numbers of one turn."""
    turn = selection.turn
    response = generator(selection)
    true = turn.gold_sentence if turn.gold is None else turn.candidates[turn.gold].sentence
    ground = rouge = NAN
    if turn.response:
        # How much the selected evidence supports what was said, whoever words the answer.
        ground = token_f1(selection.sentence, turn.response)
        rouge = rouge_l(response, turn.response)
    return Outcome(
        dialogue.id,
        turn.id,
        selection,
        response,
        token_f1(selection.sentence, true) if true else NAN,
        NAN if turn.gold is None else float(_same(selection, turn.gold)),
        NAN if turn.gold_title is None else float(_at(selection.title, turn.gold_title)),
        ground,
        rouge,
        (rouge + ground) / 2,
        NAN if selection.graph is None else float(selection.path_length is None),
    )


def _same(selection: Selection, gold: int) -> bool:
    """Whether the true candidate was chosen, or a copy of it."""
    return selection.candidate == selection.turn.candidates[gold]


def _at(title: str, gold_title: str) -> bool:
    return title_key(title) == title_key(gold_title)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
