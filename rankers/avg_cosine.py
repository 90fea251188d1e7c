"""Cosine of averaged word vectors: the text against the articles along a path (Lo & Lim 2023)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kgpath.component import TextEncoder, Versioned, kinds_of
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.plugins import TEXT_ENCODERS
from kgpath.rankers.article_cosine import ArticleCosine
from kgpath.rankers.ranker import Numbers

if TYPE_CHECKING:
    from kgpath.graph import Graph


class AvgCosine(ArticleCosine):
    """Mean vectors of words, from a file of word vectors: ``avg-cosine(vectors=glove.txt)``."""

    def __init__(
        self, vectors: str | TextEncoder = "", scope: str = "document", alpha: float = 0.5
    ) -> None:
        super().__init__(scope, alpha)
        self.vectors = vectors

    @cached_property
    def encoder(self) -> TextEncoder:
        if not self.vectors:
            raise BadOption(
                "avg-cosine needs word vectors: --vectors FILE (word2vec or GloVe, text or .bin)"
            )
        if not isinstance(self.vectors, str) and hasattr(self.vectors, "encode"):
            return self.vectors
        # A file called 1 was read as a number.
        encoder: TextEncoder = TEXT_ENCODERS.make("word-vectors", path=str(self.vectors))
        return encoder

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self.encoder) if self.vectors else ()

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return {"word vectors": self.encoder.identity} if self.vectors else {}

    def rows_of(self, features: PathFeatures, texts: Sequence[Sequence[str]]) -> Numbers:
        rows = self.encoder.encode([" ".join(words) for words in texts])
        return np.asarray(rows, dtype=np.float64)
