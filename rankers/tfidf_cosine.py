"""TF-IDF cosine between the text and the articles along a path (Lo & Lim 2023, unsupervised)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgpath.features import PathFeatures
from kgpath.rankers.article_cosine import ArticleCosine
from kgpath.rankers.ranker import Numbers
from kgpath.term_table import term_weights


class TfidfCosine(ArticleCosine):
    """Word counts by the length of the text, weighed by rarity in the graph's articles."""

    def vectors(self, features: PathFeatures, texts: Sequence[Sequence[str]]) -> Numbers:
        numbers: dict[str, int] = {}
        cells = [numbers.setdefault(word, len(numbers)) for words in texts for word in words]
        lengths = np.array([len(words) for words in texts])
        rows = np.repeat(np.arange(len(texts)), lengths)
        width = max(len(numbers), 1)
        counts = np.bincount(
            rows * width + np.array(cells, dtype=np.int64), minlength=len(texts) * width
        )
        weights = np.ones(width)
        weights[: len(numbers)] = term_weights(features.context.graph.index, list(numbers))
        table = counts.reshape(len(texts), width) * weights
        return np.asarray(table / np.maximum(lengths, 1)[:, None], dtype=np.float64)
