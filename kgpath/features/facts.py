"""The distinct facts along candidate paths, and where each path has them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.paths.path_arrays import PathArrays

Places = NDArray[np.int64]


class Facts(NamedTuple):
    """The distinct facts along some paths, as stated: head, relation, tail.

    ``along[path, hop]`` is the fact of a hop; -1 after the end of the path.
    """

    heads: Places
    relations: Places
    tails: Places
    along: Places


def facts_of(candidates: PathArrays) -> Facts:
    """Every fact once, however many paths use it and in whichever direction."""
    there = candidates.hop_codes >= 0
    one, other = candidates.vertices[:, :-1][there], candidates.vertices[:, 1:][there]
    backward, relations = candidates.backward[there], candidates.relations[there]
    rows = np.stack(
        [np.where(backward, other, one), relations, np.where(backward, one, other)], axis=1
    )
    facts, place = np.unique(rows.astype(np.int64), axis=0, return_inverse=True)
    along = np.full(there.shape, -1, dtype=np.int64)
    along[there] = place.reshape(-1)
    return Facts(facts[:, 0], facts[:, 1], facts[:, 2], along)
