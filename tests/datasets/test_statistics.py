"""Table 2 of a dataset worked out by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kgpath.datasets.statistics import files_of, table, tally_of, together
from kgpath.errors import BadSource

ONE = ["a", "r", "b"]
TWO = ["a", "r", "c", "^s", "b"]
SIX = ["a", *(part for n in range(5) for part in ("t", f"n{n}")), "t", "b"]
RECORDS = [
    {"document": "A b c.", "path": TWO, "candidates": [ONE, TWO, SIX], "named": True},
    {"document": "A b c.", "path": ONE, "candidates": [ONE], "named": False},
    {
        "document": "Another one.",
        "path": ONE,
        "text_kind": "facts",
        "candidates": [ONE, TWO],
        "document_hops": 5,
    },
]


def write(path: Path, *records: object) -> Path:
    lines = (json.dumps({"head": "a", "tail": "b", **record}) for record in records)  # type: ignore[dict-item]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_figures_worked_out_by_hand(tmp_path: Path) -> None:
    problems: list[str] = []
    figures = tally_of(write(tmp_path / "x.jsonl", *RECORDS), problems).figures()
    assert problems == []
    assert figures == {
        "documents": 2,
        "pairs": 3,
        "max_hops": 2,
        "hops": 4 / 3,
        "entities": 3,  # a, b, c
        "relations": 2,  # r, s, whichever way they are walked
        "document_hops": 3.5,
        "words": 2.5,
        "candidates": 2,
        "candidate_hops": (1 + 2 + 6 + 1 + 1 + 2) / 6,
        "candidate_entities": 8,
        "candidate_relations": 3,
        "single": 1,
        "named": 1,
        "texts": {"facts": 1},
        "by_hops": {1: 2, 2: 1},
        "by_candidates": {1: 1, 2: 1, 3: 1},
    }


def test_pairs_without_a_true_path_are_counted_and_have_no_hops(tmp_path: Path) -> None:
    untold = [{"document": "A b c.", "paths": []}, {"document": "Not told.", "paths": []}]
    problems: list[str] = []
    tally = tally_of(write(tmp_path / "x.jsonl", *RECORDS, *untold), problems)
    figures = together([tally, tally]).figures()
    assert problems == []
    assert (figures["pairs"], figures["untold"], figures["documents"]) == (10, 4, 3)
    assert (figures["hops"], figures["document_hops"]) == (4 / 3, 3.5)
    assert ("pairs whose text tells no path", "4") in table({"all": figures})
    alone = tally_of(write(tmp_path / "u.jsonl", *untold), problems).figures()
    assert (alone["hops"], alone["document_hops"], alone["by_hops"]) == (None, None, {})


def test_files_put_together_are_one_dataset(tmp_path: Path) -> None:
    whole = tally_of(write(tmp_path / "x.jsonl", *RECORDS), [])
    parts = [
        tally_of(write(tmp_path / f"{n}.jsonl", *some), [])
        for n, some in enumerate((RECORDS[:1], RECORDS[1:]))
    ]
    assert together(parts).figures() == whole.figures()


def test_a_dataset_without_candidates_has_no_figures_on_them(tmp_path: Path) -> None:
    plain = {"document": "A.", "path": ONE}
    several = {"document": "B.", "paths": [ONE, TWO]}
    figures = tally_of(write(tmp_path / "x.jsonl", plain, several), []).figures()
    assert (figures["pairs"], figures["hops"]) == (2, 4 / 3)
    assert "candidates" not in figures
    titles = [row[0] for row in table({"all": figures})]
    assert titles[:2] == ["documents", "pairs"]
    assert not any("candidate" in title for title in titles)


def test_bad_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"document": "x"}\nno\n' + json.dumps({"head": "a", "tail": "b", **RECORDS[0]})
    )
    problems: list[str] = []
    assert tally_of(path, problems).pairs == 1
    assert [problem.partition(": ")[0] for problem in problems] == ["x.jsonl:1", "x.jsonl:2"]


def test_the_files_of_a_folder_by_split(tmp_path: Path) -> None:
    for name in ("test.jsonl", "dev.jsonl.gz", "train.jsonl", "about.json", "notes.txt"):
        (tmp_path / name).write_bytes(gzip.compress(b"") if name.endswith("gz") else b"")
    assert list(files_of(tmp_path)) == ["train", "dev", "test"]
    assert files_of(tmp_path / "dev.jsonl.gz") == {"dev": tmp_path / "dev.jsonl.gz"}
    with pytest.raises(BadSource, match="no dataset"):
        files_of(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadSource, match="holds no JSON lines"):
        files_of(tmp_path / "empty")
