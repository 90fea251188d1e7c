"""Which of several relations between the same two things a text means: by hand, for every graph.

Trees that learned on one graph what tells its parallel relations apart, such as *country* and
*located in*, take what is peculiar to it for a rule: on another graph they chose no better than
chance. What a relation is called in the text holds everywhere, and can be weighed by hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import behind_best, best_of_group
from kgpath.features.path_features import row_sums
from kgpath.rankers.general.told_example import ToldExample

Numbers = NDArray[np.float64]

#: The first five as a conditional logit over facts of Re-DocRED and of generated texts has them,
#: rounded; the last by hand: of two relations that a text may mean the rarer one says more.
WEIGHTS = {
    "relation near": 2.4,
    "meant near": 2.1,
    "best meant near": -2.9,  # one word that fits well is less than all of them
    "meant in sentence": 1.5,
    "meant between": 1.6,
    "relation share": -0.6,
}
#: How much a sentence encoder counts: the cosine of a fact, plus that of its relation alone.
READ = 10.0
#: How much of what trees make of paths over the same entities is believed.
TRUST = 0.25


def chosen_among_parallels(example: ToldExample, scores: Numbers) -> Numbers:
    """The scores of all paths, where those over the same entities are told apart by their words.

    The best of such paths keeps its score if its relations are also those that the words mean.
    """
    if not len(scores):
        return scores
    facts = example.facts
    meant = READ * example.read
    for name, weight in WEIGHTS.items():
        if name in facts.names:
            meant = meant + weight * facts[name].astype(np.float64)
    behind = behind_best(meant, example.entity_pair)
    along = example.along
    lost = row_sums(np.where(along >= 0, behind[np.maximum(along, 0)], 0))
    best = best_of_group(scores, example.entity_path)
    return np.asarray(best + TRUST * (scores - best) + lost)
