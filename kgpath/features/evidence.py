"""How a text expresses a hop: where its two ends stand closest, and words of its relation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.features.relation_matches import relation_matches
from kgpath.linking.context import Context
from kgpath.linking.occurrences import CLEAR, Occurrences
from kgpath.paths.path_arrays import Facts

if TYPE_CHECKING:
    from kgpath.features.path_features import PathFeatures

#: Gap between two ends of which one is not seen at all, in tokens.
UNSEEN = 60
#: Another sentence counts as so many tokens more.
NEXT_SENTENCE = 10

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Evidence(NamedTuple):
    """How a text expresses facts, an array over the facts each.

    ``gap`` tokens lie between the closest occurrences of the two ends, which stand within the
    tokens ``first`` to ``last`` (the whole text if an end is not ``seen``); ``words`` is the share
    of the relation's words that the text has anywhere, ``near`` the share close to the two ends.
    """

    seen: Mask
    gap: Places
    same_sentence: Mask
    first: Places
    last: Places
    words: Numbers
    near: Numbers


def evidence(context: Context, facts: Facts, occurrences: Occurrences) -> Evidence:
    """How the text expresses facts whose ends are among the occurrences."""
    ends = closest_ends(context, facts, occurrences)
    words, near = relation_matches(context, facts.relations, ends.first, ends.last)
    return Evidence(**ends._asdict(), words=words, near=near)


def shown_sentences(features: PathFeatures) -> list[tuple[int, ...]]:
    """For each fact the sentences to show for it, by number: those of its closest ends.

    None for a fact whose ends are not both seen.
    """
    found, sentence = features.evidence, features.context.sentence_of
    if not len(sentence):
        return [()] * len(found.seen)
    # The last token of an end that is not seen need not be one of the text.
    first = sentence[np.minimum(found.first, len(sentence) - 1)].tolist()
    last = sentence[np.maximum(found.last - 1, 0)].tolist()
    return [
        ((one,) if one == other else (min(one, other), max(one, other))) if seen else ()
        for seen, one, other in zip(found.seen.tolist(), first, last, strict=True)
    ]


class ClosestEnds(NamedTuple):
    """The closest occurrences of the two ends of facts, an array over the facts each.

    ``gap`` tokens lie between them, and they stand within the tokens ``first`` to ``last``: the
    whole text if an end is not ``seen``.
    """

    seen: Mask
    gap: Places
    same_sentence: Mask
    first: Places
    last: Places


class _Pairs(NamedTuple):
    """Occurrences of one end of a fact, each with one of the other end."""

    fact: Places
    here: Places
    there: Places


def closest_ends(context: Context, facts: Facts, occurrences: Occurrences) -> ClosestEnds:
    """For each fact by name and, where it is clear who is meant, also by coreference."""
    by_name = closest_occurrences(context, occurrences.by_name(), facts)
    if not occurrences.is_coreference.any():
        return by_name
    # "He" may express a fact of what is surely meant; with less on the other side it is chance.
    ends = np.searchsorted(occurrences.entities, np.stack([facts.heads, facts.tails]))
    clear = (occurrences.named[ends] >= CLEAR).all(axis=0)
    by_any = closest_occurrences(context, occurrences, facts)
    return ClosestEnds(
        *(np.where(clear, one, other) for one, other in zip(by_any, by_name, strict=True))
    )


def closest_occurrences(context: Context, seen: Occurrences, facts: Facts) -> ClosestEnds:
    """For each fact the occurrences of its ends with the fewest tokens between them."""
    count, length = len(facts.heads), len(context.tokens.words)
    gap = np.full(count, UNSEEN, dtype=np.int64)
    same, both = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    first, last = np.zeros(count, dtype=np.int64), np.full(count, length, dtype=np.int64)
    if not len(seen.first):
        return ClosestEnds(both, gap, same, first, last)
    both, (fact, here, there) = _nearest_pairs(seen, facts, length)
    between = np.maximum(seen.first[there] - seen.last[here], seen.first[here] - seen.last[there])
    between = np.maximum(between, 0)
    sentence = context.sentence_of
    together = sentence[seen.first[here]] == sentence[seen.first[there]]
    start = np.minimum(seen.first[here], seen.first[there])
    order = np.lexsort((start, between + NEXT_SENTENCE * ~together, fact))
    facts_found, best = np.unique(fact[order], return_index=True)
    best = order[best]
    gap[facts_found], same[facts_found] = between[best], together[best]
    first[facts_found] = start[best]
    last[facts_found] = np.maximum(seen.last[here[best]], seen.last[there[best]])
    return ClosestEnds(both, gap, same, first, last)


def _nearest_pairs(seen: Occurrences, facts: Facts, length: int) -> tuple[Mask, _Pairs]:
    """Which facts have both ends in a text of that length, and pairs that may be the closest.

    From the end with fewer occurrences to the nearest of the other, before it and after it.
    """
    numbers = np.diff(seen.offsets)
    one = np.searchsorted(seen.entities, facts.heads)
    other = np.searchsorted(seen.entities, facts.tails)
    one, other = (
        np.where(numbers[one] <= numbers[other], one, other),
        np.where(numbers[one] <= numbers[other], other, one),
    )
    both = numbers[one] > 0
    sizes = np.where(both, numbers[one], 0)
    fact = np.repeat(np.arange(len(both)), sizes)
    begun = np.cumsum(sizes) - sizes
    here = seen.offsets[one[fact]] + np.arange(len(fact)) - begun[fact]
    owner = np.repeat(np.arange(len(numbers)), numbers) * (length + 1)
    wanted = other[fact] * (length + 1) + seen.first[here]
    after = np.searchsorted(owner + seen.first, wanted, side="right")
    # Of those that begin before, the one that reaches farthest: names may hold each other.
    ends = owner + seen.last
    farthest = np.maximum.accumulate(
        np.where(ends == np.maximum.accumulate(ends), np.arange(len(ends)), 0)
    )
    before = np.where(after > 0, farthest[after - 1], -1)
    fact, here = np.concatenate([fact, fact]), np.concatenate([here, here])
    there = np.concatenate([before, after])
    inside = (there >= seen.offsets[other[fact]]) & (there < seen.offsets[other[fact] + 1])
    return both, _Pairs(fact[inside], here[inside], there[inside])
