"""A file can do no harm to whoever connects to it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import kgpath
from kgpath.storage.connection import APPLICATION_ID, bounded, connect_readonly, schema_version

ENDLESS = (
    "WITH RECURSIVE n(migration_set) AS (SELECT 1 UNION ALL SELECT migration_set + 1 FROM n)"
    " SELECT * FROM n"
)


def test_what_takes_too_many_steps_is_stopped(film_path: Path) -> None:
    with closing(connect_readonly(film_path)) as db:
        with bounded(db, 10**6), pytest.raises(sqlite3.OperationalError, match="interrupted"):
            db.execute(f"SELECT count(*) FROM ({ENDLESS})").fetchone()
        with bounded(db, 10**6):
            assert db.execute("SELECT count(*) FROM edge").fetchone() == (11,)


def test_no_view_answers_for_ever_which_version_a_file_has(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.kg")) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"CREATE VIEW _sqlite_migrations AS {ENDLESS}")
    with closing(connect_readonly(tmp_path / "x.kg")) as db:
        assert schema_version(db) == 0


def test_the_schema_of_a_file_is_not_trusted(film_path: Path) -> None:
    with closing(connect_readonly(film_path)) as db:
        settings = [
            db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("trusted_schema", "cell_size_check", "mmap_size")
        ]
        assert settings == [0, 1, 0]
        with pytest.raises(sqlite3.DataError, match="too big"):
            db.execute("SELECT zeroblob(500000000)")


def test_a_journal_beside_the_file_changes_nothing(film_path: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(film_path, tmp_path / "film.kg"))
    work = sqlite3.connect(path)
    work.execute("PRAGMA journal_mode = wal")
    work.execute("UPDATE entity SET label = 'Mallory'")
    work.commit()  # into film.kg-wal: the file itself stays as it was
    with kgpath.open(path) as kg:
        assert kg.entity("Daniel Craig").label == "Daniel Craig"
        assert len(kg.paths("Roger Moore", "Daniel Craig"))
    work.close()  # now into the file
    with pytest.raises(kgpath.errors.BadStore, match="changed by another program"):
        kgpath.open(path)


def test_a_file_name_may_hold_any_byte(film_path: Path, tmp_path: Path) -> None:
    name = os.fsdecode(b"film\xff%41?.kg")
    path = Path(shutil.copy(film_path, tmp_path / name))
    with kgpath.open(path) as kg:
        assert len(kg) == 12
