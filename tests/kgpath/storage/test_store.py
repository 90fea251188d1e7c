"""Opening: what is no graph file, or not one of ours, is refused with the way out."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.errors import BadStore
from kgpath.storage.connection import schema_version
from kgpath.storage.migrations import migrations
from kgpath.storage.store import SCHEMA_VERSION, Store


@pytest.fixture
def copy(film_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(film_path, tmp_path / "film.kg"))


def change(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def to_step_one(path: Path) -> None:
    """What a kgpath that knew only the first migration would have written."""
    change(
        path,
        "DROP TABLE name_fts",
        "DROP INDEX edge_tail",
        "DROP INDEX name_folded",
        "DROP INDEX name_entity",
        "DROP INDEX entity_type_class",
        "DELETE FROM _sqlite_migrations WHERE name = 'm002_indexes'",
    )


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match=r"There is no graph file .*film\.kg\. Make one: kgpath"):
        kgpath.open(tmp_path / "film.kg")
    assert list(tmp_path.iterdir()) == []  # and opening made nothing


def test_a_folder_is_no_graph_file(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="is a folder"):
        kgpath.open(tmp_path)


@pytest.mark.parametrize("content", [b"hello\n" * 400, b"\x89PNG\r\n\x1a\n" + bytes(4000)])
def test_another_kind_of_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.kg"
    path.write_bytes(content)
    with pytest.raises(BadStore, match="is not a graph file"):
        kgpath.open(path)


def test_an_empty_file_and_another_sqlite_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.kg").touch()
    change(tmp_path / "other.kg", "CREATE TABLE entity (id)", "CREATE TABLE meta (key, value)")
    for name in ("empty.kg", "other.kg"):
        with pytest.raises(BadStore, match="not a graph file of kgpath"):
            kgpath.open(tmp_path / name)


def test_a_newer_schema_says_to_upgrade_kgpath(copy: Path) -> None:
    change(
        copy,
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
        " VALUES ('kgpath', 'm003_later', '2099')",
    )
    with pytest.raises(BadStore, match=r"newer kgpath \(schema 3.*pip install --upgrade kgpath"):
        kgpath.open(copy)


def test_an_older_schema_says_the_command_that_upgrades_it(copy: Path) -> None:
    to_step_one(copy)
    with pytest.raises(BadStore, match=r"older kgpath \(schema 1.*kgpath check .* --upgrade"):
        kgpath.open(copy)


def test_check_upgrade_brings_an_older_file_up_to_date(
    copy: Path, film: kgpath.Graph, cli: Callable[..., object]
) -> None:
    to_step_one(copy)
    done = cli("check", copy, "--upgrade")
    assert (done.code, done.err) == (0, "")
    assert "is sound" in done.out
    with kgpath.open(copy) as kg:
        assert kg.fingerprint == film.fingerprint
        assert [m.entity.label for m in kg.find("royale")] == ["Casino Royale"] * 2


def test_upgrading_a_file_that_is_up_to_date_leaves_it_alone(copy: Path) -> None:
    from kgpath.kg_build.upgrade import upgrade_file

    before = copy.stat()
    upgrade_file(copy)
    assert copy.stat().st_ino == before.st_ino


@pytest.mark.parametrize("content", [None, b"hello\n" * 400])
def test_upgrading_what_is_no_graph_file_is_refused_like_opening_it(
    tmp_path: Path, content: bytes | None, cli: Callable[..., object]
) -> None:
    if content:
        (tmp_path / "x.kg").write_bytes(content)
    done = cli("check", "x.kg", "--upgrade")
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "Make one: kgpath build" in done.err


def test_the_schema_version_is_the_number_of_steps(film_path: Path) -> None:
    assert len(list(migrations().pending(_empty()))) == SCHEMA_VERSION
    store = Store(film_path)
    assert schema_version(store.db) == SCHEMA_VERSION
    store.close()


def _empty() -> object:
    from sqlite_utils import Database

    return Database(memory=True)


def test_the_tracer_sees_every_statement(film_path: Path) -> None:
    seen: list[str] = []
    with kgpath.open(film_path, tracer=seen.append) as kg:
        seen.clear()
        kg.store.one("SELECT count(*) FROM edge WHERE head > ?", 3)
    assert seen == ["SELECT count(*) FROM edge WHERE head > 3"]


def test_an_open_graph_cannot_be_written(film: kgpath.Graph) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        film.store.db.execute("DELETE FROM edge")


def test_a_path_with_url_characters_opens(copy: Path, tmp_path: Path) -> None:
    odd = tmp_path / "100% a?b#c.kg"
    copy.rename(odd)
    with kgpath.open(odd) as kg:
        assert len(kg) == 12


def test_a_file_without_a_fingerprint_was_not_finished(copy: Path) -> None:
    change(copy, "DELETE FROM meta")
    with pytest.raises(BadStore, match="it has no fingerprint, so it was not finished"):
        kgpath.open(copy)


def test_rows_by_ids_are_asked_for_in_one_statement(film_path: Path) -> None:
    said: list[str] = []
    store = Store(film_path, tracer=said.append)
    every = [row[0] for row in store.db.execute("SELECT id FROM entity")]
    said.clear()
    many = [*every, *every, *range(10**6, 10**6 + 3000)]  # some twice, some that are not there
    rows = store.rows("SELECT id FROM entity WHERE id IN ({ids}) ORDER BY id", many).fetchall()
    assert rows == [(number,) for number in every]
    assert len(said) == 1
    assert store.rows("SELECT id FROM entity WHERE id IN ({ids})", []).fetchall() == []
    assert set(store.entities(np.array(every))) == set(every)
