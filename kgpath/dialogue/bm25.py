"""BM25 over the candidates of one turn: no index, one pass over the texts.

The statistics (document frequency, mean length) are those of the turn's own candidates. IDF forms,
with N texts of which df have the term:

    robertson        ln((N − df + .5) / (df + .5)); negative for a term in more than half of them
    robertson-floor  the same, but at least 0 (bm25s)
    okapi            the same, a negative one replaced by a quarter of the mean (rank_bm25)
    lucene           ln(1 + (N − df + .5) / (df + .5)); the default
    atire            ln(N / df)
    bm25l            ln((N + 1) / (df + .5)), and the term weight of BM25L
    bm25+            ln((N + 1) / df), and the term weight of BM25+

A term counts as often as the query has it. Sums run over the terms in a fixed order, so that equal
texts have equal scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgpath.dialogue.words import Words, split_words
from kgpath.errors import BadOption, UnknownName

Numbers = NDArray[np.float64]

_IDF: dict[str, Callable[[Numbers, int], Numbers]] = {
    "robertson": lambda df, n: np.log((n - df + 0.5) / (df + 0.5)),
    "robertson-floor": lambda df, n: np.maximum(np.log((n - df + 0.5) / (df + 0.5)), 0.0),
    "okapi": lambda df, n: np.log((n - df + 0.5) / (df + 0.5)),
    "lucene": lambda df, n: np.log(1 + (n - df + 0.5) / (df + 0.5)),
    "atire": lambda df, n: np.log(n / df),
    "bm25l": lambda df, n: np.log((n + 1) / (df + 0.5)),
    "bm25+": lambda df, n: np.log((n + 1) / df),
}
_DELTA = {"bm25l": 0.5, "bm25+": 1.0}
_EPSILON = 0.25  # of rank_bm25


@dataclass(frozen=True)
class BM25:
    """Scores texts for a query. ``scaled`` keeps the factor k1 + 1, which Lucene 8 dropped."""

    k1: float = 1.2
    b: float = 0.75
    idf: str = "lucene"
    scaled: bool = True

    def __post_init__(self) -> None:
        if self.idf not in _IDF:
            raise UnknownName(f"No IDF {self.idf!r}. Known: {', '.join(_IDF)}.")
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise BadOption(f"k1 is {self.k1}, b is {self.b}; k1 is at least 0, b from 0 to 1.")

    def scores(self, query: str, texts: Sequence[str]) -> Numbers:
        """The score of each text; 0 for all if they share no word with the query."""
        if not texts:
            return np.zeros(0)
        split, asked = _split(query, texts)
        times = Counter(asked.tolist())
        terms = np.array(sorted(times), dtype=np.uint64)
        tf = _occurrences(terms, split)
        df = np.count_nonzero(tf, axis=1)
        weights = _IDF[self.idf](np.maximum(df, 1).astype(np.float64), len(texts))
        if self.idf == "okapi" and (weights < 0).any():
            weights[weights < 0] = _EPSILON * _mean_idf(split)
        weights *= np.array([times[term] for term in terms.tolist()]) * (df > 0)
        summed: Numbers = (weights[:, None] * self._saturated(tf, split.lengths)).sum(axis=0)
        return summed

    def _saturated(self, tf: Numbers, lengths: NDArray[np.int64]) -> Numbers:
        """What a term's number of occurrences is worth in a text of each length."""
        mean = lengths.sum() / len(lengths) or 1.0  # no text has a word: no term occurs either
        relative = (1 - self.b) + (self.b / mean) * lengths
        factor = self.k1 + 1 if self.scaled else 1.0
        if self.idf == "bm25l":
            # A text without words, where b is 1, has no length to divide by: nor any term.
            even: Numbers = tf / np.maximum(relative, 1e-12) + _DELTA["bm25l"]
            return factor * even / (self.k1 + even)
        amount: Numbers = tf + self.k1 * relative
        amount[amount == 0] = 1.0
        return factor * (tf / amount) + _DELTA.get(self.idf, 0.0)


def _split(query: str, texts: Sequence[str]) -> tuple[Words, NDArray[np.uint64]]:
    """The words of the texts and those of the query, in one pass."""
    keys, lengths = split_words([*texts, query])
    first = len(keys) - int(lengths[-1])
    return Words(keys[:first], lengths[:-1]), keys[first:]


def _occurrences(terms: NDArray[np.uint64], split: Words) -> Numbers:
    """How often each term (a row) occurs in each text; terms ascend."""
    size = len(split.lengths)
    if not len(terms) or not len(split.keys):
        return np.zeros((len(terms), size))
    places = np.searchsorted(terms, split.keys)
    hits = np.flatnonzero(terms.take(places, mode="clip") == split.keys)
    text_of = np.searchsorted(np.cumsum(split.lengths), hits, side="right")
    flat = np.bincount(places[hits] * size + text_of, minlength=len(terms) * size)
    return flat.reshape(len(terms), size).astype(np.float64)


def _mean_idf(split: Words) -> float:
    """The mean IDF of every word of the texts, as rank_bm25 takes it."""
    text_of = np.repeat(np.arange(len(split.lengths)), split.lengths)
    order = np.lexsort((text_of, split.keys))
    keys, text_of = split.keys[order], text_of[order]
    fresh = np.ones(len(keys), dtype=np.bool_)
    fresh[1:] = (keys[1:] != keys[:-1]) | (text_of[1:] != text_of[:-1])
    df = np.unique(keys[fresh], return_counts=True)[1].astype(np.float64)
    return float(_IDF["okapi"](df, len(split.lengths)).mean())
