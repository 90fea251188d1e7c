"""What the trees of kgpath-ltr see of a fact: text and graph, what was learned, what was read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.ltr.fact_examples import FactExample
from kgpath.rankers.ltr.relation_statistics import LEARNED, RelationStatistics

#: All columns that statistics fill.
_LEARNED = (*LEARNED, *(f"{name} behind" for name in LEARNED))


def fact_table(example: FactExample, statistics: RelationStatistics) -> FeatureTable:
    """A row for each fact; how far it is behind the best parallel relation stands beside it."""
    learned = statistics.features(example.spans, example.entity_pair)
    tables = [example.hops, learned, learned.behind(example.entity_pair)]
    if example.read is not None:
        tables += [example.read, example.read.behind(example.entity_pair)]
    return FeatureTable.side_by_side(*tables)


def without_statistics(table: FeatureTable, hidden: NDArray[np.bool_]) -> FeatureTable:
    """The same as if the relations of the hidden facts were new."""
    return table.blanked(hidden, _LEARNED)
