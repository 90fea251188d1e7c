"""Which names hold a word, or one that begins like it, or have certain initials.

A text seldom spells a name as the graph does. The table finds every name that shares a word with
it ("Italian" and "Italy" share four letters), weighed by how rare the word is among all names, and
every name with its initials ("U.S.").
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.name_index import without_qualifier, word_hashes
from kgpath.lexicon.stop_words import LITTLE_WORDS
from kgpath.lexicon.text import Tokens, fold

#: A word counts in full; one with the same first letters counts this share of it.
SIMILAR = 0.7
_LETTERS = 4
_WITHOUT_INITIAL = LITTLE_WORDS | {"de"}  # "Rio de Janeiro" is "RJ"


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
    """The table for (entity, name, folded name) rows."""
    numbers: dict[str, int] = {}  # of each word, as it comes
    words, rows, entities = array("i"), array("i"), array("i")
    initials: list[tuple[str, int]] = []
    for entity, name, folded in names:
        row = len(entities)
        entities.append(entity)
        if "(" in name:
            name = without_qualifier(name)
            folded = fold(name)
        parts = folded.split()
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


def similar_key(word: str) -> str:
    """The key shared by words with the same first letters; empty for a short word."""
    return f"{word[:_LETTERS]}*" if len(word) > _LETTERS else ""


def initials_of(words: Sequence[str]) -> str:
    """The initials of a name without its little words; empty if they are too few or too many.

    >>> initials_of(["united", "states", "of", "america"])
    'usa'
    """
    letters = "".join(word[0] for word in words if word not in _WITHOUT_INITIAL)
    return letters if 2 <= len(letters) <= 5 else ""


def initials_key(letters: str) -> str:
    """The key of names with these initials."""
    return f"initials {letters}"


def initials_in(text: str, tokens: Tokens) -> Iterator[tuple[str, int, int]]:
    """Words in capitals, and single capitals in a row with dots: "UK", "U.S.", "J. R. R.".

    With the first token of each and the one after its last.
    """
    run, begin, end = "", 0, -1
    for place, (start, stop) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        surface = text[start:stop]
        if len(surface) == 1 and surface.isupper():
            joined = run and text[end:start].strip() == "."
            if not joined:
                if len(run) > 1:
                    yield run.lower(), begin, begin + len(run)
                run, begin = "", place
            run += surface
            end = stop
            continue
        if len(run) > 1:
            yield run.lower(), begin, begin + len(run)
        run = ""
        if 2 <= len(surface) <= 5 and surface.isupper():
            yield surface.lower(), place, place + 1
    if len(run) > 1:
        yield run.lower(), begin, begin + len(run)
