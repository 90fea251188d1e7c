"""Trees as plain arrays, evaluated by numpy alone: what ships must not need LightGBM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

#: Leaves of a tree are bits of a 16-bit word.
MOST_LEAVES = 16
MOST_TREES = 5000
#: Rows that are scored at once, so that memory does not grow with them.
_ROWS = 1024
#: Scores of leaves are logits; what is beyond is no score.
_LARGEST = 1e6


@dataclass(frozen=True)
class TreeArrays:
    """A sum of decision trees over rows of numbers.

    Node n belongs to ``tree[n]`` and sends a row to its right if number ``feature[n]`` of it is
    above ``threshold[n]``; ``left[n]`` are the leaves below its left child, as bits. Leaf k of tree
    t scores ``leaves[t, k]``; leaves are numbered from left to right.
    """

    features: int
    tree: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    left: NDArray[np.uint16]
    leaves: NDArray[np.float32]

    @classmethod
    def from_lightgbm(cls, dump: dict[str, Any]) -> TreeArrays:
        """The trees of ``Booster.dump_model()``."""
        nodes: list[tuple[int, int, float, int]] = []
        leaves = np.zeros((len(dump["tree_info"]), MOST_LEAVES), dtype=np.float32)
        for number, info in enumerate(dump["tree_info"]):
            _collect(info["tree_structure"], number, nodes, leaves[number], 0)
        tree, feature, threshold, left = zip(*nodes, strict=True) if nodes else ((), (), (), ())
        return cls(
            int(dump["max_feature_idx"]) + 1,
            np.array(tree, dtype=np.int32),
            np.array(feature, dtype=np.int32),
            # A number of 32 bits that is not above the threshold is not above this one either.
            _rounded_down(np.array(threshold, dtype=np.float64)),
            np.array(left, dtype=np.uint16),
            leaves,
        )

    @classmethod
    def from_arrays(cls, features: int, arrays: dict[str, NDArray[Any]]) -> TreeArrays:
        """Trees from arrays that a stranger may have written; ValueError says what is wrong."""
        tree, feature, threshold, left, leaves = (
            arrays[name] for name in ("tree", "feature", "threshold", "left", "leaves")
        )
        kinds = ((tree, "i4"), (feature, "i4"), (threshold, "f4"), (left, "u2"))
        if any(array.dtype != np.dtype(kind) or array.shape != tree.shape for array, kind in kinds):
            raise ValueError("arrays of nodes do not fit together")
        if tree.ndim != 1 or leaves.ndim != 2 or leaves.dtype != np.float32:
            raise ValueError("arrays of nodes do not fit together")
        if leaves.shape[1] != MOST_LEAVES:
            raise ValueError(f"trees do not have {MOST_LEAVES} places for leaves")
        if not 1 <= len(leaves) <= MOST_TREES:
            raise ValueError(f"there are {len(leaves):,} trees, not 1 to {MOST_TREES:,}")
        if len(tree) and (tree.min() < 0 or tree.max() >= len(leaves)):
            raise ValueError("a node belongs to no tree")
        if len(tree) and (feature.min() < 0 or feature.max() >= features):
            raise ValueError("a node asks for a number that no row has")
        if np.isnan(threshold).any() or not (np.abs(leaves) <= _LARGEST).all():
            raise ValueError("a threshold or a score is out of range")
        return cls(features, tree, feature, threshold, left, leaves)

    @classmethod
    def mean_of(cls, several: Sequence[TreeArrays]) -> TreeArrays:
        """Trees that score the mean of several."""
        counts = [len(one.leaves) for one in several]
        first = np.cumsum(counts) - counts
        shifted = [one.tree + start for one, start in zip(several, first.tolist(), strict=True)]
        return cls(
            several[0].features,
            np.concatenate(shifted).astype(np.int32),
            np.concatenate([one.feature for one in several]),
            np.concatenate([one.threshold for one in several]),
            np.concatenate([one.left for one in several]),
            (np.concatenate([one.leaves for one in several]) / len(several)).astype(np.float32),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, as :meth:`from_arrays` reads them."""
        names = ("tree", "feature", "threshold", "left", "leaves")
        return {name: getattr(self, name) for name in names}

    def scores(self, rows: NDArray[Any]) -> Numbers:
        """The sum of all trees for each row.

        A node that sends a row to its right rules out all leaves below its left; of the leaves that
        no node rules out, the leftmost is where the row ends (Lucchese et al., 2015). Which leaves
        are ruled out by one number of a row depends on how many thresholds it is above: a look-up.
        """
        rows = np.ascontiguousarray(rows, dtype=np.float32)
        if rows.ndim != 2 or rows.shape[1] != self.features:
            raise ValueError(f"rows of {rows.shape[-1]} numbers for trees over {self.features}")
        totals = [self._totals(rows[at : at + _ROWS]) for at in range(0, len(rows), _ROWS)]
        return np.concatenate(totals) if totals else np.zeros(0)

    def _totals(self, rows: NDArray[np.float32]) -> Numbers:
        left = np.full((len(rows), len(self.leaves)), 0xFFFF, dtype=np.uint16)
        for feature, thresholds, ruled in self._ruled_out:
            left &= ruled[np.searchsorted(thresholds, rows[:, feature], side="left")]
        leaf = _LOWEST[left]
        places = leaf + self._first_leaf
        return np.asarray(self.leaves.ravel()[places].sum(axis=1, dtype=np.float64))

    @cached_property
    def _first_leaf(self) -> NDArray[np.int64]:
        return np.arange(len(self.leaves), dtype=np.int64) * MOST_LEAVES

    @cached_property
    def _ruled_out(self) -> list[tuple[int, NDArray[np.float32], NDArray[np.uint16]]]:
        """For each number of a row: its thresholds, and the leaves left after how many of them."""
        found = []
        for feature in np.unique(self.feature).tolist():
            nodes = np.flatnonzero(self.feature == feature)
            thresholds, place = np.unique(self.threshold[nodes], return_inverse=True)
            left = np.full((len(thresholds) + 1, len(self.leaves)), 0xFFFF, dtype=np.uint16)
            np.bitwise_and.at(left, (place.reshape(-1) + 1, self.tree[nodes]), ~self.left[nodes])
            np.bitwise_and.accumulate(left, axis=0, out=left)
            found.append((feature, thresholds, left))
        return found


