"""Which relations texts tell, and in which words: counted on questions with known answers.

A fact counts as told if it lies on a true path of any question over the same text. The counts are
made for relations by IRI, so that they hold for another graph with the same relations.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
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
#: The learned features of a fact.
LEARNED = ("told before", "words around", "words between")


class Stretch(NamedTuple):
    """A fact in a text: its relation's IRI, the words around its ends, and those between them."""

    relation: str
    around: frozenset[str]
    between: frozenset[str]


class RelationStatistics:
    """Counts of relations and words, and what they say of a fact in a text."""

    def __init__(self) -> None:
        self.told: Counter[str] = Counter()
        self.untold: Counter[str] = Counter()
        self.words: dict[str, Counter[str]] = {}
        self.everywhere: Counter[str] = Counter()
        self.facts = 0

    def add(self, stretches: Iterable[Stretch], told: Iterable[bool]) -> None:
        """Count some facts."""
        for stretch, is_told in zip(stretches, told, strict=True):
            words = {*stretch.around, *(f"{word}|" for word in stretch.between)}
            self.facts += 1
            self.everywhere.update(words)
            (self.told if is_told else self.untold)[stretch.relation] += 1
            if is_told:
                self.words.setdefault(stretch.relation, Counter()).update(words)

    def features(self, stretches: Sequence[Stretch]) -> Numbers:
        """A row of LEARNED for each fact; not a number where nothing is known of its relation."""
        rows = np.full((len(stretches), len(LEARNED)), np.nan)
        for row, stretch in zip(rows, stretches, strict=True):
            told, untold = self.told[stretch.relation], self.untold[stretch.relation]
            if told + untold:
                row[0] = log((told + 0.5) / (untold + 0.5))
            if told:
                row[1] = self._evidence(stretch.relation, stretch.around)
                row[2] = self._evidence(stretch.relation, (f"{w}|" for w in stretch.between))
        return rows

    def _evidence(self, relation: str, words: Iterable[str]) -> float:
        """How much likelier the words are with this relation told than anywhere (naive Bayes)."""
        own, told = self.words[relation], self.told[relation]
        total = 0.0
        for word in sorted(words):  # in one order, so that the sum is the same to the last digit
            general = (self.everywhere[word] + 1) / (self.facts + 2)
            total += log((own[word] + PRIOR * general) / (told + PRIOR) / general)
        return total

    def save(self, path: Path) -> None:
        """Write all counts as JSON."""
        data = {
            "facts": self.facts,
            "told": dict(sorted(self.told.items())),
            "untold": dict(sorted(self.untold.items())),
            "everywhere": dict(sorted(self.everywhere.items())),
            "words": {
                key: dict(sorted(words.items())) for key, words in sorted(self.words.items())
            },
        }
        path.write_text(json.dumps(data, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> RelationStatistics:
        """Read what was saved."""
        made = cls()
        try:
            data: Any = json.loads(path.read_text(encoding="utf-8"))
            made.facts = int(data["facts"])
            made.told, made.untold = Counter(data["told"]), Counter(data["untold"])
            made.everywhere = Counter(data["everywhere"])
            made.words = {key: Counter(words) for key, words in data["words"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
        return made
