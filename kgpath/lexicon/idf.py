"""How rare each word is in the texts of a graph: the weights of TF-IDF.

Where a graph has no texts, its names stand in for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.text import fold, folded_words, word_hashes

if TYPE_CHECKING:
    from kgpath.storage.index import Index


class IdfTable(NamedTuple):
    """The weight ln((1 + N) / (1 + n)) + 1 of every word that stands in n of N texts.

    ``keys`` are hashes of the folded words, ascending. The key 0 has the weight of a word that
    stands nowhere.
    """

    keys: NDArray[np.uint64]
    weights: NDArray[np.float32]


def idf_table(texts: Iterable[str]) -> IdfTable:
    """Count the texts in which each word stands."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        counts.update(set(folded_words(fold(text))))
        total += 1
    words = list(counts)
    keys = np.append(word_hashes(words), np.uint64(0))
    found = np.append(np.fromiter(counts.values(), np.float64, len(words)), 0)
    weights = np.log((1 + total) / (1 + found)) + 1
    order = np.argsort(keys, kind="stable")
    return IdfTable(keys[order], weights[order].astype(np.float32))


def term_weights(index: Index, words: Sequence[str]) -> NDArray[np.float64]:
    """The weight of each word."""
    hashes = word_hashes(words)
    places = np.searchsorted(index.term_keys, hashes)
    places[places == len(index.term_keys)] = 0
    places[index.term_keys[places] != hashes] = 0
    return index.term_weights[places].astype(np.float64)
