"""Which relations texts tell, and in which words: counted on questions with known answers.

A fact counts as told if it lies on a true path of any question over the same text. The counts are
made for relations and classes by IRI, so that they hold for another graph with the same ones.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore

Numbers = NDArray[np.float64]

#: Tokens on either side of the two ends that count as around them.
AROUND = 4
#: Ends farther apart than this say nothing by the words between them.
WIDEST = 25
#: How strongly the general frequency of a word weighs against a relation's own.
PRIOR = 0.5
#: How strongly a relation's own frequency weighs against that among entities of a class.
CLASS_PRIOR = 2.0
#: A word between two ends counts, whatever the relation, if it was met so often.
FEWEST = 4
#: The learned features of a fact.
LEARNED = {
    "told before": "how often the relation was told, against how often it was not",
    "words around": "how much likelier the words around the ends are with this relation told",
    "words between": "the same of the words between them",
    "told of head": "told before, among heads of the same class",
    "told of tail": "told before, among tails of the same class",
    "told rather": "how often it was told rather than the parallel relation that mostly wins",
    "any words": "how much likelier the words between are if any relation is told",
}


class Stretch(NamedTuple):
    """A fact in a text: its relation, the words around and between its ends, and their classes."""

    relation: str
    around: frozenset[str]
    between: frozenset[str]
    head: str = ""
    tail: str = ""

    @property
    def kinds(self) -> tuple[str, str]:
        """Its relation with the class of its head, and with that of its tail."""
        return f"{self.relation} {self.head}", f"{self.tail} {self.relation}"


class RelationStatistics:
    """Counts of relations, classes and words, and what they say of a fact in a text."""

    def __init__(self) -> None:
        self.facts = 0
        self.told: Counter[str] = Counter()
        self.untold: Counter[str] = Counter()
        self.everywhere: Counter[str] = Counter()
        self.words: dict[str, Counter[str]] = {}
        self.told_words: Counter[str] = Counter()
        self.told_kinds: Counter[str] = Counter()
        self.untold_kinds: Counter[str] = Counter()
        self.rather: Counter[str] = Counter()
        self.told_joints: Counter[str] = Counter()
        self.untold_joints: Counter[str] = Counter()

    def add(self, stretch: Stretch, told: bool, rivals: Iterable[str] = ()) -> None:
        """Count a fact; ``rivals`` are the relations that join its ends too and were not told."""
        words = {*stretch.around, *(f"{word}|" for word in stretch.between)}
        self.facts += 1
        self.everywhere.update(words)
        (self.told if told else self.untold)[stretch.relation] += 1
        (self.told_kinds if told else self.untold_kinds).update(stretch.kinds)
        if told:
            self.words.setdefault(stretch.relation, Counter()).update(words)
            self.told_words.update(words)
            self.rather.update(f"{stretch.relation} {rival}" for rival in rivals)

    def features(self, stretches: Sequence[Stretch], pair: NDArray[np.int64]) -> Numbers:
        """A row of LEARNED for each fact; not a number where nothing is known.

        Facts of one ``pair`` join the same two entities.
        """
        rows = np.full((len(stretches), len(LEARNED)), np.nan)
        for row, stretch in zip(rows, stretches, strict=True):
            told, untold = self.told[stretch.relation], self.untold[stretch.relation]
            if told + untold:
                row[0] = log((told + 0.5) / (untold + 0.5))
                row[3:5] = [self._of_kind(kind, row[0]) for kind in stretch.kinds]
            if told:
                row[1] = self._evidence(stretch.relation, stretch.around)
                row[2] = self._evidence(stretch.relation, (f"{w}|" for w in stretch.between))
            if stretch.between:
                row[6] = self._any_evidence(stretch.between)
        for places in _parallel(pair):
            for place in places:
                one = stretches[place].relation
                rows[place, 5] = self._against(one, (stretches[at].relation for at in places))
        return rows

    def add_joint(self, joint: str, told: bool) -> None:
        """Count two relations that meet at an entity."""
        (self.told_joints if told else self.untold_joints)[joint] += 1

    def of_joints(self, joints: Sequence[str]) -> Numbers:
        """How often each pair of relations was told together; not a number for a new one."""
        values = np.full(len(joints), np.nan)
        for at, joint in enumerate(joints):
            told, untold = self.told_joints[joint], self.untold_joints[joint]
            if told + untold:
                values[at] = log((told + 0.5) / (untold + 0.5))
        return values

    def _of_kind(self, kind: str, generally: float) -> float:
        told, untold = self.told_kinds[kind], self.untold_kinds[kind]
        share = CLASS_PRIOR / (1 + exp(-generally))
        return log((told + share) / (untold + CLASS_PRIOR - share))

    def _evidence(self, relation: str, words: Iterable[str]) -> float:
        """How much likelier the words are with this relation told than anywhere (naive Bayes)."""
        own, told = self.words[relation], self.told[relation]
        total = 0.0
        for word in sorted(words):  # in one order, so that the sum is the same to the last digit
            general = (self.everywhere[word] + 1) / (self.facts + 2)
            total += log((own[word] + PRIOR * general) / (told + PRIOR) / general)
        return total

    def _any_evidence(self, words: Iterable[str]) -> float:
        """How much likelier the words are between the ends of a told fact than of another."""
        told = self.told.total()
        untold = self.facts - told
        total = 0.0
        for word in sorted(f"{word}|" for word in words):
            with_told, all_of_it = self.told_words[word], self.everywhere[word]
            if all_of_it >= FEWEST:
                without = all_of_it - with_told
                total += log((with_told + 1) / (told + 2)) - log((without + 1) / (untold + 2))
        return total

    def _against(self, relation: str, others: Iterable[str]) -> float:
        """How often it was told rather than the parallel relation that mostly wins."""
        least = np.nan
        for other in set(others) - {relation}:
            won, lost = self.rather[f"{relation} {other}"], self.rather[f"{other} {relation}"]
            if won + lost:
                least = np.fmin(least, log((won + 0.5) / (lost + 0.5)))
        return float(least)

    def save(self, path: Path) -> None:
        """Write all counts as JSON."""
        data: dict[str, Any] = {"facts": self.facts}
        for name in _COUNTERS:
            data[name] = dict(sorted(getattr(self, name).items()))
        data["words"] = {
            relation: dict(sorted(words.items())) for relation, words in sorted(self.words.items())
        }
        path.write_text(json.dumps(data, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> RelationStatistics:
        """Read what was saved."""
        made = cls()
        try:
            data: Any = json.loads(path.read_text(encoding="utf-8"))
            made.facts = int(data["facts"])
            for name in _COUNTERS:
                setattr(made, name, Counter(data[name]))
            made.words = {key: Counter(words) for key, words in data["words"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
        return made


_COUNTERS = (
    "told", "untold", "everywhere", "told_words", "told_kinds", "untold_kinds", "rather",
    "told_joints", "untold_joints",
)  # fmt: skip


def _parallel(pair: NDArray[np.int64]) -> list[list[int]]:
    """The places of facts that join the same two entities, where there are several."""
    places: dict[int, list[int]] = {}
    for place, number in enumerate(pair.tolist()):
        places.setdefault(number, []).append(place)
    return [some for some in places.values() if len(some) > 1]
