"""How a text expresses a hop: where its two ends stand closest, and words of its relation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.linking.context import BEGINNING, Context
from kgpath.linking.occurrences import CLEAR, Occurrences
from kgpath.linking.relation_words import OTHERS, RelationWords
from kgpath.paths.path_arrays import PathArrays

#: Gap between two ends of which one is not seen at all, in tokens.
UNSEEN = 60
#: Another sentence counts as so many tokens more.
NEXT_SENTENCE = 10
#: How much of a relation's word is found by the word itself, a form of it, or another word for it.
ITSELF, FORM, ANOTHER = 1.0, 0.8, 0.7
#: A word so many tokens away from the two ends counts 1/e of one between them.
REACH = 8

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


class Facts(NamedTuple):
    """The distinct facts along some paths, as stated: head, relation, tail.

    ``along[path, hop]`` is the fact of a hop; -1 after the end of the path.
    """

    heads: Places
    relations: Places
    tails: Places
    along: Places


class Evidence(NamedTuple):
    """How a text expresses facts, an array over the facts each.

    ``gap`` tokens lie between the closest occurrences of the two ends, which stand within the
    tokens ``first`` to ``last`` (the whole text if an end is not ``seen``); ``words`` is the share
    of the relation's words that the text has anywhere, ``near`` the share close to the two ends.
    """

    seen: NDArray[np.bool_]
    gap: Places
    same_sentence: NDArray[np.bool_]
    first: Places
    last: Places
    words: Numbers
    near: Numbers


def facts_of(candidates: PathArrays) -> Facts:
    """Every fact once, however many paths use it and in whichever direction."""
    there = candidates.hop_codes >= 0
    one, other = candidates.vertices[:, :-1][there], candidates.vertices[:, 1:][there]
    backward, relations = candidates.backward[there], candidates.relations[there]
    rows = np.stack(
        [np.where(backward, other, one), relations, np.where(backward, one, other)], axis=1
    )
    facts, place = np.unique(rows.astype(np.int64), axis=0, return_inverse=True)
    along = np.full(there.shape, -1, dtype=np.int64)
    along[there] = place.reshape(-1)
    return Facts(facts[:, 0], facts[:, 1], facts[:, 2], along)


def evidence(context: Context, facts: Facts, seen: Occurrences) -> Evidence:
    """How the text expresses facts whose ends are among the occurrences."""
    by_name = _closest(context, seen.by_name(), facts)
    both, gap, same, first, last = by_name
    if seen.is_coreference.any():
        # "He" may express a fact of what is surely meant; with less on the other side it is chance.
        ends = np.searchsorted(seen.entities, np.stack([facts.heads, facts.tails]))
        clear = (seen.named[ends] >= CLEAR).all(axis=0)
        both, gap, same, first, last = (
            np.where(clear, one, other)
            for one, other in zip(_closest(context, seen, facts), by_name, strict=True)
        )
    words, near = _relation_word_shares(context, facts.relations, first, last)
    return Evidence(both, gap, same, first, last, words, near)


def _closest(
    context: Context, seen: Occurrences, facts: Facts
) -> tuple[NDArray[np.bool_], Places, NDArray[np.bool_], Places, Places]:
    """For each fact the occurrences of its ends with the fewest tokens between them."""
    count, length = len(facts.heads), len(context.tokens)
    gap = np.full(count, UNSEEN, dtype=np.int64)
    same, both = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    first, last = np.zeros(count, dtype=np.int64), np.full(count, length, dtype=np.int64)
    if not len(seen.first):
        return both, gap, same, first, last
    numbers = np.diff(seen.offsets)
    one = np.searchsorted(seen.entities, facts.heads)
    other = np.searchsorted(seen.entities, facts.tails)
    # From the end with fewer occurrences to the nearest of the other, before it and after it.
    one, other = (
        np.where(numbers[one] <= numbers[other], one, other),
        np.where(numbers[one] <= numbers[other], other, one),
    )
    both = numbers[one] > 0
    fact = np.repeat(np.arange(count), np.where(both, numbers[one], 0))
    begun = np.cumsum(np.where(both, numbers[one], 0)) - np.where(both, numbers[one], 0)
    here = seen.offsets[one[fact]] + np.arange(len(fact)) - begun[fact]
    keys = np.repeat(np.arange(len(numbers)), numbers) * (length + 1) + seen.first
    after = np.searchsorted(keys, other[fact] * (length + 1) + seen.first[here], side="right")
    # Of those that begin before, the one that reaches farthest: names may hold each other.
    ends = np.repeat(np.arange(len(numbers)), numbers) * (length + 1) + seen.last
    farthest = np.maximum.accumulate(
        np.where(ends == np.maximum.accumulate(ends), np.arange(len(ends)), 0)
    )
    before = np.where(after > 0, farthest[after - 1], -1)
    fact, here = np.concatenate([fact, fact]), np.concatenate([here, here])
    there = np.concatenate([before, after])
    inside = (there >= seen.offsets[other[fact]]) & (there < seen.offsets[other[fact] + 1])
    fact, here, there = fact[inside], here[inside], there[inside]
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
    return both, gap, same, first, last


def _relation_word_shares(
    context: Context, relations: Places, first: Places, last: Places
) -> tuple[Numbers, Numbers]:
    """The shares of each relation's words found anywhere, and close to some tokens."""
    names = context.graph.derived(RelationWords)
    distinct, relation_of = np.unique(relations, return_inverse=True)
    numbers: dict[str, int] = {}
    word_rows: list[int] = []  # the words of every spelling of every relation, one after another
    spelling_sizes: list[int] = []
    spelling_counts: list[int] = []
    for relation in distinct.tolist():
        spellings = names.spellings[relation]
        spelling_counts.append(len(spellings))
        for spelling in spellings:
            spelling_sizes.append(len(spelling))
            word_rows += [numbers.setdefault(word, len(numbers)) for word in spelling]
    rarity = np.array([names.rarity[word] for word in numbers])
    strength, offsets, places = _words_in(context, list(numbers))
    # One row for each word of each spelling of each fact's relation.
    spelling_of_fact, fact_of_spelling = _expand(_whole(spelling_counts), relation_of)
    row, spelling = _expand(_whole(spelling_sizes), spelling_of_fact)
    word = _whole(word_rows)[row]
    fact = fact_of_spelling[spelling]
    away = _distance(offsets, places, word, first[fact], last[fact], len(context.tokens))
    total = np.bincount(spelling, rarity[word], len(spelling_of_fact))
    total[total == 0] = 1
    found = rarity[word] * strength[word]
    share = np.bincount(spelling, found, len(spelling_of_fact)) / total
    close = np.bincount(spelling, found * np.exp(-away / REACH), len(spelling_of_fact)) / total
    words, near = np.zeros(len(relations)), np.zeros(len(relations))
    np.maximum.at(words, fact_of_spelling, share)
    np.maximum.at(near, fact_of_spelling, close)
    return words, near


