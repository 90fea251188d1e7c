"""Groups of words in a text that are names of entities: looked up by hash, not yet believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.name_index import LOWER_CASE, NameHit, WordGroups
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import Tokens, forms

if TYPE_CHECKING:
    from kgpath.graph import Graph

# A single word of these is no name, however it is written: "It", "Who", "Yes", "Monday".
_NEVER_NAMES = STOP_WORDS | frozenset(
    "also even first however last later like many may might much must new next now one part people "
    "second since three today two upon us yes yesterday yet "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december".split()
)


class LowerCaseNames:
    """Names without any capital ("k.d. lang"): their hashes, places in the table, first words."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self.places = np.flatnonzero(index.name_forms >= LOWER_CASE)
        self.hashes = index.name_hashes[self.places]
        entities = set(index.name_entities[self.places].tolist())
        self.first_words = {
            form.split()[0]
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
    """Word groups whose hash is in the table, as they stand or without their last ending."""
    groups = WordGroups(tokens.words)
    # Without knowing better, every token may have the capital that most names have.
    large = np.asarray([True] * len(tokens) if capital is None else capital, dtype=np.bool_)
    # Most names have a capital, and few tokens of a text do: the others are looked up only
    # among the names that have none.
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
    return ~np.array(
        [is_plain_word(tokens.words[place]) for place in places.tolist()], dtype=np.bool_
    )


def is_plain_word(word: str) -> bool:
    """Whether a word alone is no name, however it is written: a number, "it", "Monday"."""
    return word.isdigit() or word in _NEVER_NAMES


def is_stop_word(word: str) -> bool:
    """Whether a word alone is no name, however it is written: "it", "Monday"."""
    return word in _NEVER_NAMES
