"""The arrays say what the facts say, and are found, made again or kept in memory."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.errors import BadStore
from kgpath.storage.index import Index, find_index, folder_beside, save_index

FACTS = st.sets(
    st.tuples(st.integers(0, 7), st.integers(0, 2), st.integers(0, 7)).filter(
        lambda fact: fact[0] != fact[2]
    ),
    max_size=40,
)


def as_array(facts: set[tuple[int, int, int]]) -> np.ndarray:
    return np.array(sorted(facts), dtype=np.int32).reshape(-1, 3)


def by_hand(facts: set[tuple[int, int, int]]) -> dict[int, dict[int, set[int]]]:
    """entity → neighbour → hop codes, straight from the definition."""
    table: dict[int, dict[int, set[int]]] = {}
    for head, relation, tail in facts:
        table.setdefault(head, {}).setdefault(tail, set()).add(2 * relation)
        table.setdefault(tail, {}).setdefault(head, set()).add(2 * relation + 1)
    return table


@given(FACTS)
def test_the_arrays_hold_both_directions_of_every_fact(facts: set[tuple[int, int, int]]) -> None:
    entities = 9  # one more than occur: the last has no neighbours
    index = Index.from_edges(as_array(facts), entities)
    expected = by_hand(facts)
    assert index.entities == entities
    for entity in range(entities):
        start, end = index.offsets[entity : entity + 2]
        neighbours = index.neighbours[start:end].tolist()
        assert neighbours == sorted(expected.get(entity, {}))
        for place, neighbour in enumerate(neighbours, start):
            codes = index.hop_codes[slice(*index.hop_offsets[place : place + 2])].tolist()
            assert codes == sorted(expected[entity][neighbour])
    assert index.offsets[-1] == len(index.neighbours)
    assert index.hop_offsets[-1] == len(index.hop_codes) == 2 * len(facts)


@given(facts=FACTS.filter(bool))
def test_a_written_index_loads_equal(facts: set[tuple[int, int, int]], tmp_path: Path) -> None:
    index = Index.from_edges(as_array(facts), 8)
    folder = tmp_path / "index"
    shutil.rmtree(folder, ignore_errors=True)
    index.write(folder, "f" * 64)
    loaded = Index.load(folder)
    assert loaded.equals(index)
    assert np.memmap in (type(loaded.neighbours), type(loaded.neighbours.base))
    assert [p.name for p in tmp_path.iterdir()] == ["index"]  # nothing half-written beside it


def test_indexes_of_different_facts_are_not_equal() -> None:
    one, other = as_array({(0, 0, 1)}), as_array({(1, 0, 0)})
    assert not Index.from_edges(one, 2).equals(Index.from_edges(other, 2))


@pytest.fixture
def copy(film_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The film graph without its index, and a cache folder of the test's own."""
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    return Path(shutil.copy(film_path, tmp_path / "film.kg"))


def reference(path: Path) -> Index:
    with kgpath.open(path) as kg:
        return Index.from_store(kg.store.db)


