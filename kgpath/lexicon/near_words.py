"""How near the meanings of English words are: "spouse" and "married", "ground" and "stadium".

Small vectors of 16,000 words ship with kgpath (``english/``; see the README there). A word without
a vector is near to itself and to its own forms alone, so other languages lose nothing but this.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "english"
#: Words with the same first letters may be forms of one word, and count so much at least.
BEGINNING, FORM = 4, 0.8
#: Cosines up to this are chance among such vectors.
CHANCE = 0.25
#: The parts of a compound such as "youthclub" have at least so many letters.
PART = 4

Vectors = NDArray[np.float32]


@cache
def _known() -> tuple[dict[str, int], Vectors, Vectors]:
    """The place of each word, the vectors as small whole numbers, and their lengths."""
    words = (FOLDER / "words.txt").read_text(encoding="utf-8").split()
    whole = np.load(FOLDER / "vectors.npy", allow_pickle=False).astype(np.float32)
    return {word: place for place, word in enumerate(words)}, whole, np.linalg.norm(whole, axis=1)


def word_vectors(words: Sequence[str]) -> Vectors:
    """A vector of length 1 for each folded word; zeros for one that is not known."""
    whole, lengths = _vectors(words)
    return whole / lengths[:, None]


def _vectors(words: Sequence[str]) -> tuple[Vectors, Vectors]:
    """A vector of whole numbers for each word and its length; zeros, and 1, if it is not known."""
    places, whole, lengths = _known()
    found = np.array([_place(places, word) for word in words], dtype=np.int64)
    zero, one = np.float32(0), np.float32(1)
    return (
        np.where(found[:, None] >= 0, whole[found], zero),
        np.where(found >= 0, lengths[found], one),
    )


def _place(places: dict[str, int], word: str) -> int:
    known = places.get(word, -1)
    return places.get(word[:-1], -1) if known < 0 and word.endswith("s") else known


def nearness(words: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
    """From 0 to 1 for each word and each other: 1 for the same, 0 for nothing in common.

    >>> (nearness(["stadium"], ["stadium", "arena", "born"]) > 0.5).tolist()
    [[True, True, False]]
    """
    (whole, lengths), (other_whole, other_lengths) = _vectors(words), _vectors(others)
    # Sums of small whole numbers are exact, so that no cosine depends on what else is asked for.
    cosines = (whole @ other_whole.T) / (lengths[:, None] * other_lengths)
    near = np.clip((cosines - CHANCE) / (1 - CHANCE), 0, 1)
    one, other = _beginnings(words), _beginnings(others)
    forms = (one[:, None] == other[None, :]) & (one != "")[:, None]
    same = np.asarray(words)[:, None] == np.asarray(others)[None, :]
    return np.asarray(np.where(same, 1, np.where(forms, np.maximum(near, FORM), near)), np.float32)


def _beginnings(words: Sequence[str]) -> NDArray[np.str_]:
    """What forms of a word have in common; empty for short words."""
    return np.array([word[:BEGINNING] if len(word) > BEGINNING else "" for word in words])


def parts_of(word: str) -> tuple[str, ...]:
    """The two known words that an unknown one is made of, as names of relations are; else itself.

    >>> parts_of("youthclub"), parts_of("stadium")
    (('youth', 'club'), ('stadium',))
    """
    places = _known()[0]
    if _place(places, word) < 0:
        for cut in range(len(word) - PART, PART - 1, -1):
            if _place(places, word[:cut]) >= 0 and _place(places, word[cut:]) >= 0:
                return word[:cut], word[cut:]
    return (word,)
