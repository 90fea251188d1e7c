"""README.md tells the truth: its commands and its Python are run, their output compared.

``console`` blocks: lines that begin with ``$ kgpath`` are run, one after the other in one folder
that has the sample as film.kg; the lines below are what it prints, ``…`` alone on a line standing
for any lines. ``python`` blocks run in the same folder and share their names; a ``text`` block
directly below one holds what it prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import kgpath

NOT_RUN = ("$ make", "$ git", "$ pip", "$ cd")


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks(markdown: str) -> list[Block]:
    found = []
    lines = iter(enumerate(markdown.splitlines(), 1))
    for number, line in lines:
        fence = re.match(r"(`{3,}|~{3,})\s*(\w*)", line)
        if fence:
            inside = []
            for _, text in lines:
                if text.startswith(fence[1]):
                    break
                inside.append(text)
            found.append(Block(number, fence[2], "\n".join(inside)))
    return found


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block, with the lines it should print."""
    current: str | None = None
    expected: list[str] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if current:
                yield current, expected
            current, expected = line, []
        elif current and current.endswith("\\"):
            current = current[:-1] + line.strip()
        else:
            expected.append(line)
    if current:
        yield current, expected


def fits(expected: list[str], printed: str) -> bool:
    """Whether the output is as promised; trailing blanks and blank ends do not count."""
    pattern = ""
    for line in "\n".join(expected).strip("\n").splitlines():
        pattern += r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + r"\n"
    plain = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, plain + "\n" if plain else "") is not None


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


def run_command(line: str, command: list[str], folder: Path) -> str:
    arguments = shlex.split(line.removeprefix("$ kgpath"))
    done = subprocess.run(
        [*command, *arguments],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert done.returncode == 0, f"{line}\n{done.stderr}"
    return done.stdout


def test_every_block_of_the_readme_does_what_it_says(
    root: Path, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = root / "README.md"
    if not readme.exists():
        pytest.skip("README.md is not written yet")
    from kgpath.datasets.sample_files import sample_files

    kgpath.build(sample_files(), tmp_path / "film.kg")
    monkeypatch.chdir(tmp_path)
    found = blocks(readme.read_text(encoding="utf-8"))
    names: dict[str, object] = {"__name__": "readme"}
    run = {"console": 0, "python": 0}
    for block, following in zip(found, [*found[1:], None], strict=True):
        where = f"README.md:{block.line}"
        if block.language == "console":
            for line, expected in commands(block):
                if line.startswith("$ kgpath"):
                    printed = run_command(line, command, tmp_path)
                    assert fits(expected, printed), f"{where}: {line} prints\n{printed}"
                    run["console"] += 1
                else:
                    assert line.startswith(NOT_RUN), f"{where}: nobody runs {line!r}"
        elif block.language == "python":
            printed_to = io.StringIO()
            with contextlib.redirect_stdout(printed_to):
                exec(compile("\n" * block.line + block.text, "README.md", "exec"), names)
            run["python"] += 1
            if following and following.language == "text":
                between = following.line - block.line - len(block.text.splitlines()) - 2
                if between <= 1:  # directly below, or after one empty line
                    printed = printed_to.getvalue()
                    assert fits(following.text.splitlines(), printed), f"{where} prints\n{printed}"
    assert run["console"] >= 3, "the README shows no commands any more"
    assert run["python"] >= 1, "the README shows no Python any more"
