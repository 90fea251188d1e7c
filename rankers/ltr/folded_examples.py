"""Examples in folds by text: what the statistics say of one was counted on the other folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.ltr.counting import Mask, count_relations
from kgpath.rankers.ltr.fact_examples import FactExample
from kgpath.rankers.ltr.fact_table import fact_table, without_statistics
from kgpath.rankers.ltr.relation_statistics import RelationStatistics

#: Queries are learned from in so many folds, so that nothing is judged by what it taught.
FOLDS = 5


class FoldedExample(NamedTuple):
    """An example with its facts and relation pairs, by the statistics of the other folds."""

    example: FactExample
    fold: int
    table: FeatureTable
    pair_odds: NDArray[np.float64]


def folded_examples(
    examples: Sequence[tuple[FactExample, Mask]],
    seed: int,
    before: RelationStatistics | None = None,
) -> list[FoldedExample]:
    """Those examples that a choice can be learned from, each with the facts that are expressed.

    What was counted ``before``, over other texts, is known in all folds.
    """
    every = [example for example, _ in examples]
    usable = usable_places(every)
    folds = fold_of(every, usable, np.random.default_rng(seed))
    made: dict[int, FoldedExample] = {}
    for fold in range(max(folds) + 1):
        others = (example for example, own in zip(examples, folds, strict=True) if own != fold)
        known = count_relations(others, before)
        for at in (at for at in usable if folds[at] == fold):
            pair_odds = known.pair_odds(every[at].relation_pairs)
            made[at] = FoldedExample(every[at], fold, fact_table(every[at], known), pair_odds)
    return [made[at] for at in usable]


class StatisticsDropout:
    """Hides the statistics of some relations of each text, as if they were new.

    So that a model also knows what to do with relations that were never met.
    """

    def __init__(self, examples: Sequence[FoldedExample], share: float, seed: int) -> None:
        self._examples, self._share, self._seed = examples, share, seed
        relations = sorted({span.relation for one in examples for span in one.example.spans})
        texts = sorted({one.example.group for one in examples})
        self._relation = {relation: number for number, relation in enumerate(relations)}
        self._text = {text: number for number, text in enumerate(texts)}

    def tables(self, model: int) -> list[FeatureTable]:
        """The tables of all examples as the model of that number sees them."""
        return [self._table(one, model) for one in self._examples]

    def _table(self, one: FoldedExample, model: int) -> FeatureTable:
        rng = np.random.default_rng([self._seed, model, self._text[one.example.group]])
        hidden = rng.random(len(self._relation)) < self._share
        own = [self._relation[span.relation] for span in one.example.spans]
        return without_statistics(one.table, hidden[own])


def usable_places(examples: Sequence[FactExample]) -> list[int]:
    """The examples with a true path and others beside it, over at least two texts."""
    usable = [at for at, one in enumerate(examples) if one.true and len(one.lengths) > 1]
    if not usable:
        raise BadOption("No query to learn from: none has its true path among several candidates.")
    if len({examples[at].group for at in usable}) < 2:
        raise BadOption(
            "All queries to learn from are over one text; kgpath-ltr needs at least two, to "
            "learn what holds for another text."
        )
    return usable


def fold_of(
    examples: Sequence[FactExample], usable: Sequence[int], rng: np.random.Generator
) -> list[int]:
    """The fold of each example; those of a text are in one, and every fold has usable ones."""
    taught = sorted({examples[at].group for at in usable})
    count = min(FOLDS, len(taught))
    others = sorted({example.group for example in examples} - set(taught))
    fold: dict[str, int] = {}
    for groups in (taught, others):
        fold |= dict(zip(groups, (rng.permutation(len(groups)) % count).tolist(), strict=True))
    return [fold[example.group] for example in examples]
