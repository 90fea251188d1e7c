"""Which relations texts express, and in which words: counted on queries with known answers.

A fact counts as expressed if it lies on a true path of any query over the same text. The counts are
made for relations and classes by IRI, so that they hold for another graph with the same ones.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore
from kgpath.features.feature_table import FeatureTable
from kgpath.io.saved_json import read_json
from kgpath.rankers.ltr.fact_spans import FactSpan

Numbers = NDArray[np.float64]

#: How strongly the general frequency of a word weighs against a relation's own.
PRIOR = 0.5
#: How strongly a relation's own frequency weighs against that among entities of a class.
CLASS_PRIOR = 2.0
#: A word between two ends counts, whatever the relation, if it was met so often.
FEWEST = 4
#: The learned features of a fact.
LEARNED = {
    "expressed before": "how often the relation was expressed, against how often it was not",
    "words around": "how much likelier the words around the ends are with this relation expressed",
    "words between": "the same of the words between them",
    "expressed of head": "expressed before, among heads of the same class",
    "expressed of tail": "expressed before, among tails of the same class",
    "expressed rather": "how often it was expressed, not the parallel relation that mostly wins",
    "any words": "how much likelier the words between are if any relation is expressed",
}


class RelationStatistics:
    """Counts of relations, classes and words, and what they say of a fact in a text."""

    def __init__(self) -> None:
        self.facts = 0
        self.expressed: Counter[str] = Counter()
        self.unexpressed: Counter[str] = Counter()
        self.all_words: Counter[str] = Counter()
        self.relation_words: dict[str, Counter[str]] = {}
        self.expressed_words: Counter[str] = Counter()
        self.expressed_classes: Counter[str] = Counter()
        self.unexpressed_classes: Counter[str] = Counter()
        self.preferred: Counter[str] = Counter()
        self.expressed_pairs: Counter[str] = Counter()
        self.unexpressed_pairs: Counter[str] = Counter()

    def add(self, span: FactSpan, expressed: bool, rivals: Iterable[str] = ()) -> None:
        """Count a fact; ``rivals`` join its ends too and were not expressed."""
        words = {*span.around, *map(_as_between, span.between)}
        self.facts += 1
        self.all_words.update(words)
        (self.expressed if expressed else self.unexpressed)[span.relation] += 1
        classes = self.expressed_classes if expressed else self.unexpressed_classes
        classes.update(span.with_classes)
        if expressed:
            self.relation_words.setdefault(span.relation, Counter()).update(words)
            self.expressed_words.update(words)
            self.preferred.update(f"{span.relation} {rival}" for rival in rivals)

    def features(self, spans: Sequence[FactSpan], entity_pair: NDArray[np.int64]) -> FeatureTable:
        """LEARNED for each fact; not a number where nothing is known.

        Facts of one ``entity_pair`` join the same two entities.
        """
        columns = {name: np.full(len(spans), np.nan) for name in LEARNED}
        for at, span in enumerate(spans):
            for name, value in self._of_fact(span).items():
                columns[name][at] = value
        for places in _parallel(entity_pair):
            relations = [spans[place].relation for place in places]
            for place, relation in zip(places, relations, strict=True):
                columns["expressed rather"][place] = self._against(relation, relations)
        return FeatureTable.of(LEARNED, columns)

    def add_pair(self, pair: str, expressed: bool) -> None:
        """Count two relations that meet at an entity."""
        (self.expressed_pairs if expressed else self.unexpressed_pairs)[pair] += 1

    def pair_odds(self, pairs: Sequence[str]) -> Numbers:
        """How often each pair of relations was expressed together; not a number for a new one."""
        odds = [_odds(self.expressed_pairs[pair], self.unexpressed_pairs[pair]) for pair in pairs]
        return np.array(odds, dtype=np.float64)

    def _of_fact(self, span: FactSpan) -> dict[str, float]:
        """What is known of a fact, whatever the parallel ones."""
        expressed, known = self.expressed[span.relation], {}
        if expressed + self.unexpressed[span.relation]:
            before = _odds(expressed, self.unexpressed[span.relation])
            of_head, of_tail = (self._of_class(name, before) for name in span.with_classes)
            known["expressed before"] = before
            known["expressed of head"], known["expressed of tail"] = of_head, of_tail
        if expressed:
            between = map(_as_between, span.between)
            known["words around"] = self._evidence(span.relation, span.around)
            known["words between"] = self._evidence(span.relation, between)
        if span.between:
            known["any words"] = self._any_evidence(span.between)
        return known

    def _of_class(self, with_class: str, generally: float) -> float:
        share = CLASS_PRIOR / (1 + exp(-generally))
        yes, no = self.expressed_classes[with_class], self.unexpressed_classes[with_class]
        return log((yes + share) / (no + CLASS_PRIOR - share))

    def _evidence(self, relation: str, words: Iterable[str]) -> float:
        """How much likelier the words are with this relation than anywhere (naive Bayes)."""
        own, expressed = self.relation_words[relation], self.expressed[relation]
        total = 0.0
        for word in sorted(words):  # in one order, so that the sum is the same to the last digit
            general = (self.all_words[word] + 1) / (self.facts + 2)
            total += log((own[word] + PRIOR * general) / (expressed + PRIOR) / general)
        return total

    def _any_evidence(self, words: Iterable[str]) -> float:
        """How much likelier the words are between the ends of an expressed fact than of another."""
        expressed = self.expressed.total()
        not_expressed = self.facts - expressed
        total = 0.0
        for word in sorted(map(_as_between, words)):
            with_it, all_of_it = self.expressed_words[word], self.all_words[word]
            if all_of_it >= FEWEST:
                without = log((all_of_it - with_it + 1) / (not_expressed + 2))
                total += log((with_it + 1) / (expressed + 2)) - without
        return total

    def _against(self, relation: str, others: Iterable[str]) -> float:
        """How often it was expressed rather than the parallel relation that mostly wins."""
        least = np.nan
        for other in set(others) - {relation}:
            won, lost = self.preferred[f"{relation} {other}"], self.preferred[f"{other} {relation}"]
            least = np.fmin(least, _odds(won, lost))
        return float(least)

    def save(self, path: Path) -> None:
        """Write all counts as JSON."""
        data: dict[str, Any] = {"facts": self.facts}
        for key, name in _FILE_KEYS.items():
            data[key] = dict(sorted(getattr(self, name).items()))
        data["words"] = {
            relation: dict(sorted(words.items()))
            for relation, words in sorted(self.relation_words.items())
        }
        path.write_text(json.dumps(data, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> RelationStatistics:
        """Read what was saved."""
        made = cls()
        try:
            data = read_json(path, dict)
            made.facts = _count(data["facts"])
            for key, name in _FILE_KEYS.items():
                setattr(made, name, _counts(data[key]))
            made.relation_words = {key: _counts(words) for key, words in data["words"].items()}
            made._check()
        except (OSError, ValueError, KeyError, AttributeError) as error:
            raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
        return made

    def _check(self) -> None:
        """Refuse counts of which a part is more than the whole: their logarithms do not exist."""
        met = {relation for relation, times in self.expressed.items() if times}
        if (
            self.expressed.total() > self.facts
            or not self.expressed_words <= self.all_words
            or not met <= self.relation_words.keys()
        ):
            raise ValueError("its counts contradict each other")


#: What the counts are called in files, which older versions wrote in the same way.
_FILE_KEYS = {
    "told": "expressed",
    "untold": "unexpressed",
    "everywhere": "all_words",
    "told_words": "expressed_words",
    "told_kinds": "expressed_classes",
    "untold_kinds": "unexpressed_classes",
    "rather": "preferred",
    "told_joints": "expressed_pairs",
    "untold_joints": "unexpressed_pairs",
}


#: More facts than anybody will ever count.
_MOST = 10**9


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise ValueError(f"a count is not a whole number from 0 to {_MOST:,}")
    return value


def _counts(data: dict[str, Any]) -> Counter[str]:
    return Counter({name: _count(times) for name, times in data.items()})


def _as_between(word: str) -> str:
    """A word between two ends, as it is counted: apart from the same word around them."""
    return f"{word}|"


def _odds(yes: int, no: int) -> float:
    """The logarithm of the odds; not a number where nothing was counted."""
    return log((yes + 0.5) / (no + 0.5)) if yes + no else np.nan


def _parallel(pair: NDArray[np.int64]) -> list[list[int]]:
    """The places of facts that join the same two entities, where there are several."""
    places: dict[int, list[int]] = {}
    for place, number in enumerate(pair.tolist()):
        places.setdefault(number, []).append(place)
    return [some for some in places.values() if len(some) > 1]
