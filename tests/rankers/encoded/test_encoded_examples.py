"""Queries as vectors."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.errors import BadOption
from kgpath.rankers.encoded.encoded_examples import EncodedExample
from kgpath.rankers.xendcg import XendcgRanker


def test_similar_tells_what_vectors_side_by_side_do_not() -> None:
    rng = np.random.default_rng(0)
    made = []
    for _ in range(200):
        rows = rng.normal(size=(6, 40)).astype(np.float32)
        true = int(rng.integers(6))
        near = rows[true] + rng.normal(size=40)
        made.append(EncodedExample(np.concatenate([near, near]).astype(np.float32), rows, (true,)))
    hits = {}
    for similar in (False, True):
        chosen = [one.with_similar() if similar else one for one in made]
        ranker = XendcgRanker(trees=40)
        ranker.learn(chosen[:150])
        found = [int(ranker.score_rows(one.rows()).argmax()) in one.true for one in chosen[150:]]
        hits[similar] = float(np.mean(found))
    assert hits[True] > 0.9 > 0.6 > hits[False]
    taken = made[0].with_similar().take(np.array([made[0].true[0], 5]))
    assert taken.rows().shape == (2, 80 + 40 + 2) and taken.similar[0].min() > 0.4
    with pytest.raises(BadOption, match=r"3 and 40 dimensions\. Take minilm with path-text"):
        EncodedExample(np.zeros(6, np.float32), made[0].paths).with_similar()
