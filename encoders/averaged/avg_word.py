"""AVG-Word2vec of Lo & Lim (2023), section 4.2.2: what the words around an entity are about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Versioned
from kgpath.encoders.averaged.learned_space import LearnedSpace
from kgpath.encoders.vectors.word_space import Space, passages, word2vec
from kgpath.encoders.vectors.word_vectors import WordVectors
from kgpath.errors import BadSource
from kgpath.lexicon.text import tokenize
from kgpath.linking.context import Context

if TYPE_CHECKING:
    from kgpath.graph import Graph


class AvgWord(LearnedSpace):
    """The mean vector of the words in scope, from a file or trained on the texts of the graph.

    ``vectors`` is a file of word2vec or GloVe; without one, word2vec of ``dim`` dimensions is
    trained on the graph's own texts. Zeros where no word is known.
    """

    name = "avg-word"

    def made_of(self) -> Iterable[type[Versioned]]:
        return (WordVectors,) if self.vectors else ()

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        return self.space.mean(self.words(context, entity))

    def read(self, path: Path) -> Space:
        return WordVectors(path).space

    def train(self, graph: Graph) -> Space:
        sentences = [words for _, text in passages(graph) if (words := tokenize(text).words)]
        if not sentences:
            raise BadSource(
                f"{graph.path} holds no texts to train word vectors on. Give a file with "
                "--vectors, or use tfidf or avg-transe."
            )
        return word2vec(sentences, self.dim, window=5, negative=5, seed=self.seed)
