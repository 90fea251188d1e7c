"""Paths met by random walks anywhere in a graph, to learn from."""

from __future__ import annotations

import numpy as np

from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.random_walks import WalkGraph, walk
from kgpath.storage.index import Index


def random_paths(index: Index, walks: int, seed: int, hops: int = 6) -> PathArrays:
    """The different paths of so many walks, in random order; 1 to ``hops`` hops, no entity twice.

    Start and neighbours are drawn uniformly, as in section 7.2.2 of the paper.
    """
    rng = np.random.default_rng(seed)
    graph = WalkGraph.of(index)
    starts = graph.starts
    drawn = rng.choice(starts, walks) if len(starts) else starts
    return distinct(walk(graph, drawn, rng, hops=hops)[0], rng)


def distinct(paths: PathArrays, rng: np.random.Generator) -> PathArrays:
    """Each path once, from whichever end it came, in random order."""
    paths = paths.from_lower_end()
    return paths.take(rng.permutation(paths.distinct()))
