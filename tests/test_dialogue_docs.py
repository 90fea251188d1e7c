"""docs/dialogue.md tells the truth: its commands and its Python on the sample are run."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

from kgpath.datasets.sample_files import sample_dialogues

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_every_block_does_what_it_says(
    root: Path, cli, sample_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(sample_path, tmp_path / "film.kg")
    shutil.copy(sample_dialogues(), tmp_path / "dialogues.jsonl")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    kinds = []
    for kind, text in BLOCK.findall((root / "docs" / "dialogue.md").read_text(encoding="utf-8")):
        kinds.append(kind)
        if kind == "console":
            command, _, expected = text.partition("\n")
            done = cli(*shlex.split(command.removeprefix("$ kgpath ")))
            assert (done.code, done.out) == (0, expected), done.err
        elif kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(text, "docs/dialogue.md", "exec"), names)
            printed = out.getvalue()
        elif kind == "text":
            assert printed == text
    assert kinds.count("python") == kinds.count("text") == 2 and "console" in kinds
