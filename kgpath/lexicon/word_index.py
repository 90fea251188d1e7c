"""Which names hold a word, or one that begins like it, or have certain initials.

A text seldom spells a name as the graph does. The index finds every name that shares a word with
it ("Italian" and "Italy" share four letters), weighed by how rare the word is among all names, and
every name with its initials ("U.S.").
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.text import (
    fold,
    folded_words,
    initials_key,
    initials_of,
    is_sign,
    similar_key,
    without_qualifier,
    word_hashes,
)

#: A word counts in full; one with the same first letters counts this share of it.
SIMILAR = 0.7


class WordIndex(NamedTuple):
    """Postings: names ``rows[offsets[k]:offsets[k + 1]]`` hold the key with hash ``keys[k]``.

    Row r is a name of ``entities[r]`` whose words weigh ``totals[r]`` together; a posting's weight
    is the part of it that the key stands for, 0 for initials.
    """

    keys: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    entities: NDArray[np.int32]
    totals: NDArray[np.float32]


def word_index(names: Iterable[tuple[int, str, str]]) -> WordIndex:
    """The index of (entity, name, folded name) rows."""
    numbers: dict[str, int] = {}  # of each word, as it comes
    words, rows, entities = array("i"), array("i"), array("i")
    initials: list[tuple[str, int]] = []
    for entity, name, folded in names:
        row = len(entities)
        entities.append(entity)
        if "(" in name:
            name = without_qualifier(name)
            folded = fold(name)
        # A single sign of a script without spaces is too little to know a name by.
        parts = [part for part in folded_words(folded) if not is_sign(part)]
        for part in dict.fromkeys(parts):
            words.append(numbers.setdefault(part, len(numbers)))
            rows.append(row)
        if 2 <= len(parts) <= 7 and name[0].isupper():
            letters = initials_of(parts)
            if letters:
                initials.append((letters, row))
    word, row_of = np.array(words, dtype=np.int64), np.array(rows, dtype=np.int32)
    rarity = np.log((len(entities) + 1) / np.bincount(word, minlength=len(numbers)))
    weight = rarity[word]
    similar = [similar_key(part) for part in numbers]
    long = np.array([bool(key) for key in similar], dtype=np.bool_)[word]
    keys = np.concatenate(
        [
            word_hashes(list(numbers))[word],
            word_hashes(similar)[word[long]],
            word_hashes([initials_key(letters) for letters, _ in initials]),
        ]
    )
    # A word in full counts through both of its keys, one with the same beginning through one.
    weights = np.concatenate(
        [
            np.where(long, (1 - SIMILAR) * weight, weight),
            SIMILAR * weight[long],
            np.zeros(len(initials)),
        ]
    )
    holders = np.concatenate(
        [row_of, row_of[long], np.array([row for _, row in initials], dtype=np.int32)]
    )
    order = np.lexsort((holders, keys))
    unique, first = np.unique(keys[order], return_index=True)
    return WordIndex(
        keys=unique,
        offsets=np.append(first, len(keys)).astype(np.int64),
        rows=holders[order].astype(np.int32),
        weights=weights[order].astype(np.float32),
        entities=np.array(entities, dtype=np.int32),
        totals=np.bincount(row_of, weights=weight, minlength=len(entities)).astype(np.float32),
    )
