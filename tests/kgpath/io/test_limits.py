"""Limits of what is read: how they are written, and the three ways to raise them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadOption, BadSource
from kgpath.io.limits import DEEPEST, Limits, limited, limits, shown_size, written_size
from kgpath.io.queries import QueryFile

QUERY = {"document": "x" * 500, "head": "a", "tail": "b", "path": ["a", "p", "b"]}
TOO_LONG = "a line of over 100 bytes. If it is meant to be so: kgpath --max-line 200 …"


@pytest.mark.parametrize(
    ("written", "size"),
    [("1", 1), ("64K", 65_536), ("64k", 65_536), (" 2 MB ", 1 << 21), ("3GiB", 3 << 30),
     ("1T", 1 << 40), (4096, 4096)],
)  # fmt: skip
def test_a_size_is_a_number_of_bytes_or_has_a_unit(written: str | int, size: int) -> None:
    assert Limits().changed(line=written).line == size


@pytest.mark.parametrize("written", ["", "0", "-1", "1.5G", "x", "G", "nan", "9" * 30, 0, -5])
def test_what_is_no_size_is_refused_with_an_example(written: str | int) -> None:
    with pytest.raises(BadOption) as caught:
        Limits().changed(line=written)
    assert str(caught.value).startswith("--max-line is ")
    assert str(caught.value).endswith("; it can be a number of bytes, or such as 64M or 2G.")


def test_nesting_stays_within_what_the_parsers_survive() -> None:
    assert Limits().changed(nesting=DEEPEST).nesting == DEEPEST
    with pytest.raises(BadOption) as caught:
        Limits().changed(nesting=DEEPEST + 1)
    assert str(caught.value) == "--max-nesting is 5001; it can be 1 to 5,000."


@pytest.mark.parametrize("size", [1, 1000, 1024, 1 << 20, 100 << 20, 1 << 30, (1 << 30) + 1])
def test_a_size_as_it_is_written_can_be_read(size: int) -> None:
    assert Limits().changed(line=written_size(size)).line == size
    assert shown_size(size)[0].isdigit()


def test_limits_hold_within_the_block_and_no_longer() -> None:
    before = limits()
    with limited(line=10), limited(nesting=7):
        assert (limits().line, limits().nesting, limits().file) == (10, 7, before.file)
    assert limits() == before
    with pytest.raises(ZeroDivisionError), limited(line=10):
        _ = 1 / 0
    assert limits() == before


def test_the_front_door_has_them(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(QUERY))
    with kgpath.limited(line=100), pytest.raises(BadSource) as caught:
        QueryFile(tmp_path / "q.jsonl")
    assert str(caught.value).endswith(f"First problem: q.jsonl:1: {TOO_LONG}")


def test_a_format_with_shorter_lines_has_its_own_limit_until_somebody_says_else() -> None:
    assert limits().longest(1000) == 1000
    with limited(line="1G"):
        assert limits().longest(1000) == 1 << 30
    with limited(line=10):
        assert limits().longest(1000) == 10


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "from kgpath.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True,
        env={**os.environ, **environment},
    )  # fmt: skip


def test_an_option_before_the_command_and_the_environment_change_them(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(QUERY))
    assert run(tmp_path, "describe", "q.jsonl").returncode == 0
    for done in (
        run(tmp_path, "--max-line", "100", "describe", "q.jsonl"),
        run(tmp_path, "describe", "q.jsonl", KGPATH_MAX_LINE="100"),
    ):
        assert done.returncode == 1
        assert TOO_LONG in done.stderr and "Traceback" not in done.stderr
    both = run(tmp_path, "--max-line", "1K", "describe", "q.jsonl", KGPATH_MAX_LINE="100")
    assert both.returncode == 0
    wrong = run(tmp_path, "--max-line", "much", "describe", "q.jsonl")
    assert (wrong.returncode, wrong.stderr) == (
        1,
        "kgpath: --max-line is much; it can be a number of bytes, or such as 64M or 2G.\n",
    )
