"""Folds by text, and statistics that are hidden as if relations were new."""

from __future__ import annotations

import numpy as np
from fact_examples_by_hand import AB, AC, BC, example

from kgpath.rankers.ltr.fact_examples import expressed_masks
from kgpath.rankers.ltr.folded_examples import StatisticsDropout, fold_of, folded_examples


def test_every_fold_has_a_text_to_learn_from() -> None:
    texts = [example([AB], [[0]], group=f"text {n}") for n in range(9)]
    usable = [0, 4, 8]
    fold = fold_of([*texts, texts[4]], usable, np.random.default_rng(0))
    assert sorted(fold[at] for at in usable) == [0, 1, 2] and set(fold) == {0, 1, 2}
    assert fold[9] == fold[4]  # a query over the same text


def test_an_example_is_not_counted_in_its_own_statistics() -> None:
    # Two texts, so two folds: what is known of one was counted on the other alone.
    same = {"paths": [[2], [0, 1]], "true": (1,)}
    one = example([AB, BC, AC], group="one", **same)
    other = example([AB, BC, ("a", "t", "c")], group="other", **same)
    both = list(zip([one, other], expressed_masks([one, other]), strict=True))
    first, second = folded_examples(both, seed=0)
    assert {first.fold, second.fold} == {0, 1}
    for made in (first, second):
        known = ~np.isnan(made.table["expressed before"])
        assert known.tolist() == [True, True, False]  # s and t are each in one text only


def test_dropout_hides_what_was_counted_and_nothing_else() -> None:
    paths = {"paths": [[2], [0, 1]], "true": (1,)}
    texts = [example([AB, BC, AC], group=f"text {n}", **paths) for n in range(6)]
    both = list(zip(texts, expressed_masks(texts), strict=True))
    folded = folded_examples(both, seed=0)
    for share, hidden in ((0.0, False), (1.0, True)):
        for made, table in zip(folded, StatisticsDropout(folded, share, 0).tables(3), strict=True):
            assert np.isnan(table["expressed before"]).all() == hidden
            assert table["least named"].tolist() == made.table["least named"].tolist()
    again = [StatisticsDropout(folded, 0.5, 0).tables(3) for _ in range(2)]
    for one, other in zip(*again, strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True)
