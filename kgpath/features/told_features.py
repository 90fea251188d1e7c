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
from kgpath.linking.assertion_cues import SAID

_COUNTS = ("frequency", "head degree", "tail degree", "less degree")
OWN_FEATURES = {
    "relation share": "share of the graph's facts whose relation is rarer",
    "head share": "share of the graph's entities with fewer facts than the head",
    "tail share": "the same of the tail",
    "less share": "the same of the end with fewer facts",
    "sentences": "how many sentences the text has, as a logarithm: a long text tells more",
    "names": "how many entities it names, as a logarithm",
    "said": "whether neither end is denied, asked or supposed where they are closest",
}
TOLD_FEATURES = {
    **{name: line for name, line in HOP_FEATURES.items() if name not in _COUNTS},
    **MEANING_FEATURES,
    **OWN_FEATURES,
}


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
            **self._of_the_text(),
            "said": self._said(),
        }

    def _of_the_text(self) -> dict[str, NDArray[Any]]:
        context, count = self.features.context, len(self.features.facts.heads)
        named = {mention.entity for mention in context.mentions()}
        sizes = {"sentences": len(context.sentences), "names": len(named)}
        return {name: np.full(count, np.log1p(size)) for name, size in sizes.items()}

    def _said(self) -> NDArray[np.bool_]:
        assertion, found = self.features.context.assertion, self.features.evidence
        if not len(assertion):
            return np.ones(len(found.first), dtype=np.bool_)
        unsaid = (assertion[found.first] != SAID) | (assertion[found.last - 1] != SAID)
        return np.asarray(~(unsaid & found.seen))
