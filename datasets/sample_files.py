"""Where the sample graph that ships with kgpath lies."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "sample"


def sample_files() -> list[Path]:
    """The Turtle files of the sample graph: facts and ontology."""
    return [FOLDER / "film.ttl", FOLDER / "ontology.ttl"]