def _whole(numbers: list[int]) -> Places:
    return np.array(numbers, dtype=np.int64)  # also where there are none


def _expand(sizes: Places, chosen: Places) -> tuple[Places, Places]:
    """The members of chosen groups that lie one after another, and whose each one is."""
    starts = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(chosen)), sizes[chosen])
    begun = np.cumsum(sizes[chosen]) - sizes[chosen]
    return starts[chosen[owner]] + np.arange(len(owner)) - begun[owner], owner


def word_places(context: Context, relation: int) -> list[int]:
    """The tokens that are words of a relation's name, forms of them, or other words for them."""
    spellings = context.graph.derived(RelationWords).spellings[relation]
    words = {word for spelling in spellings for word in spelling}
    return sorted({place for word in words for place in _word_in(context, word)[1]})


def _word_in(context: Context, word: str) -> tuple[float, list[int]]:
    """How surely and where a text has a word: itself, a form of it, or another word for it."""
    places = context.places.get(word)
    if places:
        return ITSELF, places
    if len(word) > BEGINNING:
        places = context.beginnings.get(word[:BEGINNING])
        if places:
            return FORM, places
    others = (context.places.get(other, ()) for other in OTHERS.get(word, ()))
    places = sorted(place for at in others for place in at)
    return (ANOTHER if places else 0.0), places


def _words_in(context: Context, words: list[str]) -> tuple[Numbers, Places, Places]:
    """How surely and where a text has each word; the places of all, one after another."""
    strength, found, sizes = [], [], []
    for word in words:
        sure, at = _word_in(context, word)
        strength.append(sure)
        sizes.append(len(at))
        found += at
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return np.array(strength), offsets, np.array(found, dtype=np.int64)


def _distance(
    offsets: Places, places: Places, word: Places, first: Places, last: Places, length: int
) -> Numbers:
    """How many tokens each word is away from a span of tokens; 0 within it."""
    far = np.full(len(word), np.inf)
    if not len(places):
        return far
    keys = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)) * (length + 1) + places
    after = np.searchsorted(keys, word * (length + 1) + first)
    for at in (after - 1, after):
        inside = (at >= offsets[word]) & (at < offsets[word + 1])
        place = places[np.where(inside, at, 0)]
        away = np.maximum(np.maximum(first - place, place - last + 1), 0)
        far = np.where(inside, np.minimum(far, away), far)
    return far
