"""A path has two readings, one from each end; a path encoder must give both the same vector.

Path-VAE reads both and takes their mean: a rule that chose one of them, such as the alphabet,
would read two alike paths in opposite ways only because their ends are called so. Path-text, to
which the order of facts says little, begins at the end whose IRI comes first. Path-mean needs no
rule: it takes every relation in the direction of its fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.paths.path_arrays import PathArrays
from kgpath.storage.hop_codes import inverse
from kgpath.types import Path

Ids = NDArray[np.integer[Any]]


def by_length(lengths: Ids) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each length that occurs, and the rows that have it: no row needs padding among its like."""
    for length in np.unique(lengths).tolist():
        yield length, np.flatnonzero(lengths == length)


def reversed_rows(vertices: Ids, codes: Ids) -> tuple[Ids, Ids]:
    """Rows of one length from their other end; hops change their direction."""
    return vertices[:, ::-1], inverse(codes[:, ::-1])


def from_first_iri(path: Path) -> Path:
    """The path from that of its ends whose IRI comes first."""
    return path.reversed() if path.nodes[-1].iri < path.nodes[0].iri else path


def rows_of(candidates: PathArrays, rows: Ids, length: int) -> tuple[Ids, Ids]:
    """Vertices and hop codes of rows of one length, without padding."""
    return candidates.vertices[rows, : length + 1], candidates.hop_codes[rows, :length]
