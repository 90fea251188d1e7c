"""The ECPR tables: small and real, honest about experiments that fail."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.errors import BadOption
from kgpath.plugins import REPRODUCTIONS
from kgpath.reproduction import Request, Table


@pytest.mark.slow
def test_every_table_and_picture_is_made_in_its_quick_version(
    cli: Callable[..., SimpleNamespace],
    graph: Path,
    synthetic: Path,
    tmp_path: Path,
    tiny_bert: str,
) -> None:
    done = cli(
        "reproduce", "ecpr-*", "--graph", graph, "--data", synthetic, "-o", "out", "--quick",
        "--set", f"contexts=tfidf, fused-in, fused-inout, kepler(base={tiny_bert})",
    )  # fmt: skip
    assert done.code == 0, done.err
    written = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {f"ecpr-{name}" for name in ("t2", *(f"t{n}" for n in range(3, 13)), "f4", "s9")}
    assert {f"{name}.{ending}" for name in tables for ending in ("md", "csv")} <= written
    assert {f"ecpr-{name}.png" for name in ("t7", "t11", "t12", "f4")} <= written
    # Every row stands beside the paper's, and one that cannot be made says why.
    page = (tmp_path / "out" / "ecpr-t7.md").read_text()
    assert "| paper, Wiki-film | 0.5580 |" in page
    assert "avg-cosine | window |  | here | failed: " in page  # no --set vectors=FILE
    with (tmp_path / "out" / "ecpr-t5.csv").open() as lines:
        (kepler,) = [row for row in csv.DictReader(lines) if row["figures"] == "here"]
    assert 0 < float(kepler["MRR"]) <= 1
    with (tmp_path / "out" / "ecpr-t4.csv").open() as lines:
        here = [row for row in csv.DictReader(lines) if row["figures"] == "here"]
    assert [row["context"] for row in here] == ["fused-in", "fused-inout"]
    assert all(0 < float(row["MRR"]) <= 1 for row in here)
    assert "A quick run" in page and "randomisation test, by document" in page


def test_what_is_wrong_is_said(
    reproduce: Callable[..., SimpleNamespace], synthetic: Path, tmp_path: Path
) -> None:
    for files, options, complaint in (
        ((), {}, "--data DIR"),
        ((tmp_path / "none",), {}, "There is no dataset"),
        ((synthetic,), {"magic": "1"}, "No option 'magic' here. There are: contexts"),
        ((synthetic,), {"folds": "x"}, "a whole number"),
        ((synthetic,), {"folds": "1"}, "2 folds or more"),
        ((synthetic,), {"scopes": "page"}, "window, document"),
        ((synthetic,), {"candidates": "all"}, "found or given"),
        ((synthetic,), {"test": "exam"}, "no split 'exam' to measure on: dev, test"),
        ((sample_queries(),), {"test": "documents"}, "needs a split 'train'"),
    ):
        with pytest.raises(kgpath.errors.KgpathError, match=complaint):
            reproduce("ecpr-t3", *files, **options)
    with pytest.raises(BadOption, match="--graph"), Request((str(synthetic),)) as request:
        list(REPRODUCTIONS.load("ecpr-t3")(request))


def test_a_graph_without_vectors_gives_what_it_can(
    sample_path: Path, synthetic: Path, tmp_path: Path
) -> None:
    bare = Path(shutil.copy(sample_path, tmp_path))
    options = {"contexts": "tfidf", "scopes": "window", "rankers": "baselines, ltr"}
    with Request((str(synthetic),), str(bare), 0, options, quick=True) as request:
        table = next(iter(REPRODUCTIONS.load("ecpr-t9")(request)))
    here = {row["context"]: row for row in rows_of(table) if row["figures"] == "here"}
    assert here["shortest"]["MRR"] > 0.3 and np.isnan(here["shortest"]["PED"])
    assert "kgpath embed" in here["tfidf"]["MRR"]
    assert table.notes[-1].startswith("No PED: ") and "kgpath embed" in table.notes[-1]


def rows_of(table: Table) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
