"""A graph file that somebody else wrote is checked once, whole, and refused if it is not sound."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.errors import BadStore
from kgpath.storage import check, store
from kgpath.storage.store import Store


@pytest.fixture
def copy(film_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(film_path, tmp_path / "film.kg"))


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are checked."""
    names: list[str] = []
    real = check.refuse_unsound

    def refuse(opened: Store) -> None:
        names.append(opened.path.name)
        real(opened)

    monkeypatch.setattr(check, "refuse_unsound", refuse)
    return names


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)
        db.commit()


def test_a_strange_file_is_checked_once(copy: Path, checked: list[str]) -> None:
    for _ in range(3):
        kgpath.open(copy).close()
    assert checked == ["film.kg"]


def test_what_kgpath_wrote_is_not_checked(build_graph, source, checked: list[str]) -> None:
    kg = build_graph("ex:a ex:knows ex:b . ex:b ex:knows ex:c .", output="mine.kg")
    more = source("more.ttl", "ex:c ex:knows ex:d .")
    kgpath.add(kg.path, [more])
    kgpath.remove(kg.path, [more])
    with kgpath.open(kg.path) as changed:
        assert len(changed) == 3
    assert checked == []


def test_a_file_behind_a_link_is_the_same_file(copy: Path, checked: list[str]) -> None:
    link = copy.with_name("link.kg")
    link.symlink_to(copy)
    kgpath.open(copy).close()
    kgpath.open(link).close()
    assert checked == ["film.kg"]


def test_a_sound_file_is_known_after_kgpath_check(copy: Path, cli, checked: list[str]) -> None:
    assert cli("check", copy).code == 0
    kgpath.open(copy).close()
    assert checked == []


def test_a_quick_check_does_not_make_a_file_known(copy: Path, cli, checked: list[str]) -> None:
    done = cli("check", copy, "--quick")
    assert (done.code, done.out) == (0, f"{copy}: its schema and SQLite's quick test are fine.\n")
    kgpath.open(copy).close()
    assert checked == ["film.kg"]


def test_a_quick_check_finds_what_sqlite_finds(copy: Path, cli) -> None:
    change(copy, "UPDATE sqlite_master SET rootpage = 3 WHERE name = 'passage'")
    done = cli("check", copy, "--quick", "--json")
    assert done.code == 1
    assert "2nd reference to page 3" in done.out


def test_a_check_of_a_large_file_is_announced(copy: Path, monkeypatch, capsys) -> None:
    kgpath.open(copy).close()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(store, "_WORTH_A_NOTE", 1000)
    other = shutil.copy(copy, copy.with_name("other.kg"))
    for said in ("kgpath: checking other.kg (once)\n", ""):
        kgpath.open(other).close()
        assert capsys.readouterr().err == said


def test_where_nothing_can_be_remembered_a_file_is_checked_each_time(
    copy: Path, checked: list[str], page_cache: Path
) -> None:
    page_cache.write_text("a file where the folder should be")
    for _ in range(2):
        kgpath.open(copy).close()
    assert checked == ["film.kg"] * 2


RENAMED = "UPDATE entity SET label = 'Mallory' WHERE label = 'Roger Moore'"


def test_a_file_that_another_program_changed_is_refused(copy: Path, cli) -> None:
    kgpath.open(copy).close()
    change(copy, RENAMED)
    before = copy.read_bytes()
    for command in (
        ("info", copy),
        ("find", copy, "bond"),
        ("show", copy, "Daniel Craig"),
        ("paths", copy, "James Bond", "Daniel Craig"),
        ("query", copy, "James Bond", "Daniel Craig", "--text", "Bond"),
        ("export", copy, "-o", "out.nt"),
        ("remove", copy, "--entity", "James Bond"),
    ):
        done = cli(*command)
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            f"kgpath: {copy} cannot be used: the content does not fit its fingerprint: it was "
            "changed by another program. Build it again, or get it again from where it came from. "
            f"What else is wrong: kgpath check {copy}\n"
        )
    assert copy.read_bytes() == before
    assert [path.name for path in copy.parent.iterdir()] == ["film.kg"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE prefix SET iri = 'http://evil.example/' WHERE name = 'dbo'",
        "UPDATE source SET name = 'somewhere else'",
        "UPDATE relation SET lang = NULL",
        "UPDATE name SET folded = 'é' WHERE text = 'Beyoncé'",
        "UPDATE meta SET value = 'de' WHERE key = 'languages'",
    ],
)
def test_what_the_fingerprint_leaves_out_cannot_be_changed_either(
    copy: Path, statement: str
) -> None:
    change(copy, statement)
    with pytest.raises(BadStore, match="the content does not fit its checksum: it was changed by"):
        kgpath.open(copy)


def test_a_file_of_an_older_kgpath_has_no_checksum_and_opens(copy: Path) -> None:
    change(copy, "DELETE FROM meta WHERE key = 'checksum'")
    with kgpath.open(copy) as kg:
        assert len(kg.paths("Roger Moore", "Daniel Craig"))


ENDLESS = (
    "CREATE VIEW entity AS WITH RECURSIVE n(id, iri, label, description, degree) AS"
    " (SELECT 0, 'a', 'a', '', 1 UNION ALL SELECT id + 1, iri, label, '', 1 FROM n) SELECT * FROM n"
)


@pytest.mark.parametrize("command", [("info",), ("check",), ("check", "--quick"), ("find", "x")])
def test_an_endless_view_in_place_of_a_table_is_refused(copy: Path, cli, command) -> None:
    change(copy, "ALTER TABLE entity RENAME TO other", ENDLESS)
    name, *more = command
    done = cli(name, copy, *more)
    assert done.code == 1
    assert "entity is not the table that kgpath makes" in done.out + done.err


