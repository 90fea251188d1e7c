"""From rows of entities to typed paths: which of the parallel relations each hop takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.walks import Walker
from kgpath.storage.index import Index


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


def choose_relations(
    walker: Walker,
    paths: PathArrays,
    numbers: NDArray[np.int64],
    ranks: NDArray[np.int64] | None = None,
) -> PathArrays:
    """Of each row's combinations of parallel relations, the one with this number.

    Combinations are counted like the digits of a number, the last hop fastest. The relations of a
    hop stand in the order of their hop codes, or of the ``ranks`` of these.
    """
    index = walker.index
    places = hop_places(walker, paths)
    codes = np.full(places.shape, -1, dtype=np.int32)
    digits = np.zeros_like(places)
    rest = numbers
    there = places >= 0
    first = index.hop_offsets[places]
    parallel = np.where(there, index.hop_offsets[places + 1] - first, 1)
    for hop in reversed(range(places.shape[1])):
        rest, digits[:, hop] = np.divmod(rest, parallel[:, hop])
    codes[there] = index.hop_codes[(first + digits)[there]]
    if ranks is not None:
        several = parallel > 1
        ranked = _by_rank(index, first[several], parallel[several], ranks)
        codes[several] = ranked[np.arange(len(ranked)), digits[several]]
    return replace(paths, hop_codes=codes)


def all_relations(
    walker: Walker, paths: PathArrays, ranks: NDArray[np.int64] | None
) -> tuple[PathArrays, list[tuple[int, int, list[int]]]]:
    """Each row with the first relation of every hop, unless it has one, and what lies beside these.

    That is the row, the hop and the other hop codes, wherever there are any; all by their rank.
    """
    index = walker.index
    places = hop_places(walker, paths)
    there = places >= 0
    first = index.hop_offsets[places]
    parallel = np.where(there, index.hop_offsets[places + 1] - first, 1)
    several = parallel > 1
    ranked = _by_rank(index, first[several], parallel[several], ranks)
    if not paths.typed:
        codes = np.where(there, index.hop_codes[np.where(there, first, 0)], np.int32(-1))
        codes[several] = ranked[:, 0]
        paths = replace(paths, hop_codes=codes)
    every = zip(
        np.argwhere(several).tolist(),
        parallel[several].tolist(),
        paths.hop_codes[several].tolist(),
        ranked.tolist(),
        strict=True,
    )
    return paths, [
        (row, hop, [code for code in codes[:number] if code != taken])
        for (row, hop), number, taken, codes in every
    ]


def _by_rank(
    index: Index,
    first: NDArray[np.int64],
    parallel: NDArray[np.int64],
    ranks: NDArray[np.int64] | None,
) -> NDArray[np.int32]:
    """The hop codes of each pair of neighbours in the order of their ranks, one pair a row."""
    at = np.arange(parallel.max(initial=1))
    there = at < parallel[:, None]
    codes = index.hop_codes[first[:, None] + np.where(there, at, 0)]
    keys = codes if ranks is None else ranks[codes]
    order = np.argsort(np.where(there, keys, np.iinfo(np.int64).max), axis=1, kind="stable")
    return np.take_along_axis(codes, order, axis=1)


def draw_relations(walker: Walker, paths: PathArrays, rng: np.random.Generator) -> PathArrays:
    """Of the parallel relations of every hop, one drawn uniformly."""
    index = walker.index
    places = hop_places(walker, paths)
    first = index.hop_offsets[places]
    chosen = (rng.random(places.shape) * (index.hop_offsets[places + 1] - first)).astype(int)
    codes = index.hop_codes[np.where(places >= 0, first + chosen, 0)]
    return replace(paths, hop_codes=np.where(places >= 0, codes, -1).astype(np.int32))
