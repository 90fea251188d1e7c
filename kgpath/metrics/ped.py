"""PED: how far apart are the vectors of the first path and the true one?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.metrics.judged_ranking import JudgedRanking, whole_path
from kgpath.metrics.metric import Metric, PathVectors, Tools
from kgpath.metrics.top_path import distance_of_first, first_and_true
from kgpath.types import Path


@dataclass(frozen=True)
class PED(Metric):
    """1 - (cosine + 1) / 2 of the first path's vector and the closest true one's; 0 is the same.

    Equation 10 of Lo & Lim (2023). A vector of zeros has cosine 0 to all but its own path. The
    figures of different encoders cannot be compared.
    """

    higher_is_better: ClassVar[bool] = False

    def __str__(self) -> str:
        return "PED"

    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        if tools.encoder is None:
            raise BadOption("PED needs a path encoder: encoder=…, a function from paths to vectors")
        needed = {
            whole_path(path): path
            for query in queries
            for paths in first_and_true(query)
            for path in paths
        }
        place = {key: at for at, key in enumerate(needed)}
        vectors = unit_vectors(tools.encoder, needed.values())

        def apart(one: Path, other: Path) -> float:
            cosine = vectors[place[whole_path(one)]] @ vectors[place[whole_path(other)]]
            return min(max((1 - float(cosine)) / 2, 0.0), 1.0)

        return [distance_of_first(query, apart) for query in queries]


def unit_vectors(encoder: PathVectors, paths: Iterable[Path]) -> NDArray[np.float64]:
    """One row of length 1 for each path, asked for in one call; zeros stay zeros."""
    asked = list(paths)
    if not asked:
        return np.zeros((0, 0))
    rows = np.asarray(encoder(asked), dtype=np.float64)
    if rows.ndim != 2 or len(rows) != len(asked) or not np.isfinite(rows).all():
        raise BadOption(
            f"The path encoder gave an array of shape {rows.shape} for {len(asked)} paths; "
            f"it should be ({len(asked)}, dimensions), all finite numbers."
        )
    # By the largest number first: the square of a tiny or huge one would not fit.
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    rows = rows / np.where(largest > 0, largest, 1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float64)
