"""Paths from plain names, and the little ontology of the paper's example."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kgpath.metrics import OntologyPaths
from kgpath.types import Entity, Hop, Path, Relation

# Lo & Lim (2023), section 8.2.3.
TYPES = {
    "The Godfather": ["Film"],
    "Skyfall": ["Film"],
    "Yungblud": ["MusicalArtist"],
    "Al Pacino": ["Artist"],
}
CLASSES = {"Film": ["Work"], "Artist": ["Person"], "MusicalArtist": ["Artist"]}
RELATIONS = {"starring": ["participant"], "director": ["participant"]}


def _path(*names: str) -> Path:
    nodes = [Entity(-1, name, name) for name in names[::2]]
    hops = [Hop(Relation(-1, n.lstrip("^"), n.lstrip("^")), n[0] != "^") for n in names[1::2]]
    return Path(tuple(nodes), tuple(hops))


@pytest.fixture(scope="session")
def path() -> Callable[..., Path]:
    """Makes a path: ``path("a", "likes", "b", "^likes", "c")``."""
    return _path


@pytest.fixture
def ontology() -> OntologyPaths:
    return OntologyPaths.from_dicts(TYPES, CLASSES, RELATIONS)
