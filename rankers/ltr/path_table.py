"""What the trees of kgpath-ltr see of a whole path: its own features, and those of its hops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.path_features import sums
from kgpath.rankers.ltr.expressed_facts import Material
from kgpath.rankers.ltr.expressed_tree import tree_chances
from kgpath.rankers.ltr.fact_table import READ, columns
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
    *READ, *(f"{name} behind" for name in READ),
)  # fmt: skip


def path_table(
    material: Material, facts: NDArray[np.float32], scores: Numbers, joints: Numbers
) -> NDArray[np.float32]:
    """A row for each path, given the table of its facts and their scores."""
    there = material.of >= 0
    along = np.where(there, material.of, 0)
    total = path_scores(material, scores)
    on_tree, alone = tree_chances(material.ends, scores, material.of)
    names = columns(material)
    kept = [names.index(name) for name in AGGREGATED if name in names]
    of_hops = np.column_stack([facts[:, kept], scores, alone])
    hops = np.where(there[:, :, None], of_hops[along], np.nan)
    known = ~np.isnan(hops)
    count = known.sum(axis=1)
    nothing = np.where(count > 0, 0, np.nan)
    met = np.where(material.joint_of >= 0, np.append(joints, np.nan)[material.joint_of], np.nan)
    met_known = ~np.isnan(met)
    met_count = met_known.sum(axis=1)
    met_nothing = np.where(met_count > 0, 0, np.nan)
    better = (total[None, :] > total[:, None]).sum(axis=1)
    parts = [
        material.paths,
        material.paths - material.paths.max(axis=0),
        np.column_stack([total, total - total.max(), total / np.maximum(material.lengths, 1)]),
        np.column_stack([on_tree, on_tree - on_tree.max(), better]),
        np.column_stack(
            [
                sums(np.where(met_known, met, 0)) / np.maximum(met_count, 1) + met_nothing,
                np.where(met_known, met, np.inf).min(axis=1, initial=np.inf) + met_nothing,
                sums(np.where(met_known, met, 0)),
            ]
        ),
        sums(np.where(known, hops, 0)) / np.maximum(count, 1) + nothing,
        np.where(known, hops, np.inf).min(axis=1, initial=np.inf) + nothing,
        np.where(known, hops, -np.inf).max(axis=1, initial=-np.inf) + nothing,
    ]
    return np.column_stack(parts).astype(np.float32)


def path_scores(material: Material, scores: Numbers) -> Numbers:
    """The sum over the hops of each path."""
    return sums(hop_scores(material, scores))


def hop_scores(material: Material, scores: Numbers) -> Numbers:
    """The score of each hop of each path; 0 after its end."""
    return np.where(material.of >= 0, scores[np.maximum(material.of, 0)], 0)
