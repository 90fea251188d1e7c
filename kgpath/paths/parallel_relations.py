"""From rows of entities to typed paths: which of the parallel relations each hop takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.walks import Walker


def hop_places(walker: Walker, paths: PathArrays) -> NDArray[np.int64]:
    """Where in the index each hop of each path lies; -1 after the end."""
    places = np.full((len(paths), max(paths.vertices.shape[1] - 1, 0)), -1, dtype=np.int64)
    walker.kernel(kernels.hop_places)(
        walker.index.offsets, walker.index.neighbours, paths.vertices, paths.lengths, places
    )
    return places


def count_typed(walker: Walker, paths: PathArrays) -> NDArray[np.int64]:
    """How many typed paths each row stands for: one for every choice of parallel relations."""
    if paths.typed:
        return np.ones(len(paths), dtype=np.int64)
    numbers = np.empty(len(paths), dtype=np.int64)
    index = walker.index
    walker.kernel(kernels.count_typed)(
        index.offsets, index.neighbours, index.hop_offsets, paths.vertices, paths.lengths, numbers
    )
    return numbers


def choose_relations(walker: Walker, paths: PathArrays, numbers: NDArray[np.int64]) -> PathArrays:
    """Of each row's combinations of parallel relations, the one with this number.

    Combinations are counted like the digits of a number, the last hop fastest.
    """
    index = walker.index
    places = hop_places(walker, paths)
    codes = np.full(places.shape, -1, dtype=np.int32)
    rest = numbers
    for hop in reversed(range(places.shape[1])):
        there = places[:, hop] >= 0
        first = index.hop_offsets[places[:, hop]]
        parallel = np.where(there, index.hop_offsets[places[:, hop] + 1] - first, 1)
        rest, digit = np.divmod(rest, parallel)
        codes[there, hop] = index.hop_codes[(first + digit)[there]]
    return replace(paths, hop_codes=codes)


def draw_relations(walker: Walker, paths: PathArrays, rng: np.random.Generator) -> PathArrays:
    """Of the parallel relations of every hop, one drawn uniformly."""
    index = walker.index
    places = hop_places(walker, paths)
    first = index.hop_offsets[places]
    chosen = (rng.random(places.shape) * (index.hop_offsets[places + 1] - first)).astype(int)
    codes = index.hop_codes[np.where(places >= 0, first + chosen, 0)]
    return replace(paths, hop_codes=np.where(places >= 0, codes, -1).astype(np.int32))
