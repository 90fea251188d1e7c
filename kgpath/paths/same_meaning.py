"""Ranked paths that mean the same, as one.

They lead over the same entities, hop by hop by relations that are the same, see
:mod:`kgpath.storage.same_relations`. The best of them stands for all, and shows the relations of
the others behind its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.paths.path_arrays import PathArrays, Rows
from kgpath.storage.hop_codes import hops_of
from kgpath.storage.same_relations import SameRelations
from kgpath.types import Path


def best_of_each_meaning(paths: PathArrays, order: Rows, k: int) -> list[Rows]:
    """The rows of the ``k`` best different meanings, as ranked: of each the best row first."""
    groups: NDArray[np.int32] = paths.graph.derived(SameRelations).groups
    codes = paths.hop_codes[order]
    meanings = np.hstack([paths.vertices[order], np.where(codes < 0, -1, groups[codes])])
    _, first, number = np.unique(meanings, axis=0, return_index=True, return_inverse=True)
    best = np.sort(first)[: max(k, 0)].tolist()
    return [order[number.reshape(-1) == number.reshape(-1)[at]] for at in best]


def shown_together(path: Path, paths: PathArrays, rows: Rows) -> Path:
    """The first of rows that mean the same, with the relations of the others at its hops."""
    relations = paths.graph.store.relations
    hops = []
    for hop, codes in zip(path.hops, paths.hop_codes[rows].T, strict=False):
        others = list(dict.fromkeys(codes.tolist()))[1:]
        hops.append(hop._replace(also=hops_of(others, relations)))
    return Path(path.nodes, tuple(hops), path.cost)