def test_an_endless_view_does_not_hang_a_build_over_the_file(copy: Path, cli, source) -> None:
    view = ENDLESS.replace("entity", "_sqlite_migrations").replace("(id,", "(migration_set,")
    change(copy, "DROP TABLE _sqlite_migrations", view.replace("id + 1", "migration_set + 1"))
    done = cli("build", source("a.ttl", "ex:a ex:knows ex:b ."), "-o", copy)
    assert done.code == 1
    assert done.err == (
        f"kgpath: {copy} exists and is not a graph file; it stays. Choose another -o.\n"
    )


def test_upgrading_runs_no_trigger_of_the_file(copy: Path, cli) -> None:
    change(
        copy,
        "DROP TABLE name_fts",
        *(f"DROP INDEX {name}" for name in ("edge_tail", "name_folded", "name_entity")),
        "DROP INDEX entity_type_class",
        "DELETE FROM _sqlite_migrations WHERE name = 'm002_indexes'",
        "CREATE TRIGGER t AFTER INSERT ON _sqlite_migrations BEGIN DELETE FROM edge; END",
    )
    before = copy.read_bytes()
    done = cli("check", copy, "--upgrade")
    assert done.code == 1
    assert f"{copy} cannot be used: there is a trigger t, which no graph file has." in done.err
    assert copy.read_bytes() == before


WRONG = {
    "UPDATE entity SET label = x'ff' WHERE id = 3": "1 rows of entity have a label that is no text",
    "UPDATE entity SET degree = 1.5 WHERE id = 3": (
        "1 rows of entity have a degree that is no whole number"
    ),
    "UPDATE name SET text = '' WHERE id = 3": "1 rows of name have a text that is no text with",
    "UPDATE name SET label = 4 WHERE id = 3": "1 rows of name have a label that is no kind of name",
    "UPDATE passage SET kind = 5": "rows of passage have a kind that is no kind of text",
    "UPDATE class SET declared = 2 WHERE id = 0": "1 rows of class have a declared that is no yes",
    "UPDATE relation SET lang = x'00' WHERE id = 0": "1 rows of relation have a lang that is no",
    "UPDATE name SET folded = 'a b' WHERE text = 'James Bond'": "1 names are not folded as they",
    "UPDATE source SET left_out = '[]'": "a source does not say how much of it was left out",
    'UPDATE source SET left_out = \'{"a": "b"}\'': "a source does not say how much of it was",
    f"UPDATE source SET left_out = '{'[' * 5000}'": "a source does not say how much of it was left",
    "DELETE FROM meta WHERE key = 'languages'": "it has no languages, so it was not finished",
    "DELETE FROM edge": "it holds no edge",
    "UPDATE entity SET label = CAST(x'eda080' AS TEXT) WHERE id = 3": "Could not decode to UTF-8",
    "DELETE FROM name_fts_data WHERE id > 10": "the full-text search does not fit the names",
}


@pytest.mark.parametrize(("statement", "problem"), WRONG.items())
def test_every_value_is_what_the_code_counts_on(
    copy: Path, cli, statement: str, problem: str
) -> None:
    change(copy, statement)
    done = cli("check", copy)
    assert (done.code, problem in done.out) == (1, True)
    done = cli("info", copy)
    assert (done.code, done.out) == (1, "")
    assert "cannot be used: " in done.err


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.kg")
    with pytest.raises(BadStore, match="is no regular file, not a graph file"):
        kgpath.open(tmp_path / "pipe.kg")


# Compiled code follows the numbers of a graph with more than 20,000 pairs of neighbours unchecked.


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    pairs = np.random.default_rng(0).integers(0, 3000, (15_000, 2)).tolist()
    lines = (f"<urn:x{a:04}> <urn:p{a % 7}> <urn:x{b:04}> .\n" for a, b in pairs if a != b)
    (folder / "large.nt").write_text("".join(lines))
    kgpath.build([folder / "large.nt"], folder / "large.kg")
    return folder / "large.kg"


@pytest.fixture
def hostile(large: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(large.with_name("large.kg.index"), tmp_path / "large.kg.index")
    yield Path(shutil.copy(large, tmp_path / "large.kg"))


def test_an_edge_to_nowhere_crashes_no_process(
    hostile: Path, process: Callable[..., object]
) -> None:
    change(hostile, "INSERT INTO edge VALUES (1, 0, 2147483647)")
    done = process("paths", hostile, "x0001", "x0002")
    assert (done.code, done.out) == (1, "")
    assert "cannot be used: 1 rows of edge have a tail that is no entity." in done.err


@pytest.mark.parametrize(
    ("array", "number"), [("neighbours", 2147483000), ("offsets", 1 << 40), ("hop_codes", None)]
)
def test_a_strange_index_neither_crashes_nor_shifts_relations(
    hostile: Path, large: Path, process: Callable[..., object], array: str, number: int | None
) -> None:
    (file,) = hostile.parent.glob(f"large.kg.index/*/{array}.npy")
    numbers = np.load(file)
    if number is None:
        numbers = np.roll(numbers, 1)
    else:
        numbers[1::3] = number
    np.save(file, numbers)
    asked = "x0001", "x0002", "--json"
    done, wanted = process("paths", hostile, *asked), process("paths", large, *asked)
    assert (done.code, done.out) == (0, wanted.out)
    assert "kgpath: making the index of large.kg (once)\n" in done.err
