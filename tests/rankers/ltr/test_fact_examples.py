"""What a text expresses: the facts on the true paths of any of its queries."""

from __future__ import annotations

from fact_examples_by_hand import AB, AC, BC, example

from kgpath.rankers.ltr.fact_examples import expressed_masks


def test_a_text_expresses_what_lies_on_a_true_path_of_any_of_its_queries() -> None:
    one = example([AB, BC, AC], [[2], [0, 1]], true=(1,), group="text")
    other = example([AC, AB], [[0], [1]], true=(1,), group="text")
    elsewhere = example([AB, AC], [[0], [1]], true=(1,), group="another text")
    masks = [mask.tolist() for mask in expressed_masks([one, other, elsewhere])]
    assert masks == [[True, True, False], [False, True], [False, True]]
