"""A schema is exactly the one that kgpath makes; what else is in a file can only hold rows."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kgpath.storage.connection import connect_readonly
from kgpath.storage.migrations import schema_problems


def found(path: Path, tmp_path: Path, *statements: str) -> list[str]:
    copy = Path(shutil.copy(path, tmp_path / "film.kg"))
    with closing(sqlite3.connect(copy)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)
        db.commit()
    with closing(connect_readonly(copy)) as db:
        return list(schema_problems(db, 2))


@pytest.mark.parametrize(
    ("statements", "problem"),
    [
        (("DROP INDEX edge_tail",), "the index edge_tail is missing"),
        (("DROP TABLE name_fts",), "the table name_fts is missing"),
        (
            ("DROP INDEX edge_tail", "CREATE INDEX edge_tail ON edge (head)"),
            "edge_tail is not the index that kgpath makes",
        ),
        (
            ("DROP TABLE prefix", "CREATE VIEW prefix AS SELECT 1 AS name, 2 AS iri"),
            "prefix is not the table that kgpath makes",
        ),
        (
            ("ALTER TABLE entity ADD COLUMN more AS (hex(label))",),
            "entity is not the table that kgpath makes",
        ),
        (
            ("UPDATE sqlite_master SET sql = replace(sql, 'TEXT', 'BLOB') WHERE name = 'entity'",),
            "entity is not the table that kgpath makes",
        ),
        (("CREATE VIEW v AS SELECT 1",), "there is a view v, which no graph file has"),
        (
            ("CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END",),
            "there is a trigger t, which no graph file has",
        ),
        (("CREATE INDEX i ON entity (label)",), "there is a index i, which no graph file has"),
        (
            ("CREATE TABLE mine (a CHECK (a > 1))",),
            "there is a table mine, which no graph file has",
        ),
        (
            ("CREATE TABLE mine (a)", "CREATE INDEX i ON mine (hex(a))"),
            "there is a index i, which no graph file has",
        ),
        (
            ("CREATE TABLE mine (a)", "CREATE INDEX i ON mine (a) WHERE a > 1"),
            "there is a index i, which no graph file has",
        ),
        (
            ("CREATE VIRTUAL TABLE mine USING fts5 (a)",),
            "there is a table mine, which no graph file has",
        ),
        (("ANALYZE",), "there is a table sqlite_stat1, which no graph file has"),
    ],
)
def test_every_difference_is_found(
    film_path: Path, tmp_path: Path, statements: tuple[str, ...], problem: str
) -> None:
    assert problem in found(film_path, tmp_path, *statements)


def test_plain_tables_of_the_user_may_stay(film_path: Path, tmp_path: Path) -> None:
    assert found(film_path, tmp_path) == []
    assert (
        found(
            film_path,
            tmp_path,
            'CREATE TABLE "my_notes" (id INTEGER PRIMARY KEY, [iri] TEXT UNIQUE, note TEXT)',
            "CREATE TABLE votes (iri TEXT, n INTEGER, PRIMARY KEY (iri, n)) WITHOUT ROWID",
            "CREATE UNIQUE INDEX most ON votes (n, iri)",
        )
        == []
    )


def test_texts_of_another_encoding_are_found(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.kg")) as db:
        db.execute("PRAGMA encoding = 'UTF-16le'")
        db.execute("CREATE TABLE entity (id)")
        assert "its texts are in UTF-16le, not UTF-8" in list(schema_problems(db, 2))