def _lowest_bits() -> NDArray[np.int64]:
    words = np.arange(1 << MOST_LEAVES, dtype=np.int64)
    lowest = np.full(len(words), 0, dtype=np.int64)
    for bit in range(MOST_LEAVES - 1, -1, -1):
        lowest[(words >> bit) & 1 == 1] = bit
    return lowest


#: The lowest bit of every word of 16 bits.
_LOWEST = _lowest_bits()


def _collect(
    node: dict[str, Any], tree: int, nodes: list[Any], leaves: NDArray[np.float32], first: int
) -> int:
    """Write down a node and all below it; gives the number of the leaf after its last one."""
    if "leaf_value" in node:
        if first >= MOST_LEAVES:
            raise ValueError(f"a tree has more than {MOST_LEAVES} leaves")
        leaves[first] = node["leaf_value"]
        return first + 1
    if node["decision_type"] != "<=" or node["missing_type"] not in ("None", "NaN"):
        raise ValueError("a tree decides in a way that these arrays cannot hold")
    place = len(nodes)
    nodes.append(None)
    middle = _collect(node["left_child"], tree, nodes, leaves, first)
    bits = (1 << middle) - (1 << first)
    nodes[place] = (tree, node["split_feature"], node["threshold"], bits)
    return _collect(node["right_child"], tree, nodes, leaves, middle)


def _rounded_down(values: Numbers) -> NDArray[np.float32]:
    near = values.astype(np.float32)
    down = np.nextafter(near, np.float32(-np.inf))
    return np.where(near.astype(np.float64) > values, down, near)
