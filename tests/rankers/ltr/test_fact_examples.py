"""What a text expresses: the facts on the true paths of any of its queries."""

from __future__ import annotations

import numpy as np

from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.ltr.fact_examples import FactExample, expressed_masks
from kgpath.rankers.ltr.fact_spans import FactSpan
from kgpath.rankers.ltr.folded_examples import fold_of


def example(facts: list[tuple[str, str, str]], paths: list[list[int]], **more) -> FactExample:
    """A query over named facts; all of them named by the text."""
    names = sorted({end for h, _, t in facts for end in (h, t)})
    ends = [[names.index(fact[side]) for fact in facts] for side in (0, 2)]
    width = max(map(len, paths))
    along = np.array([path + [-1] * (width - len(path)) for path in paths])
    return FactExample(
        hops=FeatureTable(("least named",), np.ones((len(facts), 1), np.float32)),
        paths=FeatureTable(("length",), np.zeros((len(paths), 1), np.float32)),
        facts_along=along, entity_pair=np.arange(len(facts)), ends=np.array(ends),
        spans=tuple(FactSpan(r, frozenset(), frozenset()) for _, r, _ in facts),
        facts=tuple(facts), zero_shot=np.zeros(len(paths)),
        relation_pairs=(), pairs_along=np.full((len(paths), width - 1), -1),
        read=None, **more,
    )  # fmt: skip


AB, BC, AC = ("a", "r", "b"), ("b", "r", "c"), ("a", "s", "c")


def test_a_text_expresses_what_lies_on_a_true_path_of_any_of_its_queries() -> None:
    one = example([AB, BC, AC], [[2], [0, 1]], true=(1,), group="text")
    other = example([AC, AB], [[0], [1]], true=(1,), group="text")
    elsewhere = example([AB, AC], [[0], [1]], true=(1,), group="another text")
    masks = [mask.tolist() for mask in expressed_masks([one, other, elsewhere])]
    assert masks == [[True, True, False], [False, True], [False, True]]


def test_every_fold_has_a_text_to_learn_from() -> None:
    texts = [example([AB], [[0]], group=f"text {n}") for n in range(9)]
    usable = [0, 4, 8]
    fold = fold_of([*texts, texts[4]], usable, np.random.default_rng(0))
    assert sorted(fold[at] for at in usable) == [0, 1, 2] and set(fold) == {0, 1, 2}
    assert fold[9] == fold[4]  # a query over the same text
