"""Synthetic datasets from the real graph: the paper's expectations hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgpath
from kgpath.datasets.synthetic.generate import generate
from kgpath.datasets.synthetic.paths import PathSampler
from kgpath.datasets.synthetic.recipe import recipe_of


@pytest.mark.parametrize(("repeat", "low", "high"), [(True, 3.59, 3.79), (False, 3.1, 3.35)])
def test_paths_are_as_long_as_expected_and_stop_as_stated(
    dbpedia: kgpath.Graph, repeat: bool, low: float, high: float
) -> None:
    asked = {"name": "s", "documents": 2000, "pairs": 2000, "repeat": repeat}
    sampler = PathSampler(dbpedia, recipe_of(asked))
    lengths = [len(labels) for _, labels in sampler.take(2000)]
    # With a stop of 0.2 and at most 6 hops: (1 - 0.8 ^ 6) / 0.2 = 3.69.
    assert low < sum(lengths) / 2000 < high
    steps, stopped = sampler.ends.steps, sampler.ends.stopped
    assert (stopped - 0.2 * steps) ** 2 / (0.16 * steps) < 10.8  # chi-square, p = 0.001
    dead_ends = sampler.ends.dead_ends / sampler.ends.walks
    assert dead_ends == 0 if repeat else 0.15 < dead_ends < 0.3


def test_texts_come_from_abstracts_where_there_are_some(
    dbpedia: kgpath.Graph, tmp_path: Path
) -> None:
    asked = recipe_of({"name": "s", "documents": 60, "pairs": 150})
    made = generate(dbpedia, asked, tmp_path / "out")
    assert made.notes == []
    assert made.counted["documents: mixed"] > 20
    assert made.counted["sentences: introduction"] > 10
    required = recipe_of({"name": "s", "documents": 60, "pairs": 100, "text": "required"})
    made = generate(dbpedia, required, tmp_path / "required")
    assert made.figures["all"]["texts"] == {"articles": 60}
    assert made.counted["sentences: pair"] > 20
