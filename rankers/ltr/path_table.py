"""What the trees of kgpath-ltr see of a whole path: its own features, and those of its hops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import FeatureTable
from kgpath.features.path_features import row_sums
from kgpath.rankers.ltr.expressed_tree import tree_chances
from kgpath.rankers.ltr.fact_examples import READ_FEATURES, FactExample
from kgpath.rankers.ltr.relation_statistics import LEARNED

Numbers = NDArray[np.float64]

#: What is aggregated over the hops of a path, as mean, least and most.
AGGREGATED = (
    "least named", "best named", "gap", "together", "relation words", "relation near", "frequency",
    "parallels", "labelled", "words behind", "near behind", "frequency behind", "labelled behind",
    "first order", "head order", "tail order", "order apart", "head degree", "tail degree",
    "sentences apart", "others between", "opens", "head nearer", "tail nearer", "head partners",
    "tail partners", "words elsewhere",
    *LEARNED, *(f"{name} behind" for name in LEARNED),
    *READ_FEATURES, *(f"{name} behind" for name in READ_FEATURES),
)  # fmt: skip


def path_table(
    example: FactExample, facts: FeatureTable, scores: Numbers, pair_odds: Numbers
) -> FeatureTable:
    """A row for each path, given the table of its facts, their scores and its relation pairs'."""
    on_tree, alone = tree_chances(example.ends, scores, example.facts_along)
    of_facts = facts.select(name for name in AGGREGATED if name in facts.names)
    own = FeatureTable(("score", "on tree"), np.column_stack([scores, alone]))
    names = (*of_facts.names, *(f"{name} of fact" for name in own.names))
    of_hops = FeatureTable(names, np.column_stack([of_facts.values, own.values]))
    return FeatureTable.side_by_side(
        example.paths,
        _behind_first(example.paths),
        _path_scores(example, scores, on_tree),
        _pairs(example, pair_odds),
        *_over_hops(of_hops, example.facts_along),
    )


def hop_scores(example: FactExample, scores: Numbers) -> Numbers:
    """The score of each hop of each path; 0 after its end."""
    along = example.facts_along
    return np.where(along >= 0, scores[np.maximum(along, 0)], 0)


def _behind_first(table: FeatureTable) -> FeatureTable:
    """How far each path is behind the best of the query."""
    names = tuple(f"{name} behind" for name in table.names)
    return FeatureTable(names, table.values - table.values.max(axis=0))


def _path_scores(example: FactExample, scores: Numbers, on_tree: Numbers) -> FeatureTable:
    """The sum over the hops of each path, its chance on the tree, and both beside the others'."""
    total = row_sums(hop_scores(example, scores))
    columns = {
        "score": total,
        "score behind": total - total.max(),
        "score a hop": total / np.maximum(example.lengths, 1),
        "on tree": on_tree,
        "on tree behind": on_tree - on_tree.max(),
        "better paths": (total[None, :] > total[:, None]).sum(axis=1),
    }
    return FeatureTable.of(columns, columns)


def _pairs(example: FactExample, odds: Numbers) -> FeatureTable:
    """How often the relations that meet on each path were expressed together."""
    along = example.pairs_along
    met = np.where(along >= 0, np.append(odds, np.nan)[along], np.nan)
    known = ~np.isnan(met)
    count = known.sum(axis=1)
    nothing = np.where(count > 0, 0, np.nan)
    total = row_sums(np.where(known, met, 0))
    columns = {
        "mean pair": total / np.maximum(count, 1) + nothing,
        "least pair": np.where(known, met, np.inf).min(axis=1, initial=np.inf) + nothing,
        "sum of pairs": total,
    }
    return FeatureTable.of(columns, columns)


def _over_hops(of_facts: FeatureTable, along: NDArray[np.int64]) -> list[FeatureTable]:
    """The mean, the least and the most over the hops of each path, of what is known."""
    there = along >= 0
    hops = np.where(there[:, :, None], of_facts.values[np.where(there, along, 0)], np.nan)
    known = ~np.isnan(hops)
    count = known.sum(axis=1)
    nothing = np.where(count > 0, 0, np.nan)
    aggregates = {
        "mean": row_sums(np.where(known, hops, 0)) / np.maximum(count, 1) + nothing,
        "least": np.where(known, hops, np.inf).min(axis=1, initial=np.inf) + nothing,
        "most": np.where(known, hops, -np.inf).max(axis=1, initial=-np.inf) + nothing,
    }
    return [
        FeatureTable(tuple(f"{kind} {name}" for name in of_facts.names), values)
        for kind, values in aggregates.items()
    ]