def test_a_missing_index_is_made_once_with_one_note(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for notes in (["kgpath: making the index of film.kg (once)"], []):
        with kgpath.open(copy) as kg:
            assert kg.index.equals(reference(copy))
            assert kg.index is kg.index
        assert capsys.readouterr().err.splitlines() == notes


def test_a_build_leaves_a_fresh_index_and_only_that(film_path: Path) -> None:
    with kgpath.open(film_path) as kg:
        folder = folder_beside(film_path, kg.fingerprint)
    assert Index.load(folder).equals(reference(film_path))
    assert list(folder.parent.iterdir()) == [folder]


def truncate(folder: Path) -> None:
    data = (folder / "neighbours.npy").read_bytes()
    (folder / "neighbours.npy").write_bytes(data[:-3])


def write_index_json(text: str):
    def damage(folder: Path) -> None:
        (folder / "index.json").write_text(text)

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        lambda folder: (folder / "hop_codes.npy").unlink(),
        lambda folder: (folder / "hop_codes.npy").write_bytes(b""),
        lambda folder: (folder / "hop_codes.npy").write_bytes(b"garbage" * 100),
        lambda folder: (folder / "index.json").write_bytes(b"\xff\xfe"),
        lambda folder: np.save(folder / "offsets.npy", np.zeros(3, dtype=np.int64)),
        write_index_json("{"),
        write_index_json("{}"),
        write_index_json("[]"),
        write_index_json("null"),
        write_index_json(json.dumps({"format": 99})),
    ],
    ids=["cut", "file missing", "file empty", "no array", "not text", "other size",
         "not json", "no format", "json list", "json null", "other format"],
)  # fmt: skip
def test_a_damaged_index_is_made_again_with_one_note(
    damage, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kgpath.open(copy) as kg:
        folder = save_index(kg.index, copy, kg.fingerprint)
    damage(folder)
    capsys.readouterr()
    with kgpath.open(copy) as kg:
        assert kg.index.equals(reference(copy))
        assert find_index(copy, kg.fingerprint).equals(reference(copy))
    assert capsys.readouterr().err.splitlines() == ["kgpath: making the index of film.kg (once)"]


def test_no_index_holds_pickled_objects(copy: Path) -> None:
    with kgpath.open(copy) as kg:
        folder = save_index(kg.index, copy, kg.fingerprint)
    np.save(folder / "hop_codes.npy", np.array([{}], dtype=object), allow_pickle=True)
    assert find_index(copy, "0" * 64) is None
    with kgpath.open(copy) as kg:
        assert kg.index.equals(reference(copy))


def blocked(path: Path) -> Path:
    """A place where no folder can be made, for root as well: a file lies there."""
    path.write_text("")
    return path


def test_in_a_read_only_folder_the_index_goes_to_the_cache(
    film_path: Path, tmp_path: Path, small_disk, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    disk = small_disk()
    shutil.copy(film_path, disk / "film.kg")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    for notes in (1, 0):
        with kgpath.open(disk / "film.kg") as kg:
            assert kg.index.equals(reference(film_path))
            assert (tmp_path / "cache" / "index" / kg.fingerprint[:16] / "index.json").exists()
        assert len(capsys.readouterr().err.splitlines()) == notes


def test_where_the_place_beside_the_file_is_taken_the_index_goes_to_the_cache(
    copy: Path, tmp_path: Path
) -> None:
    blocked(tmp_path / "film.kg.index")
    with kgpath.open(copy) as kg:
        assert kg.index.equals(reference(copy))
        assert (tmp_path / "cache" / "index" / kg.fingerprint[:16] / "index.json").exists()


def test_where_nothing_can_be_written_the_index_stays_in_memory(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked(tmp_path / "film.kg.index")
    blocked(tmp_path / "cache")
    with kgpath.open(copy) as kg:
        assert kg.index.equals(reference(copy))
    assert "it is kept in memory for this session" in capsys.readouterr().err


@pytest.mark.parametrize("said", ["/precious", "..", "../precious", "", "0" * 63 + "g", "A" * 64])
def test_opening_a_hostile_file_touches_no_folder(copy: Path, said: str) -> None:
    precious = copy.parent / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    before = sorted(path.name for path in copy.parent.iterdir())
    with sqlite3.connect(copy) as db:
        value = str(precious) if said == "/precious" else said
        db.execute("UPDATE meta SET value = ? WHERE key = 'fingerprint'", (value,))
    db.close()
    with pytest.raises(BadStore, match="it has a fingerprint that is none"):
        kgpath.open(copy)
    assert (precious / "thesis.txt").read_text() == "years of work"
    assert sorted(path.name for path in copy.parent.iterdir()) == before


def test_what_else_lies_with_the_index_stays(copy: Path, film_turtle: str) -> None:
    with kgpath.open(copy) as kg:
        folder = save_index(kg.index, copy, kg.fingerprint)
    mine = [folder.parent / "notes" / "a.txt", folder.parent / "b.txt", folder / "c.txt"]
    mine[0].parent.mkdir()
    for file in mine:
        file.write_text("mine")
    (folder / "index.json").write_text("{}")  # damaged: made again, but not in this folder
    with kgpath.open(copy) as kg:
        assert len(kg.paths("Roger Moore", "Daniel Craig"))
    source = copy.parent / "more.ttl"
    source.write_text(film_turtle + "ex:new dbo:birthPlace ex:place .")
    kgpath.add(copy, [source])
    assert [file.read_text() for file in mine] == ["mine"] * 3


def test_an_index_that_was_not_written_here_is_made_again(
    film_path: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(film_path.with_name("film.kg.index"), copy.with_name("film.kg.index"))
    with kgpath.open(copy) as kg:
        assert kg.index.equals(reference(copy))
    assert capsys.readouterr().err == "kgpath: making the index of film.kg (once)\n"


def test_an_array_that_was_changed_in_its_place_is_made_again(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kgpath.open(copy) as kg:
        folder = save_index(kg.index, copy, kg.fingerprint)
    codes = np.load(folder / "hop_codes.npy")
    np.save(folder / "hop_codes.npy", np.roll(codes, 1))  # the same size, and all within range
    capsys.readouterr()
    with kgpath.open(copy) as kg:
        assert kg.index.equals(reference(copy))
    assert capsys.readouterr().err == "kgpath: making the index of film.kg (once)\n"


def test_an_index_of_another_content_with_the_same_name_is_not_taken(
    copy: Path, build_graph
) -> None:
    # A folder is named by the first sixteen digits alone.
    other = build_graph("ex:a ex:knows ex:b .", output="other.kg")
    with kgpath.open(copy) as kg:
        claimed = kg.fingerprint[:16] + other.fingerprint[16:]
        save_index(other.index, copy, claimed)
        assert find_index(copy, claimed).equals(other.index)
        assert kg.index.equals(reference(copy))


SMALL = Index.from_edges(as_array({(0, 0, 1), (1, 1, 2), (0, 1, 2)}), 3, [(0, "A b", "a b")])


@pytest.mark.parametrize(
    ("field", "numbers"),
    [
        ("offsets", [0, 2, 4, 5]),
        ("offsets", [0, 4, 2, 6]),
        ("offsets", [1, 2, 4, 6]),
        ("offsets", []),
        ("neighbours", [1, 2, 0, 2, 0, 3]),
        ("neighbours", [1, 2, 0, 2, 0, -1]),
        ("neighbours", [1, 2, 0, 2, 0, 2147483647]),
        ("neighbours", [1, 2, 0, 2, 0]),
        ("hop_offsets", [0, 1, 2, 3, 4, 5, 7]),
        ("hop_offsets", [0, 1, 2, 3, 5, 4, 6]),
        ("hop_codes", [0, 2, 1, 2, 3, -3]),
        ("hop_codes", [0, 2, 1, 2, 3]),
        ("same_hops", [0, 1]),
        ("same_hops", [0, 1, 2]),
        ("same_hops", [0, 1, 2, 4]),
        ("same_hops", [0, 1, -2, 3]),
        ("same_hops", [2, 1, 2, 3]),
        ("same_hops", [0, 0, 1, 3]),
        ("same_hops", [0, 1, 0, 3]),
        ("name_entities", [3]),
        ("name_forms", [0, 0]),
        ("word_offsets", [0, 1]),
        ("word_rows", [1, 1, 1]),
        ("word_weights", [1.0]),
        ("word_entities", [9]),
        ("word_totals", []),
        ("term_keys", []),
    ],
)
def test_no_number_leads_out_of_an_array(field: str, numbers: list[float], tmp_path: Path) -> None:
    SMALL.refuse_unfit()
    wrong = replace(SMALL, **{field: np.array(numbers, dtype=getattr(SMALL, field).dtype)})
    with pytest.raises(ValueError, match="do not fit together"):
        wrong.refuse_unfit()
    wrong.write(tmp_path / "index", "f" * 64)
    with pytest.raises((ValueError, OSError)):
        Index.load(tmp_path / "index")


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.uint32, ">i4"])
def test_numbers_of_another_kind_are_refused(dtype: object) -> None:
    wrong = replace(SMALL, neighbours=SMALL.neighbours.astype(dtype))
    with pytest.raises(ValueError, match="neighbours is not a row of int32"):
        wrong.refuse_unfit()


def test_an_array_of_another_shape_is_refused() -> None:
    wrong = replace(SMALL, neighbours=SMALL.neighbours.reshape(2, 3))
    with pytest.raises(ValueError, match="neighbours is not a row of int32"):
        wrong.refuse_unfit()


def test_an_index_with_more_relations_or_other_entities_is_made_again(copy: Path) -> None:
    with kgpath.open(copy) as kg:
        key = kg.fingerprint
        wrong = replace(kg.index, hop_codes=kg.index.hop_codes + 2 * len(kg.store.relations))
    for index in (wrong, SMALL):
        save_index(index, copy, key)
        with kgpath.open(copy) as kg:
            assert kg.index.equals(reference(copy))


def test_a_link_in_place_of_the_index_is_not_followed(copy: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "film.kg.index").symlink_to(elsewhere)
    for _ in range(2):
        with kgpath.open(copy) as kg:
            assert kg.index.equals(reference(copy))
    kgpath.remove(copy, entities=["Beyoncé"])
    assert list(elsewhere.iterdir()) == []


def test_two_users_do_not_overwrite_each_others_index(copy: Path, monkeypatch, capsys) -> None:
    with kgpath.open(copy) as kg:
        folder = save_index(kg.index, copy, kg.fingerprint)
    before = sorted(file.stat().st_ino for file in folder.iterdir())
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    monkeypatch.setenv("KGPATH_CACHE", str(copy.parent / "cache of another"))
    capsys.readouterr()
    for notes in (1, 0):
        with kgpath.open(copy) as kg:
            assert kg.index.equals(reference(copy))
        assert len(capsys.readouterr().err.splitlines()) == notes
    assert sorted(file.stat().st_ino for file in folder.iterdir()) == before


def test_arrays_of_the_user_beside_the_index_stay(copy: Path) -> None:
    with kgpath.open(copy) as kg:
        folder = save_index(kg.index, copy, kg.fingerprint)
    mine = folder.parent / "my vectors"
    mine.mkdir()
    np.save(mine / "a.npy", np.zeros(3))
    (folder.parent / "empty").mkdir()
    kgpath.remove(copy, entities=["Beyoncé"])
    assert (mine / "a.npy").exists() and (folder.parent / "empty").exists()
    assert not folder.exists()
