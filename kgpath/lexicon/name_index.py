"""All names of a graph as sorted hashes, so that a text's word groups are looked up at once.

A name stands in the index in full and in the shorter forms in which people write it: without a
qualifier in brackets ("Casino Royale (2006 film)") and by the part before a comma ("Abilene,
Texas"). Nothing has to be loaded or built to use it: the arrays are part of the index.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.text import (
    FULL,
    QUALIFIED,
    folded_words,
    is_sign,
    longer_hash,
    short_forms,
    without_qualifier,
    word_hashes,
)

#: Added to the form of a name without any capital: it is a name even where it is written so.
LOWER_CASE = 4
#: Names of more words are not looked up in texts; of those that begin with a sign of a script
#: without spaces, those of more signs.
LONGEST, MOST_SIGNS = 8, 24


class NameIndex(NamedTuple):
    """Names by ascending hash: the entity of each, and in which form it is written."""

    hashes: NDArray[np.uint64]
    entities: NDArray[np.int32]
    forms: NDArray[np.int8]


def name_index(names: Iterable[tuple[int, str, str]]) -> NameIndex:
    """The index of (entity, name, folded name) rows."""
    words: list[str] = []
    lengths, entities, kinds = [], [], []
    for entity, name, full in names:
        whole = QUALIFIED if without_qualifier(name) != name else FULL
        for form, folded in (whole, full), *short_forms(name, full):
            parts = folded_words(folded)
            if len(parts) <= LONGEST or (len(parts) <= MOST_SIGNS and is_sign(parts[0])):
                words += parts
                lengths.append(len(parts))
                entities.append(entity)
                kinds.append(form + LOWER_CASE * name.islower())
    hashes = word_hashes(words)
    size = np.array(lengths, dtype=np.int64)
    first = np.cumsum(size) - size
    combined = np.zeros(len(size), dtype=np.uint64)
    for step in range(max(lengths, default=0)):
        more = size > step
        combined[more] = longer_hash(combined[more], hashes[first[more] + step])
    columns = np.array(entities, dtype=np.int32), np.array(kinds, dtype=np.int8)
    order = np.lexsort((columns[1], columns[0], combined))
    return NameIndex(combined[order], columns[0][order], columns[1][order])
