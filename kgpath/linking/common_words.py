"""Which names in a text may be common words there: "Following the vote", "The storm", "Governor".

The text and the graph tell, no dictionary. A word is common where the text has it without a capital
too, and where far more names of the graph hold it than its own entity has facts. So is a name of
which the text has no capital but the first, with which a sentence begins. It is believed only if a
neighbour of its entity is named, or somebody says that the entity is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import word_hashes

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: So many names with a word for each fact of the entity that is called by the word alone.
NAMES_FOR_A_FACT = 8


class CommonWords:
    """Which single words are rather common than names, for the names of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._index = graph.index
        self._known: dict[tuple[str, tuple[int, ...]], bool] = {}

    def is_common(self, word: str, entities: tuple[int, ...]) -> bool:
        """Whether the graph has a word in many more names than these entities have facts."""
        key = word, entities
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= 1 << 16:
                self._known.clear()  # texts use the same words again
            facts = max(self._index.facts(entity) for entity in entities)
            known = facts * NAMES_FOR_A_FACT < self._names_with(word)
            self._known[key] = known
        return known

    def _names_with(self, word: str) -> int:
        """How many names of the graph hold a word."""
        index, key = self._index, word_hashes([word])[0]
        place = int(np.searchsorted(index.word_keys, key))
        if place == len(index.word_keys) or index.word_keys[place] != key:
            return 0
        return int(index.word_offsets[place + 1] - index.word_offsets[place])


def has_later_capital(name: str) -> bool:
    """Whether a word after the first has a capital, little words aside.

    >>> has_later_capital("The Storm"), has_later_capital("Rhythm and blues")
    (True, False)
    """
    return any(word[0].isupper() and word.lower() not in STOP_WORDS for word in name.split()[1:])
