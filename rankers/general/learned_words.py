"""What a user's own texts teach: which relation their words mean, and what they tell of a class.

A model for every graph knows no relation by name. Counts of relations, classes and words over
answered questions do, and move its odds between the paths of a question: as in Bayes' rule, the
chance that the text tells one of them stays what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgpath.features.path_features import PathFeatures, row_sums
from kgpath.rankers.ltr.counting import count_relations
from kgpath.rankers.ltr.fact_examples import (
    FactExample,
    expressed_masks,
    numbered_ends,
    relation_pairs_of,
)
from kgpath.rankers.ltr.fact_spans import FactSpan, fact_spans
from kgpath.rankers.ltr.relation_statistics import RelationStatistics

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

#: How much counts are believed, in round numbers; doubling or halving them changes little. That a
#: relation is told of entities of these classes, that words between two names go with it, and that
#: two relations meet: naive Bayes counts the last two as if they were independent, which they are
#: not, so that a tenth of each is left.
CLASSES, BETWEEN, MEETINGS = 0.2, 0.1, 0.1
#: Counts over so many told facts are half believed: those of a few texts hold for these alone.
HALF_BELIEVED = 300
#: No count says more than this of a single fact.
MOST = 6.0


@dataclass(frozen=True)
class CountedFacts:
    """The facts of a query and the paths over them, by what is counted of them."""

    spans: Sequence[FactSpan]
    entity_pair: Places  # the pair of entities that each fact joins
    along: Places  # the facts along each path, -1 after its end
    relation_pairs: tuple[str, ...]
    pairs_along: Places

    @classmethod
    def of_example(cls, example: FactExample) -> CountedFacts:
        """Those of an example to learn from."""
        return cls(
            example.spans, example.entity_pair, example.facts_along, example.relation_pairs,
            example.pairs_along,
        )  # fmt: skip

    @classmethod
    def of_features(cls, features: PathFeatures, entity_pair: Places) -> CountedFacts:
        """Those of a query."""
        relations = features.context.graph.store.relations
        iris = [relations[number].iri for number in features.facts.relations.tolist()]
        along = features.facts.along
        pairs, pairs_along = relation_pairs_of(along, numbered_ends(features), iris)
        return cls(tuple(fact_spans(features, iris)), entity_pair, along, pairs, pairs_along)


@dataclass(frozen=True)
class LearnedWords:
    """Counts of relations, classes and words, and what they say of whole paths."""

    statistics: RelationStatistics

    @classmethod
    def counted(
        cls, examples: Sequence[FactExample], before: RelationStatistics | None = None
    ) -> LearnedWords:
        """Counts over questions with answers, beside what was counted before."""
        told = zip(examples, expressed_masks(examples), strict=True)
        return cls(count_relations(told, before))

    def moved(self, facts: CountedFacts, odds: Numbers) -> Numbers:
        """What is added to the log odds of each path; the chance of them all stays as it is."""
        gain = self.gain(facts)
        return np.asarray(gain + log_sum(odds) - log_sum(odds + gain))

    def gain(self, facts: CountedFacts) -> Numbers:
        """What the counts say of each path, beside no other."""
        table = self.statistics.features(facts.spans, facts.entity_pair)

        def known(name: str) -> Numbers:
            return np.clip(np.nan_to_num(table[name].astype(np.float64), nan=0.0), -MOST, MOST)

        classes = (known("expressed of head") + known("expressed of tail")) / 2
        of_facts = CLASSES * classes + BETWEEN * known("words between")
        meetings = np.nan_to_num(self.statistics.pair_odds(facts.relation_pairs), nan=0.0)
        told = self.statistics.expressed.total()
        belief = told / (told + HALF_BELIEVED)
        of_paths = _sums(of_facts, facts.along) + MEETINGS * _sums(meetings, facts.pairs_along)
        return np.asarray(belief * of_paths)

    def save(self, path: Path) -> None:
        """Write the counts as JSON."""
        self.statistics.save(path)

    @classmethod
    def load(cls, path: Path) -> LearnedWords:
        """Read what was saved; BadStore says what is wrong with it."""
        return cls(RelationStatistics.load(path))


def log_sum(odds: Numbers) -> float:
    """The logarithm of a sum of odds, the same to the last digit in whichever order they stand."""
    most = float(odds.max())
    return most + float(np.log(np.sort(np.exp(odds - most)).sum()))


def _sums(values: Numbers, along: Places) -> Numbers:
    """The sum along each path; nothing after its end."""
    return row_sums(np.where(along >= 0, np.append(values, 0.0)[along], 0.0))
