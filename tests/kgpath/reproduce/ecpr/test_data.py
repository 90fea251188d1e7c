"""Which queries are learned from, and which are measured on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kgpath.datasets.sample_files import sample_queries
from kgpath.errors import BadSource
from kgpath.reproduce.ecpr.data import read_data
from kgpath.reproduce.ecpr.settings import Settings


def test_what_is_learned_from_and_measured_on(synthetic: Path, tmp_path: Path) -> None:
    data = read_data([str(synthetic)])
    assert set(data.splits) == {"train", "dev", "test"} and set(data.strata) >= {"long", "short"}
    plain = data.protocol(Settings())
    assert (plain.folds, plain.name) == (0, "test")
    assert plain.learned == data.splits["train"] and plain.measured == data.splits["test"]
    assert data.protocol(Settings(test="dev")).measured == data.splits["dev"]
    whole = data.protocol(Settings(folds=3))
    assert (whole.folds, len(whole.measured), whole.learned) == (3, len(data.all), [])
    # Strata hold queries of all splits: none may have been learned from.
    assert data.protocol(Settings(), strata=True).folds == 5
    other = data.protocol(Settings(train=str(sample_queries())), strata=True)
    assert (other.folds, other.name, len(other.learned)) == (0, "all", 18)
    # A single file, and files by split, whatever they are called.
    assert read_data([str(sample_queries())]).protocol(Settings()).folds == 5
    named = read_data([f"train={synthetic}/test.jsonl", f"dev={synthetic}/dev.jsonl"])
    assert named.protocol(Settings()).name == "dev"
    shutil.copy(synthetic / "dev.jsonl", tmp_path / "webnlg-train.jsonl")
    shutil.copy(synthetic / "test.jsonl", tmp_path / "webnlg-dev.jsonl")
    assert read_data([str(tmp_path)]).protocol(Settings()).name == "dev"
    # A small version keeps whole documents, and the same ones.
    few = data.protocol(Settings(queries=5))
    assert few.measured == data.protocol(Settings(queries=5)).measured
    kept = {query.document for query in few.measured}
    assert few.measured == [q for q in data.splits["test"] if q.document in kept]


def test_questions_without_a_true_path_are_left_out_and_said(tmp_path: Path) -> None:
    lines = sample_queries().read_text(encoding="utf-8").splitlines()[:2]
    untold = json.dumps({**json.loads(lines[0]), "path": None, "paths": []})
    (tmp_path / "dev.jsonl").write_text("\n".join([lines[0], untold, lines[1]]))
    data = read_data([str(tmp_path)])
    assert [query.line for query in data.splits["dev"]] == [1, 3]
    assert data.problems == ("dev.jsonl:2: no true path",)
    (tmp_path / "dev.jsonl").write_text(untold)
    with pytest.raises(BadSource) as refused:
        read_data([str(tmp_path)])
    assert str(refused.value) == (
        "dev.jsonl holds untold questions only: none has a true path to find."
    )
