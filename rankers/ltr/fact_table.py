"""What the trees of kgpath-ltr see of a fact: text and graph, what was learned, what was read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.features.hop_features import HOP_FEATURES
from kgpath.rankers.ltr.expressed_facts import Material
from kgpath.rankers.ltr.relation_statistics import LEARNED, RelationStatistics

Floats = NDArray[np.float32]

#: What a sentence encoder adds.
READ = ("hop read", "relation read")

_COLUMNS = (*HOP_FEATURES, *LEARNED, *(f"{name} behind" for name in LEARNED))
_READ_COLUMNS = (*READ, *(f"{name} behind" for name in READ))
_LEARNED = slice(len(HOP_FEATURES), len(_COLUMNS))


def columns(material: Material) -> tuple[str, ...]:
    """The names of the columns of a table."""
    return (*_COLUMNS, *_READ_COLUMNS) if material.read.shape[1] else _COLUMNS


def fact_table(material: Material, statistics: RelationStatistics) -> Floats:
    """A row for each fact; how far it is behind the best parallel relation stands beside it."""
    learned = statistics.features(material.stretches, material.pair)
    parts: list[NDArray[Any]] = [material.hops, learned, _behind(learned, material.pair)]
    if material.read.shape[1]:
        parts += [material.read, _behind(material.read, material.pair)]
    return np.column_stack(parts).astype(np.float32)


def unlearned(table: Floats, hidden: NDArray[np.bool_]) -> Floats:
    """The same as if the relations of the hidden facts were new."""
    bare = table.copy()
    bare[hidden, _LEARNED] = np.nan
    return bare


def _behind(values: NDArray[Any], pair: NDArray[np.int64]) -> NDArray[np.float64]:
    best = np.full((int(pair.max(initial=-1)) + 1, values.shape[1]), -np.inf)
    np.maximum.at(best, pair, np.where(np.isnan(values), -np.inf, values))
    with np.errstate(invalid="ignore"):
        return np.asarray(values - best[pair])
