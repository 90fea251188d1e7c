"""Which of parallel relations is meant: by words, whatever trees say of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from told_examples_by_hand import told

from kgpath.features.feature_table import FeatureTable
from kgpath.features.told_features import TOLD_FEATURES
from kgpath.rankers.general.parallels import READ, TRUST, WEIGHTS, chosen_among_parallels
from kgpath.rankers.general.told_example import ToldExample


def example(**columns: list[float]) -> ToldExample:
    """Two parallel facts and two more of other pairs; paths 0 and 1 are over the same entities."""
    return told(
        facts={"relation near": [0.0] * 4, **columns},
        paths={"length": [2, 2, 1]},
        along=[[0, 2], [1, 2], [3, -1]],
        entity_pair=[0, 0, 1, 2],
        zero_shot=[0, 0, 0],
    )


def scores(one: ToldExample, *given: float) -> list[float]:
    return chosen_among_parallels(one, np.array(given)).tolist()


def test_paths_over_the_same_entities_share_a_number() -> None:
    paths = example().entity_path.tolist()
    assert paths[0] == paths[1] != paths[2]


def test_words_decide_between_parallels_and_trees_between_entities() -> None:
    one = example(**{"relation near": [0.0, 1.0, 0.0, 0.5]})
    lost = WEIGHTS["relation near"]
    # The second path is meant: it gets the best score of the two, less what trees hold against it.
    first, second, other = scores(one, 3, 1, 2)
    assert (first, other) == (pytest.approx(3 - lost), 2)
    assert second == pytest.approx(3 - TRUST * 2)
    assert second > other > first
    # Where both agree, nothing is lost.
    assert scores(one, 1, 3, 2)[1] == 3


def test_alike_in_words_a_quarter_of_what_trees_say_is_left() -> None:
    assert scores(example(), 3, 1, 2) == pytest.approx([3, 3 - TRUST * 2, 2])


def test_the_rarer_of_two_relations_says_more() -> None:
    rare, common, _ = scores(example(**{"relation share": [0.1, 0.9, 0.5, 0.5]}), 2, 2, 2)
    assert rare == 2 and common == pytest.approx(2 + 0.8 * WEIGHTS["relation share"])


def test_what_an_encoder_reads_of_facts_counts_between_parallels_alone() -> None:
    read = replace(example(), read=np.array([0.1, 0.3, 0.9, -0.4]))
    assert scores(read, 2, 2, 2) == pytest.approx([2 - READ * 0.2, 2, 2])


def test_all_that_is_weighed_is_known_of_a_fact() -> None:
    assert WEIGHTS.keys() <= TOLD_FEATURES.keys()


@given(
    st.lists(st.floats(-20, 20), min_size=3, max_size=3),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
    st.permutations(range(3)),
)
def test_no_path_gains_and_no_order_of_paths_matters(given, near, order) -> None:
    one = example(**{"relation near": near})
    found = np.array(scores(one, *given))
    best = max(given[:2])
    assert (found <= np.array([best, best, given[2]]) + 1e-9).all()
    assert found[2] == given[2]
    shuffled = replace(
        one, along=one.along[order], paths=FeatureTable(one.paths.names, one.paths.values[order])
    )
    assert scores(shuffled, *np.array(given)[order]) == found[order].tolist()


def test_without_paths_there_is_nothing_to_choose() -> None:
    none = replace(example(), along=np.zeros((0, 2), dtype=np.int64))
    assert scores(none) == []
