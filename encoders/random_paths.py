"""Paths met by random walks anywhere in a graph, to learn from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.readings import by_length, other_reading
from kgpath.index import Index

#: Algorithm 2 of Lo & Lim (2023): a walk ends after any hop with this probability.
STOP = 0.2
#: A walk that comes back to one of its own entities looks for another neighbour so often.
_TRIES = 3


class PathRows(NamedTuple):
    """Labelled paths as rows, padded with -1."""

    vertices: NDArray[np.int32]
    labels: NDArray[np.int32]
    lengths: NDArray[np.int32]

    def take(self, rows: NDArray[np.int64]) -> PathRows:
        """Some of the rows."""
        return PathRows(self.vertices[rows], self.labels[rows], self.lengths[rows])

    def first(self, count: int | None) -> PathRows:
        """The first rows, or all."""
        return PathRows(self.vertices[:count], self.labels[:count], self.lengths[:count])


def random_paths(index: Index, walks: int, seed: int, hops: int = 6) -> PathRows:
    """The different paths of so many walks, in random order; 1 to ``hops`` hops, no entity twice.

    Start and neighbours are drawn uniformly, as in section 7.2.2 of the paper.
    """
    rng = np.random.default_rng(seed)
    vertices = np.full((walks, hops + 1), -1, dtype=np.int32)
    labels = np.full((walks, hops), -1, dtype=np.int32)
    lengths = np.zeros(walks, dtype=np.int32)
    vertices[:, 0] = rng.integers(index.entities, size=walks) if index.entities else -1
    going = np.arange(walks) if index.entities else np.arange(0)
    for hop in range(hops):
        going, places = _onward(index, vertices, going, hop, rng)
        first = index.label_offsets[places]
        choices = index.label_offsets[places + 1] - first
        vertices[going, hop + 1] = index.neighbours[places]
        labels[going, hop] = index.labels[first + _drawn(choices, rng)]
        lengths[going] = hop + 1
        going = going[rng.random(len(going)) >= STOP]
    return distinct(PathRows(vertices, labels, lengths).take(np.flatnonzero(lengths)), rng)


def distinct(paths: PathRows, rng: np.random.Generator) -> PathRows:
    """Each path once, from whichever end it came, in random order."""
    vertices, labels = paths.vertices.copy(), paths.labels.copy()
    for length, rows in by_length(paths.lengths):
        back = rows[vertices[rows, 0] > vertices[rows, length]]
        vertices[back, : length + 1], labels[back, :length] = other_reading(
            vertices[back, : length + 1], labels[back, :length]
        )
    _, first = np.unique(np.hstack([vertices, labels]), axis=0, return_index=True)
    return PathRows(vertices, labels, paths.lengths).take(rng.permutation(first))


def _onward(
    index: Index,
    vertices: NDArray[np.int32],
    going: NDArray[np.int64],
    hop: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The walks that find a neighbour they have not met, and its place in the index."""
    found = np.full(len(vertices), -1, dtype=np.int64)
    for _ in range(_TRIES):
        here = vertices[going, hop]
        first, degrees = index.offsets[here], index.offsets[here + 1] - index.offsets[here]
        going, first, degrees = (array[degrees > 0] for array in (going, first, degrees))
        places = first + _drawn(degrees, rng)
        new = (vertices[going] != index.neighbours[places][:, None]).all(axis=1)
        found[going[new]] = places[new]
        going = going[~new]
    onward = np.flatnonzero(found >= 0)
    return onward, found[onward]


def _drawn(below: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """A whole number from 0 to under each of these, uniformly."""
    return (rng.random(len(below)) * below).astype(np.int64)
