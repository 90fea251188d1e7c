"""Examples for the parts of kgpath-ltr, over facts that are written down by name."""

from __future__ import annotations

import numpy as np

from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.ltr.fact_examples import FactExample
from kgpath.rankers.ltr.fact_spans import FactSpan

AB, BC, AC = ("a", "r", "b"), ("b", "r", "c"), ("a", "s", "c")


def example(facts: list[tuple[str, str, str]], paths: list[list[int]], **more) -> FactExample:
    """A query over named facts; all of them named by the text."""
    names = sorted({end for h, _, t in facts for end in (h, t)})
    ends = [[names.index(fact[side]) for fact in facts] for side in (0, 2)]
    width = max(map(len, paths))
    along = np.array([path + [-1] * (width - len(path)) for path in paths])
    return FactExample(
        hops=FeatureTable(("least named",), np.ones((len(facts), 1), np.float32)),
        paths=FeatureTable(("length",), np.zeros((len(paths), 1), np.float32)),
        facts_along=along, entity_pair=np.arange(len(facts)), ends=np.array(ends),
        spans=tuple(FactSpan(r, frozenset(), frozenset()) for _, r, _ in facts),
        facts=tuple(facts), zero_shot=np.zeros(len(paths)),
        relation_pairs=(), pairs_along=np.full((len(paths), width - 1), -1),
        read=None, **more,
    )  # fmt: skip
