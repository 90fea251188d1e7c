"""README.md tells the truth: its commands and its Python are run, their output compared."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from documents import Document, blocks, commands, fits


@pytest.mark.parametrize(
    ("expected", "printed", "fit"),
    [
        (["a", "b"], "a  \nb\n", True),
        (["a", "…", "d"], "a\nb\nc\nd\n", True),
        (["a", "…"], "a\n", True),
        (["…"], "", True),
        ([], "", True),
        (["a"], "a\nb\n", False),
        (["a", "…", "d"], "a\nb\n", False),
        (["a.c"], "abc\n", False),
        ([], "a\n", False),
        (["a"], "", False),
    ],
)
def test_the_comparison_itself(expected: list[str], printed: str, fit: bool) -> None:
    assert fits(expected, printed) is fit


def test_the_reading_of_blocks_itself() -> None:
    text = "x\n```console\n$ kgpath a \\\n  b\nout\n$ make test\n```\n````python\n```\n````\n"
    console, python = blocks(text)
    assert list(commands(console)) == [("$ kgpath a b", ["out"]), ("$ make test", [])]
    assert (python.line, python.language, python.text) == (8, "python", "```")


@pytest.mark.slow
def test_every_block_of_the_readme_does_what_it_says(
    root: Path, cli, sample_path: Path, tmp_path: Path, monkeypatch
) -> None:
    shutil.copy(sample_path, tmp_path / "film.kg")
    ran = Document(root / "README.md", cli, tmp_path, monkeypatch).run()
    assert ran["console"] >= 3, "the README shows no commands any more"
    assert ran["python"] >= 1, "the README shows no Python any more"
