"""Examples for the parts of kgpath-general, with all their numbers written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.general.told_example import ToldExample

#: What is the same for all facts of a query.
OF_THE_TEXT = {"sentences": float(np.log1p(2)), "names": float(np.log1p(3))}


def told(
    facts: Mapping[str, Sequence[float]],
    paths: Mapping[str, Sequence[float]],
    along: Sequence[Sequence[int]],
    entity_pair: Sequence[int],
    zero_shot: Sequence[float],
    true: Sequence[int] = (),
    names: Sequence[tuple[str, str, str]] = (),
    group: str = "",
    reading: Sequence[float] | None = None,
) -> ToldExample:
    """A query with these columns over its facts and its paths; ``true`` are places of paths.

    Its text has, as logarithms, two sentences and three names, whatever the facts. No sentence
    encoder read it unless ``reading`` says what that one adds to each path.
    """
    text = {name: [size] * len(entity_pair) for name, size in OF_THE_TEXT.items()}
    right = np.zeros(len(along), dtype=np.bool_)
    right[list(true)] = True
    return ToldExample(
        facts=_table({**facts, **text}),
        paths=_table(paths),
        along=np.array(along, dtype=np.int64),
        entity_pair=np.array(entity_pair, dtype=np.int64),
        zero_shot=np.array(zero_shot, dtype=np.float64),
        read=np.zeros(len(entity_pair)),
        reading=np.zeros(len(along)) if reading is None else np.array(reading, dtype=np.float64),
        names=tuple(names),
        true=right,
        group=group,
    )


def _table(columns: Mapping[str, Sequence[float]]) -> FeatureTable:
    values = {name: np.array(column, dtype=np.float64) for name, column in columns.items()}
    return FeatureTable.side_by_side(FeatureTable.of(columns, values))
