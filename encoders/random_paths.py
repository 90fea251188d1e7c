"""Paths met by random walks anywhere in a graph, to learn from."""

from __future__ import annotations

import numpy as np

from kgpath.index import Index
from kgpath.stopping_walks import Ground, PathRows, walk


def random_paths(index: Index, walks: int, seed: int, hops: int = 6) -> PathRows:
    """The different paths of so many walks, in random order; 1 to ``hops`` hops, no entity twice.

    Start and neighbours are drawn uniformly, as in section 7.2.2 of the paper.
    """
    rng = np.random.default_rng(seed)
    ground = Ground.of(index)
    starts = ground.starts
    drawn = rng.choice(starts, walks) if len(starts) else starts
    return distinct(walk(ground, drawn, rng, hops=hops)[0], rng)


def distinct(paths: PathRows, rng: np.random.Generator) -> PathRows:
    """Each path once, from whichever end it came, in random order."""
    paths = paths.from_lower_end()
    _, first = np.unique(np.hstack([paths.vertices, paths.labels]), axis=0, return_index=True)
    return paths.take(rng.permutation(first))
