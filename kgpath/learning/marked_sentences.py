"""Marked sentences held against shown ones: both may come from other splits of the same text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kgpath.features.path_features import PathFeatures
from kgpath.metrics import Overlap

#: A fact by the ids of its head, its relation and its tail.
FactIds = tuple[int, int, int]


class MarkedSentences(NamedTuple):
    """The sentences that people marked for facts of the graph.

    They begin at ``starts``; without these the numbers are those of kgpath's own sentences.
    """

    facts: Mapping[FactIds, frozenset[int]]
    starts: tuple[int, ...] = ()

    def overlap(
        self, features: PathFeatures, shown: Sequence[Iterable[int]], facts: Iterable[int]
    ) -> Overlap:
        """What is shown for facts, by their place, against what is marked for them, together.

        ``shown`` has the sentences of every fact; those that nobody marked do not count.
        """
        known, spans = features.facts, features.context.sentences
        found = []
        for fact in facts:
            key = int(known.heads[fact]), int(known.relations[fact]), int(known.tails[fact])
            if key in self.facts:
                seen = same_sentences(spans, self.starts, shown[fact])
                found.append(Overlap.of(seen, self.facts[key]))
        return Overlap.sum(found)


def same_sentences(
    spans: Sequence[tuple[int, int]], starts: Sequence[int], numbers: Iterable[int]
) -> frozenset[int]:
    """The sentences of another split, which begin at ``starts``, that some of our spans show.

    A sentence is shown by ours where the middle of one lies in the other. So a part of a sentence
    shows it, and what we joined shows all of its parts, but an ending that was put to the next
    sentence does not.

    >>> same_sentences([(0, 9), (10, 40)], [0, 10, 25], [1])
    frozenset({1, 2})
    """
    if not starts:
        return frozenset(numbers)
    found = set()
    # What lies before the first start belongs to it; the last sentence reaches to our last end.
    ends = [*starts[1:], max(max((end for _, end in spans), default=0), starts[-1] + 1)]
    middles = [(start + end) // 2 for start, end in zip(starts, ends, strict=True)]
    for number in numbers:
        start, end = spans[number]
        found.add(max(bisect_right(starts, (start + end) // 2) - 1, 0))
        found.update(at for at, middle in enumerate(middles) if start <= middle < end)
    return frozenset(found)
