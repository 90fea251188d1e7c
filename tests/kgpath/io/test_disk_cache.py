"""What is cached between runs: the same numbers with it and without it, whatever befalls it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kgpath.encoders.tfidf import Tfidf
from kgpath.io import disk_cache
from kgpath.io.disk_cache import cached_array
from kgpath.io.model_cache import fit_cached


def counted(make: np.ndarray) -> tuple[Callable[[], np.ndarray], list[int]]:
    calls: list[int] = []

    def made() -> np.ndarray:
        calls.append(1)
        return make

    return made, calls


def test_an_array_is_made_once_to_the_last_bit(cache_folder: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    make, calls = counted(rows)
    for _ in range(3):
        assert cached_array("00" * 20, (5, 3), make).tobytes() == rows.tobytes()
    assert len(calls) == 1
    cached_array("01" * 20, (5, 3), make)  # another key
    assert len(calls) == 2
    assert cached_array("02" * 20, (0, 3), lambda: np.zeros((0, 3), np.float32)).shape == (0, 3)


def test_without_the_cache_nothing_is_written(cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_USE_CACHE", "0")
    make, calls = counted(np.ones((2, 2), np.float32))
    for _ in range(2):
        cached_array("00" * 20, (2, 2), make)
    part = Tfidf()
    fit_cached(part, learn=lambda: None)
    assert len(calls) == 2 and not cache_folder.exists()


@pytest.mark.parametrize("kind", ["a file in the way", "not a database", "another shape"])
def test_whatever_befalls_the_file_the_numbers_are_the_same(cache_folder: Path, kind: str) -> None:
    if kind == "a file in the way":
        cache_folder.write_text("")
    elif kind == "not a database":
        cache_folder.mkdir()
        (cache_folder / "arrays.sqlite").write_bytes(b"something else " * 100)
    else:
        cached_array("00" * 20, (1, 1), lambda: np.zeros((1, 1), np.float32))
    make, _ = counted(np.full((2, 2), 7, np.float32))
    for _ in range(2):
        assert cached_array("00" * 20, (2, 2), make).tolist() == [[7, 7], [7, 7]]


def test_a_file_that_has_grown_too_large_is_emptied(cache_folder: Path, monkeypatch) -> None:
    make, calls = counted(np.zeros((100, 100), np.float32))
    cached_array("00" * 20, (100, 100), make)
    monkeypatch.setattr(disk_cache, "LARGEST", 1000)
    monkeypatch.setattr(disk_cache, "_OPEN", {})  # as in another process
    cached_array("00" * 20, (100, 100), make)
    assert len(calls) == 2
    with sqlite3.connect(cache_folder / "arrays.sqlite") as db:
        assert db.execute("SELECT count(*) FROM vector").fetchone() == (1,)
    db.close()


def test_the_former_name_of_the_variable_works_with_a_notice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from kgpath.io.cache import cache_enabled

    monkeypatch.setattr("kgpath.registry._NOTICED", set())
    monkeypatch.delenv("KGPATH_USE_CACHE")
    assert cache_enabled() and not capsys.readouterr().err
    monkeypatch.setenv("KGPATH_KEEP", "0")
    assert not cache_enabled()
    assert "KGPATH_KEEP is called KGPATH_USE_CACHE now" in capsys.readouterr().err
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    assert cache_enabled()


@pytest.mark.parametrize(
    "damage", [b"", b"abc", b"\0" * 15, b"\xff" * 16, "a text of 16 ch", 7, None, 1.5]
)
def test_a_row_that_is_damaged_is_made_again(cache_folder: Path, damage: object) -> None:
    make, calls = counted(np.full((2, 2), 7, np.float32))
    cached_array("00" * 20, (2, 2), make)
    with sqlite3.connect(cache_folder / "arrays.sqlite") as db:
        db.execute("UPDATE vector SET numbers = ?", (damage,))
    assert cached_array("00" * 20, (2, 2), make).tolist() == [[7, 7], [7, 7]]
    assert len(calls) == 2
