"""Where the sample that ships with kgpath lies: graph and texts."""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "sample"


def sample_files() -> list[Path]:
    """The Turtle files of the sample graph: facts and ontology."""
    return [FOLDER / "film.ttl", FOLDER / "ontology.ttl"]


def sample_queries() -> Path:
    """Queries over the sample's texts with their true paths, as JSON lines."""
    return FOLDER / "documents.jsonl"


def sample_dialogues() -> Path:
    """Three short dialogues with candidate sentences, as JSON lines."""
    return FOLDER / "dialogues.jsonl"


def sample_text(number: str) -> str:
    """One of the sample's texts, such as ``sample-01``."""
    with sample_queries().open(encoding="utf-8") as lines:
        texts = {record["id"]: record["document"] for record in map(json.loads, lines)}
    return str(texts[number])
