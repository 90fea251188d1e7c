"""Do rankers show the sentences that say a fact? Every marked fact of a text, path or no path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kgpath.features.path_features import PathFeatures
from kgpath.graph import Graph
from kgpath.io.evidence import MarkedText
from kgpath.learning.marked_sentences import MarkedSentences
from kgpath.learning.resolve import Resolver, group_of, where_of
from kgpath.linking.context import Context
from kgpath.metrics import Interval, Overlap, bootstrap_ratio
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.ranker import Ranker
from kgpath.storage.hop_codes import code_of


class EvidenceFigures(NamedTuple):
    """What a ranker shows for the facts of texts against what is marked, a text each."""

    texts: tuple[Overlap, ...]
    groups: tuple[str, ...]

    def to_json(self, seed: int = 0) -> dict[str, Any]:
        """Micro precision, recall and F1 over all facts; the interval draws whole documents."""
        whole = Overlap.sum(self.texts)
        return {
            "P": whole.precision,
            "R": whole.recall,
            "F1": whole.f1,
            "F1_interval": list(self._interval(seed)[1:]),
        }

    def _interval(self, seed: int) -> Interval:
        return bootstrap_ratio(
            [2.0 * one.common for one in self.texts],
            [float(one.shown + one.named) for one in self.texts],
            self.groups,
            seed=seed,
        )


def counted(number: int, what: str) -> str:
    """How many there are, as "1 fact" or "2 facts"."""
    return f"{number:,} {what}{'s' * (number != 1)}"


class EvidenceSet:
    """Marked texts over a graph. ``left_out`` counts facts that cannot be measured, and why.

    ``notes`` names the texts that cannot.
    """

    def __init__(self, graph: Graph, texts: Sequence[MarkedText]) -> None:
        self.notes: list[str] = []
        self.left_out: Counter[str] = Counter()
        self._graph = graph
        resolver = Resolver(graph)
        known = [(text, self._resolved(resolver, text)) for text in texts]
        self._texts = [(text, marked) for text, marked in known if marked and marked.facts]
        self.notes += resolver.left_out
        self.facts = sum(len(marked.facts) for _, marked in self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __str__(self) -> str:
        left = ", ".join(f"{count:,} {why}" for why, count in self.left_out.items() if count)
        said = f"; left out: {left}" if left else ""
        if not self.facts:
            return f"Evidence: none of the facts can be measured{said}."
        return (
            f"Evidence: {counted(self.facts, 'fact')} of {counted(len(self), 'text')}{said}. "
            "Sentences shown for them against those marked, over all facts; the interval is by "
            "document."
        )

    def to_json(self) -> dict[str, Any]:
        """How much was measured, as plain data."""
        return {"texts": len(self), "facts": self.facts, "left_out": dict(self.left_out)}

    def group(self, place: int) -> str:
        """Names the document of a text, as that of a query."""
        return group_of(self._texts[place][0].document)

    def features(self, place: int) -> PathFeatures:
        """The facts of a text as paths of one hop: the text is read once for all of them."""
        text, marked = self._texts[place]
        facts = np.array(list(marked.facts), dtype=np.int64)
        paths = PathArrays(
            vertices=facts[:, [0, 2]].astype(np.int32),
            lengths=np.ones(len(facts), dtype=np.int32),
            hop_codes=code_of(facts[:, [1]], backward=False).astype(np.int32),
            source=self._graph,
        )
        return PathFeatures(Context(self._graph, text.document), paths)

    def marked(self, place: int) -> MarkedSentences:
        """What people marked in a text."""
        return self._texts[place][1]

    def judged(self, place: int, ranker: Ranker, features: PathFeatures) -> Overlap:
        """What a ranker shows for all facts of a text, against what is marked."""
        facts = range(len(features.facts.heads))
        return self._texts[place][1].overlap(features, ranker.evidence(features), facts)

    def _resolved(self, resolver: Resolver, text: MarkedText) -> MarkedSentences | None:
        marked = resolver.marked(text, where_of(text.id, text.line))
        if marked is not None:
            named = {(fact.head, fact.relation, fact.tail): fact for fact in text.facts}
            empty = sum(not fact.sentences for fact in named.values())
            self.left_out["without a sentence"] += empty
            self.left_out["not in the graph"] += len(named) - empty - len(marked.facts)
        return marked
