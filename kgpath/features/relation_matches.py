"""Words of relations in a text: anywhere, and close to the two ends of a fact."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.linking.context import BEGINNING, Context
from kgpath.linking.relation_words import SYNONYMS, RelationWords

#: How much of a relation's word is found by the word itself, a form of it, or another word for it.
ITSELF, FORM, ANOTHER = 1.0, 0.8, 0.7
#: A word so many tokens away from the two ends counts 1/e of one between them.
REACH = 8

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


class _Spellings(NamedTuple):
    """The distinct words of some relations, and all spellings as numbers of words, in a row."""

    words: list[str]
    rows: Places
    sizes: Places  # of each spelling, in words
    counts: Places  # of each relation, in spellings


def relation_matches(
    context: Context, relations: Places, first: Places, last: Places
) -> tuple[Numbers, Numbers]:
    """The shares of each relation's words found anywhere, and close to some tokens."""
    distinct, relation_of = np.unique(relations, return_inverse=True)
    known = context.graph.derived(RelationWords)
    spellings = _spellings(known, distinct)
    rarity = np.array([known.rarity[word] for word in spellings.words])
    strength, offsets, places = _words_in(context, spellings.words)
    # One row for each word of each spelling of each fact's relation.
    spelling_of_fact, fact_of_spelling = _expand(spellings.counts, relation_of)
    row, spelling = _expand(spellings.sizes, spelling_of_fact)
    word = spellings.rows[row]
    fact = fact_of_spelling[spelling]
    away = _distance(offsets, places, word, first[fact], last[fact], len(context.tokens.words))
    total = np.bincount(spelling, rarity[word], len(spelling_of_fact))
    total[total == 0] = 1
    found = rarity[word] * strength[word]
    share = np.bincount(spelling, found, len(spelling_of_fact)) / total
    close = np.bincount(spelling, found * np.exp(-away / REACH), len(spelling_of_fact)) / total
    words, near = np.zeros(len(relations)), np.zeros(len(relations))
    np.maximum.at(words, fact_of_spelling, share)
    np.maximum.at(near, fact_of_spelling, close)
    return words, near


def _spellings(known: RelationWords, relations: Places) -> _Spellings:
    numbers: dict[str, int] = {}
    rows: list[int] = []
    sizes: list[int] = []
    counts: list[int] = []
    for relation in relations.tolist():
        spellings = known.spellings[relation]
        counts.append(len(spellings))
        for spelling in spellings:
            sizes.append(len(spelling))
            rows += [numbers.setdefault(word, len(numbers)) for word in spelling]
    return _Spellings(list(numbers), _whole(rows), _whole(sizes), _whole(counts))


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
    others = (context.places.get(other, ()) for other in SYNONYMS.get(word, ()))
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
