"""What a text expresses: the facts on the true paths of any of its questions."""

from __future__ import annotations

import numpy as np

from kgpath.rankers.kgpath_ltr import _parts
from kgpath.rankers.ltr.expressed_facts import Material, expressed_masks
from kgpath.rankers.ltr.relation_statistics import Stretch


def material(facts: list[tuple[str, str, str]], paths: list[list[int]], **more) -> Material:
    """A question over named facts; all of them named by the text."""
    names = sorted({end for h, _, t in facts for end in (h, t)})
    ends = [[names.index(fact[side]) for fact in facts] for side in (0, 2)]
    width = max(map(len, paths))
    of = np.array([path + [-1] * (width - len(path)) for path in paths])
    return Material(
        hops=np.ones((len(facts), 3), np.float32), paths=np.zeros((len(paths), 2), np.float32),
        of=of, pair=np.arange(len(facts)), ends=np.array(ends),
        stretches=tuple(Stretch(r, frozenset(), frozenset()) for _, r, _ in facts),
        facts=tuple(facts), zero_shot=np.zeros(len(paths)),
        joints=(), joint_of=np.full((len(paths), width - 1), -1),
        read=np.zeros((len(facts), 0), np.float32), **more,
    )  # fmt: skip


AB, BC, AC = ("a", "r", "b"), ("b", "r", "c"), ("a", "s", "c")


def test_a_text_tells_what_lies_on_a_true_path_of_any_of_its_questions() -> None:
    one = material([AB, BC, AC], [[2], [0, 1]], true=(1,), group="text")
    other = material([AC, AB], [[0], [1]], true=(1,), group="text")
    elsewhere = material([AB, AC], [[0], [1]], true=(1,), group="another text")
    masks = [mask.tolist() for mask in expressed_masks([one, other, elsewhere])]
    assert masks == [[True, True, False], [False, True], [False, True]]


def test_every_part_has_a_text_to_learn_from() -> None:
    texts = [material([AB], [[0]], group=f"text {n}") for n in range(9)]
    usable = [0, 4, 8]
    part = _parts([*texts, texts[4]], usable, np.random.default_rng(0))
    assert sorted(part[at] for at in usable) == [0, 1, 2] and set(part) == {0, 1, 2}
    assert part[9] == part[4]  # a question over the same text
