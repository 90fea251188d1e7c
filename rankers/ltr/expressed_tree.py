"""How likely a path is the one on the tree of facts that a text expresses.

A short text expresses few facts more than it takes to connect what it names: they are, nearly, a
tree. Give every fact the odds that it is expressed; then every spanning tree has a weight, the
product of its facts' odds, and of any two entities exactly one path lies on it. How often that is
a certain path, over all spanning trees, is a determinant (the transfer current theorem of Burton &
Pemantle, 1993): the chances of all paths between two entities sum to 1, and a fact is worth less
where others already connect its ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.path_features import row_sums

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

#: Odds are kept between e to the power of minus and plus this, so that matrices can be inverted.
MOST = 12.0
#: Less likely than e to this power is as unlikely as can be.
LEAST = -8 * MOST


def tree_chances(ends: Places, logits: Numbers, of: Places) -> tuple[Numbers, Numbers]:
    """For each path the logarithm of its chance, and for each fact that of being on the tree.

    ``ends`` are the two entities of each fact, numbered from 0; ``logits`` the logarithms of its
    odds; ``of`` the facts along each path, -1 after its end. The paths share their two ends, so
    the facts are all connected.
    """
    if not len(logits):
        return np.zeros(len(of)), np.zeros(0)
    logits = np.clip(logits, -MOST, MOST)
    odds = np.exp(logits)
    apart = _resistances(ends, odds)
    there = of >= 0
    facts = np.maximum(of, 0)
    # A hop that is not there stands in the determinant as one that changes nothing.
    both = there[:, :, None] & there[:, None, :]
    square = np.where(both, apart[facts[:, :, None], facts[:, None, :]], np.eye(of.shape[1]))
    sign, size = np.linalg.slogdet(square)
    paths = np.where(sign > 0, size, -np.inf) + row_sums(np.where(there, logits[facts], 0))
    alone = logits + np.log(np.maximum(np.diag(apart), 1e-300))
    # Rounded, since the last digits depend on the order in which entities are numbered.
    return np.clip(paths.round(6), LEAST, 0), np.clip(alone.round(6), LEAST, 0)


def _resistances(ends: Places, odds: Numbers) -> Numbers:
    """Of two facts each: the drop across one when a unit of current flows through the other."""
    count = int(ends.max()) + 1
    laplacian = np.zeros((count, count))
    heads, tails = ends
    for one, other, sign in ((heads, heads, 1), (tails, tails, 1), (heads, tails, -1),
                             (tails, heads, -1)):  # fmt: skip
        np.add.at(laplacian, (one, other), sign * odds)
    # Its rows sum to 0; adding the same to all numbers makes it invertible and changes no drop.
    ground = np.linalg.inv(laplacian + np.trace(laplacian) / count**2)
    drop = ground[:, heads] - ground[:, tails]
    return np.asarray(drop[heads] - drop[tails])
