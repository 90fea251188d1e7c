"""The words by which sentences and titles are compared in dialogues: runs of a–z and 0–9.

This is the tokeniser of the paper (lower case, ``[a-z0-9]+``), over bytes instead of by regular
expression. Stop words count everywhere but in titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.stop_words import STOP_WORDS

# The paper removes "a fixed English stop-word list" from titles and does not print it. Its
# tokeniser cuts "it's", "don't", "I'd", "we've" at the apostrophe: what is left there goes too.
IGNORED_IN_TITLES = STOP_WORDS | frozenset("d ll re s t ve".split())

_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789"
_BETWEEN, _CUT = 0, 1  # what a byte that is no letter becomes; NUL parts texts
_TABLE = bytes(
    code + 32 if 65 <= code <= 90 else code if code in _LETTERS else _CUT if code == 0 else _BETWEEN
    for code in range(256)
)
_SPACES = bytes(32 if code <= _CUT else code for code in range(256))
_MASK = np.array([(1 << (8 * size)) - 1 for size in range(9)], dtype=np.uint64)
_FACTOR, _LENGTH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_PAD = bytes(8)


def words(text: str) -> list[str]:
    """The words of a text, in order.

    >>> words("Ocean's Eleven (2001)")
    ['ocean', 's', 'eleven', '2001']
    """
    return _small(text).translate(_SPACES).decode("ascii").split()


@lru_cache(maxsize=1 << 16)
def title_words(title: str) -> tuple[str, ...]:
    """The different words of a title that say something, in order.

    >>> title_words("The History of the Cat")
    ('history', 'cat')
    """
    return tuple(dict.fromkeys(word for word in words(title) if word not in IGNORED_IN_TITLES))


class Words(NamedTuple):
    """The words of several texts as numbers, and how many each text has.

    A word of up to eight letters is its own number; that of a longer one is made of its first and
    last eight letters and its length.
    """

    keys: NDArray[np.uint64]
    lengths: NDArray[np.int64]


def split_words(texts: Sequence[str]) -> Words:
    """The words of all texts, in order, in one pass."""
    joined = "\0".join(texts)
    if joined.count("\0") >= max(len(texts), 1):
        joined = "\0".join([text.replace("\0", " ") for text in texts])
    data = np.frombuffer(_PAD + _small(joined) + _PAD, dtype=np.uint8)
    inside = data > _CUT
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    cuts = np.flatnonzero(data[8:-8] == _CUT) + 8
    bounds = np.empty(len(texts) + 1, dtype=np.int64)
    bounds[0], bounds[1:-1], bounds[-1] = 0, np.searchsorted(starts, cuts), len(starts)
    # Eight bytes from every place on, as one number each.
    eight = np.ndarray((len(data) - 7,), "<u8", data, 0, (1,))
    size = ends - starts
    keys = eight[starts] & _MASK[np.minimum(size, 8)]
    long = np.flatnonzero(size > 8)
    keys[long] += eight[ends[long] - 8] * _FACTOR + size[long].astype(np.uint64) * _LENGTH
    return Words(keys, bounds[1:] - bounds[:-1])


def _small(text: str) -> bytes:
    """Letters small, all else a byte that is none."""
    # The two foreign characters whose small form begins with a plain letter.
    for foreign, plain in ("İ", "i\u0307"), ("\u212a", "k"):
        if foreign in text:
            text = text.replace(foreign, plain)
    return text.encode("ascii", "replace").translate(_TABLE)
