"""What says whether a text tells a fact, in numbers that mean the same on every graph.

Counts of one graph say nothing on another: in their place stand shares of what is rarer there. No
number knows which relation it is about, only how the text and the graph speak of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import FeatureTable
from kgpath.features.graph_shares import GraphShares
from kgpath.features.hop_features import HOP_FEATURES, HopFeatures
from kgpath.features.path_features import PathFeatures
from kgpath.features.relation_meaning import MEANING_FEATURES, relation_meaning
from kgpath.lexicon.text import fold
from kgpath.linking.assertion import SAID

_COUNTS = ("frequency", "head degree", "tail degree", "less degree")
OWN_FEATURES = {
    "relation share": "share of the graph's facts whose relation is rarer",
    "head share": "share of the graph's entities with fewer facts than the head",
    "tail share": "the same of the tail",
    "less share": "the same of the end with fewer facts",
    "twins": "how many more common parallel relations have the same words",
    "said": "whether neither end is denied, asked or supposed where they are closest",
}
TOLD_FEATURES = {
    **{name: line for name, line in HOP_FEATURES.items() if name not in _COUNTS},
    **MEANING_FEATURES,
    **OWN_FEATURES,
}
#: Words of a relation's name that make no difference: "leader name" is the leader.
_EMPTY = frozenset("a an the of is has name names".split())


class ToldFeatures:
    """The features of all distinct facts on the candidate paths, a row each."""

    def __init__(self, features: PathFeatures) -> None:
        self.features = features
        self.hops = HopFeatures(features)
        self.entity_pair = self.hops.entity_pair

    def table(self) -> FeatureTable:
        """All features of all facts."""
        own = FeatureTable.of(OWN_FEATURES, self._own())
        meaning = relation_meaning(self.features, self.entity_pair)
        tables = FeatureTable.side_by_side(self.hops.table(), meaning, own)
        return tables.select(TOLD_FEATURES)

    def _own(self) -> dict[str, NDArray[Any]]:
        facts = self.features.facts
        shares = self.features.context.graph.derived(GraphShares)
        head, tail = shares.of_entities(facts.heads), shares.of_entities(facts.tails)
        return {
            "relation share": shares.of_relations(facts.relations),
            "head share": head,
            "tail share": tail,
            "less share": np.minimum(head, tail),
            "twins": self._twins(),
            "said": self._said(),
        }

    def _twins(self) -> NDArray[np.int64]:
        """Of parallel relations with the same words the most common one is most likely meant."""
        facts = self.features.facts
        relations = self.features.context.graph.store.relations
        distinct, of_fact = np.unique(facts.relations, return_inverse=True)
        labels = [_plain_words(relations[number].label) for number in distinct.tolist()]
        numbers = {words: at for at, words in enumerate(dict.fromkeys(labels))}
        words = np.array([numbers[label] for label in labels], dtype=np.int64)[of_fact]
        edges = np.array([relations[number].edges for number in distinct.tolist()])[of_fact]
        keys = np.stack([facts.heads, facts.tails, words])
        _, group = np.unique(keys, axis=1, return_inverse=True)
        group = group.reshape(-1)
        order = np.lexsort((-edges, group))
        place = np.arange(len(order))
        fresh = np.ones(len(order), dtype=np.bool_)  # where a group begins
        fresh[1:] = group[order][1:] != group[order][:-1]
        fewer = fresh.copy()  # where there are fewer edges than just before
        fewer[1:] |= edges[order][1:] != edges[order][:-1]
        begun = np.maximum.accumulate(np.where(fresh, place, 0))
        tied = np.maximum.accumulate(np.where(fewer, place, 0))
        twins = np.zeros(len(order), dtype=np.int64)
        twins[order] = tied - begun
        return twins

    def _said(self) -> NDArray[np.bool_]:
        assertion, found = self.features.context.assertion, self.features.evidence
        if not len(assertion):
            return np.ones(len(found.first), dtype=np.bool_)
        unsaid = (assertion[found.first] != SAID) | (assertion[found.last - 1] != SAID)
        return np.asarray(~(unsaid & found.seen))


def _plain_words(label: str) -> frozenset[str]:
    """The words of a relation's name, without plural and empty words."""
    words = [word for word in fold(label).split() if word not in _EMPTY]
    return frozenset(word[:-1] if word.endswith("s") and len(word) > 3 else word for word in words)
