"""How many hops apart the entities of a set are, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.paths import kernels
from kgpath.paths.scratch import HALF, BitScratch
from kgpath.paths.walks import NO_MASK, Walker


def hops_between(
    walker: Walker,
    vertices: Sequence[int],
    hops: int,
    blocked: NDArray[np.bool_] = NO_MASK,
) -> NDArray[np.int8]:
    """How many hops apart each two different vertices are; 0 where more than ``hops``."""
    out = np.zeros((len(vertices), len(vertices)), dtype=np.int8)
    places = np.arange(len(vertices))
    # All pairs of blocks: each two vertices are together in one search.
    blocks = [places[at : at + HALF] for at in range(0, len(vertices), HALF)]
    pairs = list(combinations(range(len(blocks)), 2)) or [(0, 0)] * len(blocks)
    for one, other in pairs:
        some = np.union1d(blocks[one], blocks[other])
        out[np.ix_(some, some)] = _pair_hops(walker, np.asarray(vertices)[some], hops, blocked)
    return out


def _pair_hops(
    walker: Walker, ends: NDArray[Any], hops: int, blocked: NDArray[np.bool_]
) -> NDArray[np.int8]:
    out = np.zeros((len(ends), len(ends)), dtype=np.int8)
    try:
        bits = walker.free_bits.pop()
    except IndexError:
        bits = BitScratch(walker.index.entities)
    walker.kernel(kernels.pair_hops)(
        walker.index.offsets, walker.index.neighbours, blocked, ends.astype(np.int64), hops,
        bits.reached, bits.coming, bits.queue, bits.fresh, out,
    )  # fmt: skip
    walker.free_bits.append(bits)
    return out
