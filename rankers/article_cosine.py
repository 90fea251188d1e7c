"""The baselines of Lo & Lim (2023), section 8.1: a path's articles and relation names by cosine.

A path is α · (mean vector of its entities' articles) + (1 − α) · (mean vector of its relations'
names); its score is the cosine with the vector of the text. An entity without an article goes by
its name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.context_scope import check_scope
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.lexicon.text import tokenize
from kgpath.rankers.ranker import Numbers, Ranker, Scores


class ArticleCosine(Ranker):
    """Common to both baselines; a subclass says what the vector of some words is."""

    RENAMED_OPTIONS: ClassVar[dict[str, str]] = {"range": "scope"}

    def __init__(self, scope: str = "document", alpha: float = 0.5) -> None:
        if not isinstance(alpha, int | float) or not 0 <= alpha <= 1:
            raise BadOption(f"alpha is {alpha!r}; it lies between 0 and 1.")
        self.scope = check_scope(scope)
        self.alpha = alpha

    @abstractmethod
    def rows_of(self, features: PathFeatures, texts: Sequence[Sequence[str]]) -> Numbers:
        """A row for the words of each text, all in one space."""

    def score(self, features: PathFeatures) -> Scores:
        candidates, context = features.candidates, features.context
        graph = context.graph
        ends = [candidates.head.id, candidates.tail.id]
        words = context.tokens.words if self.scope == "document" else context.window(ends)
        vertices, hops = candidates.vertices, candidates.relations
        entities, entity_at = np.unique(vertices[vertices >= 0], return_inverse=True)
        relations, relation_at = np.unique(hops[hops >= 0], return_inverse=True)
        articles = graph.store.articles(entities.tolist())
        names = [graph.store.relations[number].label for number in relations.tolist()]
        rows = self.rows_of(
            features,
            [words, *(tokenize(text).words for text in (*articles, *names))],
        )
        text, of_entities, of_relations = np.split(rows, [1, 1 + len(entities)])
        paths = self.alpha * _means(of_entities, entity_at, vertices >= 0)
        paths += (1 - self.alpha) * _means(of_relations, relation_at, hops >= 0)
        lengths = np.linalg.norm(paths, axis=1) * np.linalg.norm(text)
        cosine = paths @ text[0] / np.where(lengths > 0, lengths, 1)
        return Scores.sum_of({"cosine": cosine})


def _means(rows: Numbers, at: NDArray[np.integer[Any]], there: NDArray[np.bool_]) -> Numbers:
    """The mean of some rows for each path; ``there`` says which places of a path have one."""
    means = np.zeros((len(there), rows.shape[1]))
    paths, _ = np.nonzero(there)
    np.add.at(means, paths, rows[at.reshape(-1)])
    return np.asarray(means / np.maximum(there.sum(axis=1, keepdims=True), 1))
