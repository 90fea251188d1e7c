"""Tables and pictures as files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kgpath.errors import MissingExtra, NotWritable
from kgpath.reproduce.report import check_folder, csv_text, markdown, plot, write_report
from kgpath.reproduction import Table

TABLE = Table("t", "A table", ("who", "MRR"), (("a|b", 0.5), ("c", float("nan"))), ("A note.",))


def test_a_table_as_markdown_and_csv() -> None:
    assert markdown(TABLE) == (
        "**A table**\n\n| who | MRR |\n|---|---|\n| a\\|b | 0.5000 |\n| c | – |\n\nA note.\n"
    )
    assert csv_text(TABLE) == "who,MRR\na|b,0.5\nc,nan\n"


def test_everything_is_written_under_its_name(tmp_path: Path) -> None:
    drawn = plot("p", "A picture", lambda axes: axes.plot([1, 2]))
    write_report(tmp_path / "out", [TABLE, drawn])
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"t.md", "t.csv", "p.png"}
    assert (tmp_path / "out" / "p.png").read_bytes()[:4] == b"\x89PNG"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(NotWritable, match="Name a folder to write to"):
        check_folder(tmp_path / "taken")


def test_without_matplotlib_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r'needs matplotlib: pip install "kgpath\[plot'):
        plot("p", "A picture", lambda axes: None).draw(tmp_path / "p.png")
