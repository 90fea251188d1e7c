"""TF-IDF of Lo & Lim (2023), section 4.1: which words stand around an entity."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.vectors.word_space import read_words
from kgpath.errors import BadOption, BadStore
from kgpath.io.arrays import read_array, write_array
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.linking.context import Context

if TYPE_CHECKING:
    from kgpath.graph import Graph

# Pronouns in all their forms, and what folding leaves of "'s" and "'t".
_IGNORED = STOP_WORDS | frozenset(
    "also herself himself itself myself now ours ourselves s t theirs themselves yours "
    "yourself".split()
)


class Tfidf(ContextEncoder):
    """Words in scope by tf·idf, at unit length: needs neither vectors nor texts in the graph.

    The vocabulary is learned from the texts: the words of all names of the entities that they
    mention, and the ``top`` words by tf·idf summed over the texts; without stop-words. The paper
    takes the words of all names of the graph: of a large one, nearly all would be zero in every
    text, so only those count that the texts have.
    """

    LIMITS: ClassVar[dict[str, int]] = {"top": 1_000_000}

    def __init__(self, scope: str = "window", top: int = 300) -> None:
        super().__init__(scope)
        if top < 0:
            raise BadOption(f"top is {top}; it can be 0 or more.")
        self.top = top
        self._places: dict[str, int] | None = None
        self._idf = np.zeros(0, dtype=np.float32)

    def fit(self, graph: Graph, contexts: Iterable[Context]) -> None:
        texts = {context.text: context for context in contexts}  # a text of many queries once
        counts = [_counts(context.tokens.words) for context in texts.values()]
        found = Counter(word for count in counts for word in count)
        idf = {word: np.log((1 + len(texts)) / (1 + df)) + 1 for word, df in found.items()}
        weight: Counter[str] = Counter()
        for count in counts:
            for word, times in count.items():
                weight[word] += times * idf[word]
        best = sorted(weight, key=lambda word: (-weight[word], word))[: self.top]
        mentioned = {m.entity for context in texts.values() for m in context.mentions()}
        words = sorted({*best, *(_words_of_names(graph, mentioned) & idf.keys())})
        self._places = {word: place for place, word in enumerate(words)}
        self._idf = np.array([idf[word] for word in words], dtype=np.float32)

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        if self._places is None:
            raise BadStore("tfidf has no vocabulary yet: it is learned from texts, by fit.")
        vector = np.zeros(len(self._idf), dtype=np.float32)
        for word in self.words(context, entity):
            if (place := self._places.get(word)) is not None:
                vector[place] += 1
        vector *= self._idf
        length = np.linalg.norm(vector)
        return vector / length if length else vector

    def save(self, folder: Path) -> None:
        write_array(folder, "idf", self._idf)
        text = json.dumps(list(self._places or ()), ensure_ascii=False)
        (folder / "words.json").write_text(text + "\n", encoding="utf-8")

    def load(self, folder: Path) -> None:
        words = read_words(folder)
        idf = read_array(folder, "idf", kind=np.float32, dimensions=1)
        if len(words) != len(idf):
            raise BadStore(f"{folder} has {len(words):,} words and other weights. Fit it again.")
        self._idf = idf
        self._places = {word: place for place, word in enumerate(words)}


def _counts(words: Iterable[str]) -> Counter[str]:
    return Counter(word for word in words if word not in _IGNORED)


def _words_of_names(graph: Graph, entities: set[int]) -> set[str]:
    """The words of all names of some entities."""
    rows = graph.store.rows("SELECT folded FROM name WHERE entity IN ({ids})", entities)
    return {word for (folded,) in rows for word in folded.split()} - _IGNORED
