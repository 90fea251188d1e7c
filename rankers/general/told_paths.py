"""What kgpath-general sees of a whole path, once it knows how surely each of its hops is told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import FeatureTable, behind_best
from kgpath.features.path_features import row_sums
from kgpath.features.relation_meaning import MEANING_FEATURES
from kgpath.rankers.general.told_example import ToldExample

Numbers = NDArray[np.float64]

#: What is aggregated over the hops of a path, as mean, least and most.
AGGREGATED = (
    "least named", "best named", "gap", "together", "relation words", "relation near", "parallels",
    "labelled", "words behind", "near behind", "frequency behind", "labelled behind",
    "sentences apart", "others between", "head nearer", "tail nearer", "words elsewhere",
    "relation share", "less share", "said", *MEANING_FEATURES,
)  # fmt: skip
OF_THE_TEXT = ("sentences", "names")
_OF_HOPS = ("log p", "odds", "least odds", "mean odds")


def told_paths(example: ToldExample, odds: Numbers) -> FeatureTable:
    """A row for each path; ``odds`` are the logarithms of the odds that each fact is told."""
    names = [name for name in AGGREGATED if name in example.facts.names]
    return FeatureTable.side_by_side(
        _by_hops(example, odds),
        _beside_zero_shot(example.zero_shot),
        example.paths,
        _of_the_text(example),
        _behind(example.paths),
        *_over_hops(example.facts.select(names), example.along),
    )


def hop_log_chances(along: NDArray[np.int64], odds: Numbers) -> Numbers:
    """The logarithm of the chance that each hop of each path is told; 0 after its end."""
    return np.where(along >= 0, -np.logaddexp(0, -odds)[np.maximum(along, 0)], 0)


def _by_hops(example: ToldExample, odds: Numbers) -> FeatureTable:
    along, pair = example.along, example.entity_pair
    there, facts = along >= 0, np.maximum(along, 0)
    count = np.maximum(there.sum(axis=1), 1)
    total = row_sums(hop_log_chances(along, odds))
    of_hops = row_sums(np.where(there, odds[facts], 0))
    behind_pair = behind_best(odds, pair)[facts]
    own = FeatureTable.of(
        _OF_HOPS,
        {
            "log p": total,
            "odds": of_hops,
            "least odds": np.where(there, odds[facts], np.inf).min(axis=1),
            "mean odds": of_hops / count,
        },
    )
    best = np.sort(total)[::-1]
    second = best[1] if len(best) > 1 else best[0] - 20
    others = {
        "log p beyond the second": total - second,
        "better paths": _better(total),
        "best log p": np.full(len(total), best[0]),
        "odds behind parallels": row_sums(np.where(there, behind_pair, 0)),
        "least behind parallels": np.where(there, behind_pair, 0).min(axis=1),
    }
    return FeatureTable.side_by_side(own, _behind(own), FeatureTable.of(others, others))


def _beside_zero_shot(scores: Numbers) -> FeatureTable:
    columns = {"zero-shot behind": scores - scores.max(), "zero-shot better": _better(scores)}
    return FeatureTable.of(columns, columns)


def _better(scores: Numbers) -> NDArray[np.int64]:
    """How many paths score more than each; what differs by less than a rounding error is equal."""
    rounded = scores.round(9)
    return len(scores) - np.searchsorted(np.sort(rounded), rounded, side="right")


def _of_the_text(example: ToldExample) -> FeatureTable:
    """What is the same for all facts is the same for all paths."""
    first = example.facts.select(OF_THE_TEXT).values[:1]
    return FeatureTable(OF_THE_TEXT, np.repeat(first, len(example.along), axis=0))


def _behind(table: FeatureTable) -> FeatureTable:
    """How far each path is behind the best of the query."""
    names = tuple(f"{name} behind" for name in table.names)
    return FeatureTable(names, table.values - table.values.max(axis=0))


def _over_hops(of_facts: FeatureTable, along: NDArray[np.int64]) -> list[FeatureTable]:
    """The mean, the least and the most over the hops of each path."""
    there = (along >= 0)[:, :, None]
    hops = of_facts.values[np.maximum(along, 0)]
    count = np.maximum((along >= 0).sum(axis=1), 1)[:, None]
    aggregates = {
        "mean": row_sums(np.where(there, hops, 0)) / count,
        "least": np.where(there, hops, np.inf).min(axis=1),
        "most": np.where(there, hops, -np.inf).max(axis=1),
    }
    return [
        FeatureTable(tuple(f"{kind} {name}" for name in of_facts.names), values)
        for kind, values in aggregates.items()
    ]
