"""TF-IDF cosine between the text and the articles along a path (Lo & Lim 2023, unsupervised)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kgpath.features.path_features import PathFeatures
from kgpath.lexicon.idf import term_weights
from kgpath.rankers.article_cosine import ArticleCosine
from kgpath.rankers.ranker import Numbers


class TfidfCosine(ArticleCosine):
    """Word counts by the length of the text, weighed by rarity in the graph's articles."""

    def rows_of(self, features: PathFeatures, texts: Sequence[Sequence[str]]) -> Numbers:
        index = features.context.graph.index
        text, *others = map(Counter, texts)
        numbers = {word: at for at, word in enumerate(dict.fromkeys(w for o in others for w in o))}
        table = np.zeros((len(texts), len(numbers) + 1))
        for row, counts in enumerate(others, 1):
            table[row, [numbers[word] for word in counts]] = list(counts.values())
        table[0, :-1] = [text[word] for word in numbers]
        table[:, :-1] *= term_weights(index, list(numbers))
        # Words that only the text has meet no path: all of them share the last column.
        rest = [word for word in text if word not in numbers]
        table[0, -1] = np.linalg.norm(term_weights(index, rest) * [text[word] for word in rest])
        lengths = np.array([len(words) for words in texts])
        return np.asarray(table / np.maximum(lengths, 1)[:, None])
