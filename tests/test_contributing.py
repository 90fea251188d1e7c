"""CONTRIBUTING.md tells the truth: its plug-ins are written, announced and used by name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from documents import Document
from test_house import ROWS

from kgpath.datasets.sample_files import sample_dialogues


@pytest.mark.slow
def test_every_plug_in_of_the_guide_works(root: Path, cli, tmp_path: Path, monkeypatch) -> None:
    shutil.copy(sample_dialogues(), tmp_path / "dialogues.jsonl")
    ran = Document(root / "CONTRIBUTING.md", cli, tmp_path, monkeypatch).run()
    assert ran["module"] == ran["toml"] == 6 and ran["python"] == ran["text"] == 5


def test_the_guide_has_the_rows_that_are_checked(root: Path) -> None:
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = re.findall(r"(?m)^\| (\d+) \| (.*?) \|", text)
    assert [int(number) for number, _ in table] == list(range(1, len(ROWS) + 1))
    assert [tuple(re.findall(r"`(\w+)`", rooms)) for _, rooms in table] == list(ROWS)
