"""Vectors of words that are trained on texts."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.encoders.vectors.word_space import word2vec
from kgpath.io.progress import reporting

pytest.importorskip("gensim")

TEXTS = [["roger", "moore", "played", "bond"], ["daniel", "craig", "played", "bond", "too"]]


def test_a_training_tells_how_far_it_is_and_is_the_same_unwatched() -> None:
    seen: list[tuple[str, int, int]] = []
    with reporting(lambda *what: seen.append(what)):
        watched = word2vec(TEXTS, 8, window=5, negative=5, seed=1)
    # Both texts in each of five epochs.
    assert [how_far for _, *how_far in seen] == [[done, 10] for done in range(10)]
    assert seen[0][0] == "training word vectors"
    assert seen[-1][0].startswith("training word vectors: 10 texts, about ")
    unwatched = word2vec(TEXTS, 8, window=5, negative=5, seed=1)
    assert watched.rows == unwatched.rows and np.array_equal(watched.table, unwatched.table)
