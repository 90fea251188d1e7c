"""The text form of LightGBM's models, read with care: LightGBM itself trusts every number in it.

A feature or a child out of range makes LightGBM read, or write, where it should not. So a text is
checked here first, and what LightGBM is given is written anew from the numbers that were checked.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A text larger than this is refused: a thousand of our trees need about 1.2 MB.
MOST_LETTERS = 64 * 2**20
#: What we train has 15 leaves a tree.
MOST_LEAVES = 256
#: Scores of leaves are rarely above 10; of trees without number, the sum is still finite.
LARGEST_SCORE = 1e12
#: As wide as the widest vectors of two ends and a path may ever be.
MOST_FEATURES = 1_000_000
#: What we train with; a model that was trained with an objective of ours says nothing.
OBJECTIVES = frozenset({"rank_xendcg", "lambdarank"})

_HEADER = re.compile(
    r"tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
    r"max_feature_idx=(?P<last>[0-9]{1,7})\n(?:objective=(?P<objective>[a-z_]{1,40})\n)?"
    r"feature_names=(?P<names>[^\n]*)\nfeature_infos=(?P<infos>[^\n]*)\n"
    r"tree_sizes=(?P<sizes>[0-9 ]+)\n\n"
)
_REAL = r"([-+.0-9e ]*)\n"
#: Without end where all that is known goes one way, and what is missing the other.
_THRESHOLD = r"([-+.0-9einf ]*)\n"
#: What prediction does not read has to be there, is not looked at, and is not passed on.
_UNREAD = r"[-+.0-9a-z ]*\n"
_TREE = re.compile(
    r"Tree=([0-9]{1,7})\nnum_leaves=([0-9]{1,7})\nnum_cat=0\n"
    rf"split_feature=([0-9 ]*)\nsplit_gain={_UNREAD}threshold={_THRESHOLD}decision_type=([0-9 ]*)\n"
    rf"left_child=([-0-9 ]*)\nright_child=([-0-9 ]*)\nleaf_value={_REAL}leaf_weight={_UNREAD}"
    rf"leaf_count={_UNREAD}internal_value={_UNREAD}internal_weight={_UNREAD}"
    rf"internal_count={_UNREAD}is_linear=0\nshrinkage={_UNREAD}\n\n"
)
#: Numbers that are too small for any: LightGBM would complain of each.
_TOO_SMALL = re.compile(r"e-(?:3[3-9][0-9]|[4-9][0-9]{2}|[0-9]{4})")
_END = "end of trees\n"
#: Numbers only, left or right where a number is missing; none, zero or not a number is missing.
_DECISIONS = (0, 2, 4, 6, 8, 10)

Ids = NDArray[np.int64]


def checked_text(text: str, most_trees: int) -> str:
    """The same model as a text that LightGBM can be given; ValueError says what is wrong with it.

    Its scores are the same to the last digit. Left out are importances, parameters, and what of a
    tree only says how it was grown.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"it is longer than {MOST_LETTERS:,} letters")
    header = _HEADER.match(text)
    if header is None:
        raise ValueError("its first lines are not those of trees by LightGBM")
    features = int(header["last"]) + 1
    if features > MOST_FEATURES:
        raise ValueError(f"it has {features:,} features")
    if header["objective"] not in {None, *OBJECTIVES}:
        raise ValueError(f"its objective {header['objective']} is none of kgpath's")
    for name in ("names", "infos"):
        if header[name].count(" ") != features - 1:
            raise ValueError(f"it does not have {features:,} feature {name}")
    trees, end = _trees(text, header.end())
    if not text.startswith(_END, end):
        raise ValueError(f"tree {len(trees)} cannot be read")
    sizes = header["sizes"].split()
    if not 1 <= len(sizes) == len(trees) <= most_trees:
        raise ValueError(f"it has {len(trees):,} trees, not {min(len(sizes), most_trees):,}")
    _check_trees(trees, features)
    return _text_of(trees, features)


def _trees(text: str, at: int) -> tuple[list[tuple[str, ...]], int]:
    """Number, leaves and arrays of each tree, as they are written, and where the last one ends."""
    trees: list[tuple[str, ...]] = []
    while found := _TREE.match(text, at):
        trees.append(found.groups())
        at = found.end()
    return trees, at


