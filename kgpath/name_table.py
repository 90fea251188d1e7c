"""All names of a graph as sorted hashes, so that a text's word groups are looked up at once.

A name stands in the table in full and in the shorter forms in which people write it: without a
qualifier in brackets ("Casino Royale (2006 film)") and by the part before a comma ("Abilene,
Texas"). Nothing has to be loaded or built to use it: the arrays are part of the index.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.text import fold

#: How a name is written: in full, without its bracketed qualifier, by the part before a comma.
FULL, PLAIN, BEFORE_COMMA = 0, 1, 2
#: Added to the form of a name without any capital: it is a name even where it is written so.
LOWER_CASE = 4
LONGEST = 8
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*\Z")


class NameTable(NamedTuple):
    """Names by ascending hash: the entity of each, and in which form it is written."""

    hashes: NDArray[np.uint64]
    entities: NDArray[np.int32]
    forms: NDArray[np.int8]


def name_table(names: Iterable[tuple[int, str, str]]) -> NameTable:
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
    return NameTable(combined[order], columns[0][order], columns[1][order])


def forms(name: str) -> list[str]:
    """The ways to write a name, folded, the full one first."""
    full = fold(name)
    return [full, *(short for _, short in short_forms(name, full))]


def short_forms(name: str, full: str) -> Iterator[tuple[int, str]]:
    """The shorter ways to write a name, folded; ``full`` is the folded name itself."""
    if "(" not in name and "," not in name:
        return
    plain = without_qualifier(name)
    if plain != name and fold(plain) != full:
        yield PLAIN, fold(plain)
    before, comma, _ = plain.partition(",")
    if comma and before.strip():
        yield BEFORE_COMMA, fold(before)


def without_qualifier(name: str) -> str:
    """A name less what stands in brackets at its end, unless that is all of it.

    >>> without_qualifier("Casino Royale (2006 film)")
    'Casino Royale'
    """
    return _QUALIFIER.sub("", name) or name


def word_hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit hash of each word, the same on every machine."""
    return np.fromiter(map(_word_hash, words), dtype=np.uint64, count=len(words))


def combine(sofar: NDArray[np.uint64], word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hash of a word group that is one word longer."""
    return sofar * _FACTOR + word  # wraps round, as a hash should


@lru_cache(maxsize=1 << 18)
def _word_hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
