"""docs/dialogue.md tells the truth: its commands and its Python on the sample are run."""

from __future__ import annotations

import shutil
from pathlib import Path

from documents import Document

from kgpath.datasets.sample_files import sample_dialogues


def test_every_block_does_what_it_says(
    root: Path, cli, sample_path: Path, tmp_path: Path, monkeypatch
) -> None:
    shutil.copy(sample_path, tmp_path / "film.kg")
    shutil.copy(sample_dialogues(), tmp_path / "dialogues.jsonl")
    ran = Document(root / "docs" / "dialogue.md", cli, tmp_path, monkeypatch).run()
    assert ran["python"] == ran["text"] == 2 and ran["console"]
