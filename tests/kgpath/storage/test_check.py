"""A sound file is called sound, and every kind of damage is found."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import kgpath
from kgpath.storage.check import index_is_fresh, problems
from kgpath.storage.index import save_index
from kgpath.storage.store import Store


@pytest.fixture
def copy(film_path: Path, tmp_path: Path) -> Path:
    shutil.copytree(film_path.with_name("film.kg.index"), tmp_path / "film.kg.index")
    return Path(shutil.copy(film_path, tmp_path / "film.kg"))


def found(path: Path) -> list[str]:
    with closing(Store(path, checked=False)) as store:
        return list(problems(store))


def damage(path: Path, statement: str) -> list[str]:
    db = sqlite3.connect(path)
    assert db.execute(statement).rowcount == 1
    db.commit()
    db.close()
    return found(path)


def test_a_built_file_is_sound_and_its_index_fresh(film_path: Path) -> None:
    assert found(film_path) == []
    with kgpath.open(film_path) as kg:
        assert index_is_fresh(kg.store)


def test_a_copied_file_is_sound_and_its_index_made_again(copy: Path) -> None:
    assert found(copy) == []
    with kgpath.open(copy) as kg:
        assert not index_is_fresh(kg.store)  # not written here: who knows
        assert len(kg.paths("Roger Moore", "Daniel Craig"))
        assert index_is_fresh(kg.store)


def test_a_file_without_its_index_is_sound_but_not_fresh(copy: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(copy.parent / "cache"))
    shutil.rmtree(copy.parent / "film.kg.index")
    assert found(copy) == []
    with kgpath.open(copy) as kg:
        assert not index_is_fresh(kg.store)


CHANGED = "the content does not fit its fingerprint: it was changed by another program"


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("INSERT INTO edge VALUES (0, 0, 99)", "1 rows of edge have a tail that is no entity"),
        ("INSERT INTO edge VALUES (99, 0, 0)", "1 rows of edge have a head that is no entity"),
        (
            "INSERT INTO edge VALUES (0, 99, 1)",
            "1 rows of edge have a relation that is no relation",
        ),
        ("INSERT INTO edge VALUES (0, 0, -1)", "1 rows of edge have a tail that is no entity"),
        (
            "INSERT INTO edge VALUES (0, 0, 1099511627776)",  # more than the arrays can hold
            "1 rows of edge have a tail that is no entity",
        ),
        ("INSERT INTO edge VALUES (0, 0, 'x')", "1 rows of edge have a tail that is no entity"),
        ("INSERT INTO entity_type VALUES (0, 99)", "have a class that is no class"),
        ("INSERT INTO passage VALUES (99, 0, 0, 'x', '', 4)", "have a entity that is no entity"),
        ("INSERT INTO class_parent VALUES (0, 99)", "have a parent that is no class"),
        ("UPDATE entity SET degree = 99 WHERE id = 3", "1 entities have a wrong degree"),
        ("UPDATE relation SET edges = 99 WHERE id = 3", "1 rows of relation have a wrong count"),
        ("UPDATE class SET entities = 99 WHERE id = 3", "1 rows of class have a wrong count"),
        ("UPDATE entity SET id = 99 WHERE id = 11", "ids of entity do not run from 0 to 11"),
        ("UPDATE entity SET label = 'Bond, James' WHERE label = 'James Bond'", CHANGED),
        ("DELETE FROM edge WHERE head = 0 AND tail > 0", CHANGED),
        ("UPDATE passage SET text = 'x' WHERE text LIKE 'Daniel%'", CHANGED),
    ],
)
def test_every_kind_of_damage_is_found(copy: Path, statement: str, problem: str) -> None:
    assert any(problem in line for line in damage(copy, statement))


def test_an_index_of_other_facts_is_found(copy: Path) -> None:
    with kgpath.open(copy) as kg:
        codes = kg.index.hop_codes[::-1].copy()
        save_index(replace(kg.index, hop_codes=codes), copy, kg.fingerprint)
    assert found(copy) == [f"the index does not fit the content: delete {copy}.index"]


def test_torn_pages_are_found_without_a_traceback(copy: Path, cli) -> None:
    data = bytearray(copy.read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)  # all but the first page
    copy.write_bytes(data)
    done = cli("check", copy)
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "malformed" in done.out + done.err


def test_a_cut_off_file_is_found(copy: Path, cli) -> None:
    data = copy.read_bytes()
    copy.write_bytes(data[: len(data) // 2])
    done = cli("check", copy)
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "malformed" in done.out + done.err
