"""The queries of the sample, and a small model trained on them."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.train import Trained, train


@pytest.fixture(scope="session")
def queries() -> list[Query]:
    return QueryFile(sample_queries()).queries


@pytest.fixture(scope="session")
def tiny() -> str:
    """A ranker that is trained within seconds."""
    return "kgpath-ltr(trees=20, hop_trees=20, rounds=1)"


@pytest.fixture(scope="session")
def trained(sample_path: Path, queries: list[Query], tiny: str, tmp_path_factory) -> Trained:
    with kgpath.open(sample_path) as kg:
        return train(kg, queries, tmp_path_factory.mktemp("model") / "m", ranker=tiny, limit=60)
