"""What the tests of sources share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import kgpath


@pytest.fixture(autouse=True)
def _own_cache(page_cache: Path) -> None:
    """No test finds what another has fetched."""


@pytest.fixture
def same_graph(edges_of: Callable[..., set[tuple[str, str, str]]]) -> Callable[..., None]:
    """Compares two graph files: facts first, so that a difference can be read."""

    def same(one: Path, other: Path) -> None:
        with kgpath.open(one) as first, kgpath.open(other) as second:
            assert edges_of(first) == edges_of(second)
            for query in (
                "SELECT iri, label, declared FROM class ORDER BY 1",
                "SELECT iri, label FROM relation ORDER BY 1",
                "SELECT iri, label, description FROM entity ORDER BY 1",
                "SELECT entity, text, lang, label FROM name ORDER BY 1, 2, 3, 4",
                "SELECT entity, class FROM entity_type ORDER BY 1, 2",
                "SELECT child, parent FROM class_parent ORDER BY 1, 2",
            ):
                got, wanted = (list(kg.store.db.execute(query)) for kg in (first, second))
                assert got == wanted, query
            assert first.fingerprint == second.fingerprint

    return same
