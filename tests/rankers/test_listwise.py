"""A network over lists: what it learns, and its loss."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.rankers.encoded.encoded_examples import EncodedExample
from kgpath.rankers.listwise import Listwise
from kgpath.rankers.xendcg import XendcgRanker


def test_a_network_over_lists_learns_what_is_spread_over_a_vector() -> None:
    rng = np.random.default_rng(1)
    axis = rng.normal(size=40).astype(np.float32)
    made = []
    for _ in range(250):
        rows = rng.normal(size=(6, 40)).astype(np.float32)
        made.append(EncodedExample(np.zeros(2, np.float32), rows, (int((rows @ axis).argmax()),)))
    hits = {}
    for ranker in (Listwise(epochs=10), XendcgRanker(trees=60)):
        ranker.learn(made[:200])
        found = [int(ranker.score_rows(one.rows()).argmax()) in one.true for one in made[200:]]
        hits[type(ranker)] = float(np.mean(found))
    assert hits[Listwise] > 0.8 > hits[XendcgRanker] + 0.1


def test_the_loss_of_lists_is_the_mean_of_theirs() -> None:
    torch = pytest.importorskip("torch")
    scores = [[0.3, -1.0], [2.0, 0.0, 1.0]]
    true = [[1.0, 0.0], [0.0, 1.0, 1.0]]
    own = [
        -sum(t * (s - np.log(np.exp(ss).sum())) for s, t in zip(ss, tt, strict=True)) / sum(tt)
        for ss, tt in zip(scores, true, strict=True)
    ]
    loss = Listwise().loss(
        torch.tensor([*scores[0], *scores[1]]),
        torch.tensor([*true[0], *true[1]]),
        torch.tensor([7, 7, 3, 3, 3]),
    )
    assert float(loss) == pytest.approx(np.mean(own), abs=1e-6)
