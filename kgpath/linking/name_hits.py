"""Groups of words in a text that are names of entities: looked up by hash, not yet believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.name_index import LONGEST, LOWER_CASE, MOST_SIGNS
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import Tokens, folded_words, forms, longer_hash, word_digest

if TYPE_CHECKING:
    from kgpath.graph import Graph

# A single word of these is no name, however it is written: "It", "Who", "Yes", "Monday".
_NEVER_NAMES = STOP_WORDS | frozenset(
    "also even first however last later like many may might much must new next now one part people "
    "second since three today two upon us yes yesterday yet "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december".split()
)

#: A plural adds "es" to words that end so.
_PLURALS_IN_ES = ("oes", "ches", "shes", "sses", "xes")

# The groups that begin at so many words are looked up at once: more would only need more memory.
_AT_ONCE = 1 << 16


class NameHit(NamedTuple):
    """Tokens that can be a name, and the rows of the index of names that have it."""

    first: int
    last: int
    low: int
    high: int


class LowerCaseNames:
    """Names without any capital ("k.d. lang"): their hashes, places in the index, first words."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self.places = np.flatnonzero(index.name_forms >= LOWER_CASE)
        self.hashes = index.name_hashes[self.places]
        entities = set(index.name_entities[self.places].tolist())
        self.first_words = {
            folded_words(form)[0]
            for (name,) in graph.store.rows(
                "SELECT text FROM name WHERE entity IN ({ids})", entities
            )
            if name.islower()
            for form in forms(name)
            if form
        }


def name_hits(
    graph: Graph, tokens: Tokens, capital: Sequence[bool] | NDArray[np.bool_] | None = None
) -> Iterator[NameHit]:
    """Word groups whose hash is in the index, as they stand or without their last ending."""
    groups = WordGroups(tokens.words)
    # Without knowing better, every token may have the capital that most names have.
    large = np.asarray([True] * len(tokens) if capital is None else capital, dtype=np.bool_)
    # Most names have a capital, and few tokens of a text do: the others are looked up only
    # among the names that have none.
    if tokens.signs:
        signs = np.array(tokens.signs)[large[tokens.signs]]
        large = large.copy()
        large[tokens.signs] = False
        known = _can_stand_alone(tokens, signs)
        yield from groups.lookup(graph.index.name_hashes, signs, known, MOST_SIGNS)
    starts = np.flatnonzero(large)
    yield from groups.lookup(graph.index.name_hashes, starts, _can_stand_alone(tokens, starts))
    small = graph.derived(LowerCaseNames)
    if small.first_words.isdisjoint(tokens.words):
        return
    begins = map(small.first_words.__contains__, tokens.words)
    starts = np.flatnonzero(np.fromiter(begins, np.bool_, len(tokens)) & ~large)
    for hit in groups.lookup(small.hashes, starts, _can_stand_alone(tokens, starts)):
        low, high = small.places[hit.low], small.places[hit.high - 1] + 1
        yield hit._replace(low=int(low), high=int(high))


def _can_stand_alone(tokens: Tokens, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    words = map(tokens.words.__getitem__, places.tolist())
    # Written out: every word of a text that has a capital comes by here.
    alone = [not (word.isdigit() or word in _NEVER_NAMES) for word in words]
    return np.array(alone, dtype=np.bool_)


def is_plain_word(word: str) -> bool:
    """Whether a word alone is no name, however it is written: a number, "it", "Monday"."""
    return word.isdigit() or word in _NEVER_NAMES


def is_never_a_name(word: str) -> bool:
    """Whether a word alone is no name, however it is written: "it", "Monday"; a number may be."""
    return word in _NEVER_NAMES


class WordGroups:
    """The groups of words of a text, to look up as they stand or less an ending."""

    def __init__(self, words: Sequence[str]) -> None:
        self._length = len(words)
        known = np.frombuffer(b"".join(map(_KNOWN.__getitem__, words)), dtype=">u8")
        # A group may reach beyond the text: nothing is looked up there.
        hashes = np.zeros((2, len(words) + MOST_SIGNS), dtype=np.uint64)
        hashes[:, : len(words)] = known.reshape(-1, 2).T
        self._hashes = hashes[0]
        # What leaving off the ending of its last word adds to the hash of a group.
        self._change = hashes[1] - hashes[0]

    def lookup(
        self,
        table: NDArray[np.uint64],
        starts: NDArray[np.int64],
        alone: NDArray[np.bool_],
        longest: int = LONGEST,
    ) -> Iterator[NameHit]:
        """The groups of up to ``longest`` words in a sorted table that begin at some words.

        A start that is not ``alone`` is not looked up as a group of one word as it stands.
        """
        parts = range(0, len(starts) if len(table) else 0, _AT_ONCE)
        slices = (slice(first, first + _AT_ONCE) for first in parts)
        return chain.from_iterable(
            self._lookup(table, starts[here], alone[here], longest) for here in slices
        )

    def _lookup(
        self,
        table: NDArray[np.uint64],
        starts: NDArray[np.int64],
        alone: NDArray[np.bool_],
        longest: int,
    ) -> Iterator[NameHit]:
        last = np.add.outer(np.arange(longest), starts)
        change = self._change[last]
        # As it stands before the form without an ending: of two hits the first one counts.
        groups = np.empty((longest, 2, len(starts)), dtype=np.uint64)
        groups[:, 0] = self._hashes[last]
        for size in range(1, longest):
            groups[size, 0] = longer_hash(groups[size - 1, 0], groups[size, 0])
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
        return map(NameHit, *(column.tolist() for column in found))


def rows_between(lows: NDArray[np.int64], highs: NDArray[np.int64]) -> NDArray[np.int64]:
    """All numbers from each low up to its high, which is left out.

    >>> rows_between(np.array([5, 2]), np.array([7, 3])).tolist()
    [5, 6, 2]
    """
    sizes = highs - lows
    before = np.cumsum(sizes) - sizes
    return np.repeat(lows - before, sizes) + np.arange(sizes.sum())


def without_ending(word: str) -> str:
    """A word less its plural or possessive ending; folding has removed the apostrophe.

    >>> without_ending("craigs"), without_ending("moss"), without_ending("gas")
    ('craig', 'moss', 'gas')
    >>> without_ending("potatoes"), without_ending("churches"), without_ending("shoes")
    ('potato', 'church', 'shoe')
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-2] if len(word) > 5 and word.endswith(_PLURALS_IN_ES) else word[:-1]


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
