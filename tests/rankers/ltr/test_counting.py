"""Counts over examples: once for a text, and only what it may express."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from fact_examples_by_hand import AB, AC, BC, example

from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.ltr.counting import count_relations

EXPRESSED = np.array([True, True, False])


def test_a_fact_counts_once_for_a_text() -> None:
    one = example([AB, BC, AC], [[2], [0, 1]], group="text")
    elsewhere = replace(one, group="another text")
    counted = count_relations([(one, EXPRESSED), (one, EXPRESSED), (elsewhere, EXPRESSED)])
    assert (counted.facts, counted.expressed, counted.unexpressed) == (6, {"r": 4}, {"s": 2})


def test_what_the_text_does_not_name_is_counted_only_if_it_is_expressed() -> None:
    unnamed = FeatureTable(("least named",), np.zeros((3, 1), np.float32))
    one = replace(example([AB, BC, AC], [[2], [0, 1]], group="text"), hops=unnamed)
    counted = count_relations([(one, EXPRESSED)])
    assert (counted.facts, counted.expressed, counted.unexpressed) == (2, {"r": 2}, {})


def test_relations_that_meet_are_counted_together() -> None:
    one = replace(
        example([AB, BC, AC], [[2], [0, 1]], group="text"),
        relation_pairs=("r< r>",),
        pairs_along=np.array([[-1], [0]]),
    )
    assert count_relations([(one, EXPRESSED)]).expressed_pairs == {"r< r>": 1}
    half = np.array([True, False, False])
    assert count_relations([(one, half)]).unexpressed_pairs == {"r< r>": 1}
