"""A full-text index that finds anything else than the names say is noticed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kgpath.storage.connection import connect_readonly
from kgpath.storage.full_text import fits_names


def fits(path: Path, tmp_path: Path, *statements: str) -> bool:
    copy = Path(shutil.copy(path, tmp_path / "film.kg"))
    with closing(sqlite3.connect(copy)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
    with closing(connect_readonly(copy)) as db:
        return fits_names(db, copy, 10**8)


def test_the_one_that_a_build_made_fits(sample_path: Path, tmp_path: Path) -> None:
    assert fits(sample_path, tmp_path)


def test_one_that_is_laid_out_otherwise_fits_too(sample_path: Path, tmp_path: Path) -> None:
    # As another version of SQLite might: many small segments.
    small_pages = "INSERT INTO name_fts (name_fts, rank) VALUES ('pgsz', 64)"
    assert fits(
        sample_path,
        tmp_path,
        small_pages,
        "INSERT INTO name_fts (name_fts) VALUES ('rebuild')",
        "DELETE FROM name_fts_config WHERE k = 'pgsz'",
    )


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM name_fts_idx",
        "UPDATE name_fts_idx SET pgno = x''",
        "UPDATE name_fts_config SET v = '{'",
        "INSERT INTO name_fts_config VALUES ('rank', 'bm25()')",
        "DELETE FROM name_fts_docsize WHERE id = 3",
        "UPDATE name_fts_data SET block = zeroblob(9) WHERE id = 10",
        "UPDATE name_fts_data SET block = substr(block, 1, 40) WHERE length(block) > 100",
        "DELETE FROM name_fts_data",
        "UPDATE name SET text = 'Mallory' WHERE id = 3",
        "INSERT INTO name_fts (name_fts, rowid, text) SELECT 'delete', id, text FROM name LIMIT 1",
    ],
)
def test_every_other_one_is_noticed(sample_path: Path, tmp_path: Path, damage: str) -> None:
    assert not fits(sample_path, tmp_path, damage)
