"""Validation and test triples, such that no training triple gives them away."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Facts = NDArray[np.int32]
#: At most this share of the facts is left out of training for each purpose.
_SHARE = 0.05


class Split(NamedTuple):
    """All facts, those to train on, and those that decide when to stop and how good it is."""

    every: Facts
    train: Facts
    validation: Facts
    test: Facts


def split(edges: Facts, entities: int, validation: int, test: int, seed: int) -> Split:
    """Leave up to so many facts for validation and test, drawn at random.

    Only facts whose two entities share no other fact: "associated band" beside "associated musical
    artist" would be known without learning anything. Every entity and relation keeps a fact.
    """
    most = int(len(edges) * _SHARE)
    sizes = min(validation, most), min(test, most)
    order = np.random.default_rng(seed).permutation(np.flatnonzero(_alone(edges)))
    left_out = _removable(edges, order, entities, sum(sizes))
    # The test part comes first: it is the same however many facts decide when to stop.
    share = len(left_out) if len(left_out) < 2 else round(len(left_out) * sizes[1] / sum(sizes))
    trained = np.ones(len(edges), dtype=bool)
    trained[left_out] = False
    return Split(edges, edges[trained], edges[left_out[share:]], edges[left_out[:share]])


def _alone(edges: Facts) -> NDArray[np.bool_]:
    """Whether a fact is the only one between its two entities, in either direction."""
    pairs = np.sort(edges[:, [0, 2]], axis=1)
    _, which, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    return np.asarray((counts[which.ravel()] == 1) & (pairs[:, 0] != pairs[:, 1]))


def _removable(
    edges: Facts, order: NDArray[np.int64], entities: int, wanted: int
) -> NDArray[np.int64]:
    """The first facts that can go so that every entity and relation keeps one."""
    degree = np.bincount(edges[:, [0, 2]].ravel(), minlength=entities)
    uses: NDArray[Any] = np.bincount(edges[:, 1])
    left_out: list[int] = []
    for at in order.tolist():
        if len(left_out) == wanted:
            break
        head, relation, tail = edges[at].tolist()
        if degree[head] > 1 and degree[tail] > 1 and uses[relation] > 1:
            left_out.append(at)
            degree[[head, tail]] -= 1
            uses[relation] -= 1
    return np.array(left_out, dtype=np.int64)
