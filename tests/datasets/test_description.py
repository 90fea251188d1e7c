"""What a dataset holds, file by file and as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.datasets.description import describe
from kgpath.datasets.sample_files import sample_queries
from kgpath.errors import BadSource


def test_a_folder_is_described_by_split_and_as_a_whole(tmp_path: Path, sample_path: Path) -> None:
    lines = sample_queries().read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "train.jsonl").write_text("".join(lines[:12]), encoding="utf-8")
    (tmp_path / "test.jsonl").write_text("".join([*lines[12:], "{}\n"]), encoding="utf-8")
    steps: list[str] = []
    figures, problems = describe(
        tmp_path, str(sample_path), lambda step, done, total: steps.append(step)
    )
    assert list(figures) == ["all", "train", "test"]
    assert [column["pairs"] for column in figures.values()] == [18, 12, 6]
    assert figures["all"]["graph_entities"] > 0
    assert len(problems) == 1 and problems[0].startswith("test.jsonl:7: ")
    assert steps.count("reading train") == 12


def test_the_size_of_the_graph_is_in_the_notes_of_a_generated_dataset(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").write_bytes(sample_queries().read_bytes())
    assert "graph_entities" not in describe(tmp_path).figures["all"]
    size = {"graph_entities": 9, "graph_relations": 2}
    (tmp_path / "about.json").write_text(json.dumps({"figures": {"all": size}}))
    assert describe(tmp_path).figures["all"]["graph_entities"] == 9


def test_a_file_without_queries_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("{}\n")
    with pytest.raises(BadSource, match=r"no query there.*First problem: empty\.jsonl:1"):
        describe(tmp_path / "empty.jsonl")
