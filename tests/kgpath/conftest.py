"""Graphs for the walker: random ones as hypothesis likes them, and the real one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import NotWritable


@pytest.fixture(scope="session")
def dbpedia(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[kgpath.Graph]:
    """The real DBpedia graph, built once even where several processes run the tests."""
    path = tmp_path_factory.getbasetemp().parent / "dbpedia.kg"
    sources = [*sorted((real_data / "dbpedia").glob("*.gz")), real_data / "cpr/webnlg-facts.nt.gz"]
    while not path.exists():
        try:
            kgpath.build(sources, path)
        except NotWritable:  # another process is at it
            time.sleep(1)
    with kgpath.open(path) as kg:
        yield kg