def _check_trees(trees: list[tuple[str, ...]], features: int) -> None:
    """Refuse trees of which any number is out of range, or which are no trees."""
    columns = list(zip(*trees, strict=True))
    if list(map(int, columns[0])) != list(range(len(trees))):
        raise ValueError("its trees are not numbered one after the other")
    leaves = np.array(list(map(int, columns[1])), dtype=np.int64)
    if leaves.min() < 1 or leaves.max() > MOST_LEAVES:
        raise ValueError(f"a tree has {leaves.min():,} to {leaves.max():,} leaves")
    inner = leaves - 1
    split, decision, left, right = (
        _numbers(columns[place], inner, np.int64, name)
        for place, name in (
            (2, "split_feature"), (4, "decision_type"), (5, "left_child"), (6, "right_child")
        )
    )  # fmt: skip
    threshold = _numbers(columns[3], inner, np.float64, "threshold")
    score = _numbers(columns[7], leaves, np.float64, "leaf_value")
    endless = sum(line.count("inf") for line in columns[3])
    if np.isinf(threshold).sum() != endless or not (np.abs(score) <= LARGEST_SCORE).all():
        raise ValueError("a threshold or the score of a leaf is out of range")
    if len(split) and not 0 <= split.min() <= split.max() < features:
        raise ValueError(f"a tree asks for a feature that is none of {features:,}")
    if not np.isin(decision, _DECISIONS).all():
        raise ValueError("a tree decides in a way that kgpath's trees do not")
    _check_children(left, right, inner)


def _check_children(left: Ids, right: Ids, inner: Ids) -> None:
    """Every node but the first, and every leaf, is the child of one node, which comes before it."""
    tree = np.repeat(np.arange(len(inner)), inner)
    first_node, first_leaf = np.cumsum(inner) - inner, np.cumsum(inner + 1) - (inner + 1)
    node = np.arange(len(tree)) - first_node[tree]
    reached = np.zeros(len(tree), dtype=np.int64)
    reached[first_node[inner > 0]] = 1
    leaf_reached = np.zeros(int((inner + 1).sum()), dtype=np.int64)
    leaf_reached[first_leaf[inner == 0]] = 1
    for children in (left, right):
        below = children >= 0
        # LightGBM numbers nodes as it splits: a child comes later, so that nothing goes in circles.
        right_place = np.where(below, (children > node) & (children < inner[tree]),
                               ~children <= inner[tree])  # fmt: skip
        if not right_place.all():
            raise ValueError("a child of a tree is out of range")
        np.add.at(reached, first_node[tree[below]] + children[below], 1)
        np.add.at(leaf_reached, first_leaf[tree[~below]] + ~children[~below], 1)
    if (reached != 1).any() or (leaf_reached != 1).any():
        raise ValueError("a part of a tree is reached twice, or never")


def _numbers(lines: tuple[str, ...], counts: Ids, kind: type, name: str) -> NDArray[Any]:
    """The numbers of all trees, one after the other; each has to have as many as it should."""
    # By spaces alone: between two numbers stands one, which is how LightGBM counts them.
    found = np.array([line.count(" ") + 1 if line else 0 for line in lines], dtype=np.int64)
    if (found != counts).any():
        tree = int(np.flatnonzero(found != counts)[0])
        raise ValueError(f"tree {tree} has {found[tree]:,} of {name}, not {counts[tree]:,}")
    joined = " ".join(filter(None, lines))
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # it stopped at what is no number
        try:
            numbers: NDArray[Any] = np.fromstring(joined, dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError, OverflowError):
            raise ValueError(f"{name} of a tree holds what is no number") from None
    if len(numbers) != counts.sum() or _TOO_SMALL.search(joined):
        raise ValueError(f"{name} of a tree holds what is no number")
    return numbers


def _text_of(trees: list[tuple[str, ...]], features: int) -> str:
    blocks = [
        f"Tree={number}\nnum_leaves={leaves}\nnum_cat=0\nsplit_feature={split}\n"
        f"threshold={threshold}\ndecision_type={decision}\nleft_child={left}\n"
        f"right_child={right}\nleaf_value={score}\nis_linear=0\nshrinkage=1\n\n\n"
        for number, leaves, split, threshold, decision, left, right, score in trees
    ]
    names = " ".join(f"Column_{number}" for number in range(features))
    return (
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
        f"max_feature_idx={features - 1}\nfeature_names={names}\n"
        f"feature_infos={' '.join(['none'] * features)}\n"
        f"tree_sizes={' '.join(str(len(block)) for block in blocks)}\n\n"
        f"{''.join(blocks)}{_END}\npandas_categorical:null\n"
    )
