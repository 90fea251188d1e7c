"""All names of a graph as sorted hashes, so that a text's word groups are looked up at once.

A name stands in the table in full and in the shorter forms in which people write it: without a
qualifier in brackets ("Casino Royale (2006 film)") and by the part before a comma ("Abilene,
Texas"). Nothing has to be loaded or built to use it: the arrays are part of the index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.text import FULL, short_forms, word_digest, word_hashes

#: Added to the form of a name without any capital: it is a name even where it is written so.
LOWER_CASE = 4
LONGEST = 8
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class NameIndex(NamedTuple):
    """Names by ascending hash: the entity of each, and in which form it is written."""

    hashes: NDArray[np.uint64]
    entities: NDArray[np.int32]
    forms: NDArray[np.int8]


def name_index(names: Iterable[tuple[int, str, str]]) -> NameIndex:
    """The table for (entity, name, folded name) rows."""
    words: list[str] = []
    lengths, entities, kinds = [], [], []
    for entity, name, full in names:
        for form, folded in (FULL, full), *short_forms(name, full):
            parts = folded.split()
            if len(parts) <= LONGEST:
                words += parts
                lengths.append(len(parts))
                entities.append(entity)
                kinds.append(form + LOWER_CASE * name.islower())
    hashes = word_hashes(words)
    size = np.array(lengths, dtype=np.int64)
    first = np.cumsum(size) - size
    combined = np.zeros(len(size), dtype=np.uint64)
    for step in range(LONGEST):
        more = size > step
        combined[more] = combine(combined[more], hashes[first[more] + step])
    columns = np.array(entities, dtype=np.int32), np.array(kinds, dtype=np.int8)
    order = np.lexsort((columns[1], columns[0], combined))
    return NameIndex(combined[order], columns[0][order], columns[1][order])


def combine(sofar: NDArray[np.uint64], word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hash of a word group that is one word longer."""
    return sofar * _FACTOR + word  # wraps round, as a hash should


class NameHit(NamedTuple):
    """Tokens that can be a name, and the rows of the name table that have it."""

    first: int
    last: int
    low: int
    high: int


class WordGroups:
    """All groups of up to LONGEST words of a text, to look up as they stand or less an ending."""

    def __init__(self, words: Sequence[str]) -> None:
        self._length = len(words)
        known = np.frombuffer(b"".join(map(_KNOWN.__getitem__, words)), dtype=">u8")
        # A group may reach beyond the text: nothing is looked up there.
        hashes = np.zeros((2, len(words) + LONGEST), dtype=np.uint64)
        hashes[:, : len(words)] = known.reshape(-1, 2).T
        self._hashes = hashes[0]
        # What leaving off the ending of its last word adds to the hash of a group.
        self._change = hashes[1] - hashes[0]

    def lookup(
        self,
        table: NDArray[np.uint64],
        starts: NDArray[np.int64],
        alone: NDArray[np.bool_],
    ) -> Iterator[NameHit]:
        """The groups in a sorted table that begin at some words, the shortest first.

        A start that is not ``alone`` is not looked up as a group of one word as it stands.
        """
        if not len(table) or not len(starts):
            return
        last = np.add.outer(np.arange(LONGEST), starts)
        change = self._change[last]
        # As it stands before the form without an ending: of two hits the first one counts.
        groups = np.empty((LONGEST, 2, len(starts)), dtype=np.uint64)
        groups[:, 0] = self._hashes[last]
        for size in range(1, LONGEST):
            groups[size, 0] = combine(groups[size - 1, 0], groups[size, 0])
        np.add(groups[:, 0], change, out=groups[:, 1])
        asked = np.empty(groups.shape, dtype=np.bool_)
        np.less(last, self._length, out=asked[:, 0])
        np.not_equal(change, 0, out=asked[:, 1])
        asked[0, 0] &= alone
        places = np.flatnonzero(asked)
        wanted = groups.ravel()[places]
        order = np.argsort(wanted)  # hashes that lie together are found sooner
        places, wanted = places[order], wanted[order]
        lows = np.searchsorted(table, wanted)
        hit = np.flatnonzero(table.take(lows, mode="clip") == wanted)
        hit = hit[np.argsort(places[hit])]
        sizes, columns = np.divmod(places[hit], 2 * len(starts))
        firsts = starts[columns % len(starts)]
        highs = np.searchsorted(table, wanted[hit], side="right")
        found = firsts, firsts + sizes + 1, lows[hit], highs
        yield from map(NameHit, *(column.tolist() for column in found))


def rows_between(lows: NDArray[np.int64], highs: NDArray[np.int64]) -> NDArray[np.int64]:
    """All numbers from each low up to its high, which is left out.

    >>> rows_between(np.array([5, 2]), np.array([7, 3])).tolist()
    [5, 6, 2]
    """
    sizes = highs - lows
    before = np.cumsum(sizes) - sizes
    return np.repeat(lows - before, sizes) + np.arange(sizes.sum())


def without_ending(word: str) -> str:
    """A word less its plural or possessive s; folding has removed the apostrophe.

    >>> without_ending("craigs"), without_ending("moss"), without_ending("gas")
    ('craig', 'moss', 'gas')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class _Known(dict[str, bytes]):
    """The hash of a word, then the one without its ending; texts use the same words again.

    As bytes they are joined to an array sooner than numbers are; and a dict that is emptied when
    full is read sooner than one that knows what was used last.
    """

    def __missing__(self, word: str) -> bytes:
        if len(self) >= 1 << 16:
            self.clear()
        digest, short = word_digest(word), without_ending(word)
        self[word] = both = digest + (digest if short == word else word_digest(short))
        return both


_KNOWN = _Known()
