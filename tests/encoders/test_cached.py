"""Vectors are made once: in memory, on disk, by several threads, and where nothing is written."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.encoders import cached
from kgpath.encoders.cached import CachedEncoder


class Letters:
    """How often a text has each of four letters, over a third; knows what it was asked."""

    def __init__(self, identity: str = "letters", scale: float = 1 / 3) -> None:
        self.identity = identity
        self.scale = scale
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        rows = [[self.scale * text.count(letter) for letter in "abcd"] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 4)


def halved(texts: Sequence[str], scale: float = 1 / 3) -> list[list[float]]:
    """What is expected: the same numbers with 16 bits."""
    return Letters(scale=scale).encode(texts).astype(np.float16).astype(np.float32).tolist()


def test_what_was_made_before_is_not_made_again(tmp_path: Path) -> None:
    letters = Letters()
    encoder = CachedEncoder(letters, tmp_path)
    first = encoder.encode(["a", "abb", "a"])
    assert letters.asked == ["a", "abb"]  # also not twice at once
    again = encoder.encode(["abb", "a"])
    assert letters.asked == ["a", "abb"]
    assert first.tolist() == halved(["a", "abb", "a"])
    assert again.tolist() == halved(["abb", "a"])
    assert (first.dtype, again.dtype) == (np.float32, np.float32)
    assert encoder.encode(["c", "abb"]).tolist() == halved(["c", "abb"])
    assert letters.asked == ["a", "abb", "c"]


@pytest.mark.parametrize("damage", [b"", b"abc", b"\0\0", b"\0" * 10, b"\xff" * 8, "text", None, 3])
@pytest.mark.parametrize("texts", [["a"], ["a", "b"], ["a", "c"]])
def test_a_vector_that_is_damaged_on_disk_is_made_again(
    tmp_path: Path, damage: object, texts: list[str]
) -> None:
    CachedEncoder(Letters(), tmp_path).encode(["a", "b"])
    with sqlite3.connect(tmp_path / "vectors.sqlite") as db:
        place = "(SELECT key FROM vector ORDER BY numbers DESC LIMIT 1)"  # that of a
        db.execute(f"UPDATE vector SET numbers = ? WHERE key = {place}", (damage,))
    if texts == ["a"] and isinstance(damage, bytes) and len(damage) in (0, 2, 10):
        texts = ["a", "d"]  # of a whole row alone, nobody knows how long it should be
    assert CachedEncoder(Letters(), tmp_path).encode(texts).tolist() == halved(texts)


def test_vectors_outlive_the_encoder(tmp_path: Path) -> None:
    first = CachedEncoder(Letters(), tmp_path / "new" / "folder").encode(["ab", "c"])
    letters = Letters()
    again = CachedEncoder(letters, tmp_path / "new" / "folder").encode(["c", "ab"])
    assert letters.asked == []
    assert again.tolist() == first.tolist()[::-1]
    assert again.dtype == first.dtype


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("letters", "a"), ("others", "a")),
        (("letters", "a"), ("letters", "b")),
        (("letters", "aab"), ("lettersa", "ab")),  # where one name ends and the text begins
        (("letters", ""), ("", "letters")),
    ],
)
def test_other_encoders_and_other_texts_have_vectors_of_their_own(tmp_path, one, other) -> None:
    for scale, (identity, text) in ((1, one), (2, other)):
        letters = Letters(identity, scale)
        assert CachedEncoder(letters, tmp_path).encode([text]).tolist() == halved([text], scale)
        assert letters.asked == [text]


def test_its_identity_is_that_of_the_encoder(tmp_path: Path) -> None:
    assert CachedEncoder(Letters("some model"), tmp_path).identity == "some model"


def test_no_texts_give_no_rows_of_the_right_width(tmp_path: Path) -> None:
    encoder = CachedEncoder(Letters(), tmp_path)
    assert encoder.encode([]).shape == (0, 4)
    assert encoder.encode(["a"]).shape == (1, 4)
    assert encoder.encode([]).shape == (0, 4)


@given(st.lists(st.text(max_size=5) | st.just("\ud800"), max_size=6))
def test_first_and_second_time_are_the_same_for_any_texts(tmp_path: Path, texts) -> None:
    encoder = CachedEncoder(Letters(), tmp_path)
    for _ in range(2):
        assert encoder.encode(texts).tolist() == halved(texts)


@pytest.mark.parametrize("kind", ["file", "below a file", "not a database"])
def test_without_a_place_to_write_memory_will_do(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "cache"
    if kind == "not a database":
        folder.mkdir()
        (folder / "vectors.sqlite").write_bytes(b"something else " * 100)
    else:
        folder.write_text("in the way")
        folder = folder / "below" if kind == "below a file" else folder
    letters = Letters()
    encoder = CachedEncoder(letters, folder)
    assert encoder.encode(["a", "b"]).tolist() == encoder.encode(["a", "b"]).tolist()
    assert encoder.encode(["b", "c"]).tolist() == halved(["b", "c"])
    assert letters.asked == ["a", "b", "c"]


def test_a_read_only_folder_will_do(small_disk) -> None:
    letters = Letters()
    encoder = CachedEncoder(letters, small_disk("read-only", "size=1m,ro"))
    for _ in range(2):
        assert encoder.encode(["a", "b"]).tolist() == halved(["a", "b"])
    assert letters.asked == ["a", "b"]


def test_a_full_disk_will_do(small_disk) -> None:
    folder = small_disk("full", "size=64k")
    encoder = CachedEncoder(Letters(), folder)
    texts = [f"a{'b' * (at % 7)}{at}" for at in range(5000)]
    for _ in range(2):
        assert encoder.encode(texts).tolist() == halved(texts)


def test_when_memory_is_full_it_forgets_but_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "_MOST_IN_MEMORY", 2)
    for folder in (tmp_path, tmp_path / "in the way" / "cache"):
        (tmp_path / "in the way").touch()
        encoder = CachedEncoder(Letters(), folder)
        for texts in (["a", "b", "c"], ["a", "d"], ["d", "b", "e"], ["a", "b", "c", "d", "e"]):
            assert encoder.encode(texts).tolist() == halved(texts)


def test_threads_share_it(tmp_path: Path) -> None:
    letters = Letters()
    encoder = CachedEncoder(letters, tmp_path)
    texts = [f"{'a' * (at % 5)}{'b' * (at % 3)}{at}" for at in range(60)]
    wrong: list[object] = []

    def work(first: int) -> None:
        try:
            mine = texts[first:] + texts[:first]
            for at in range(0, len(mine), 7):
                some = mine[at : at + 7]
                if encoder.encode(some).tolist() != halved(some):
                    wrong.append(some)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(10 * number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sorted(letters.asked) == sorted(texts)  # each once
    with sqlite3.connect(tmp_path / "vectors.sqlite") as db:
        assert db.execute("SELECT count(*) FROM vector").fetchone() == (60,)
    db.close()


def test_two_at_once_on_one_folder(tmp_path: Path) -> None:
    one, other = CachedEncoder(Letters(), tmp_path), CachedEncoder(Letters(), tmp_path)
    assert one.encode(["a"]).tolist() == other.encode(["a"]).tolist()
    assert one.encoder.asked == ["a"]
    assert other.encoder.asked == []


def test_the_users_cache_folder_can_be_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "mine"))
    CachedEncoder(Letters()).encode(["a"])
    assert not (tmp_path / "mine").exists()  # tests keep nothing
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    CachedEncoder(Letters()).encode(["a"])
    assert (tmp_path / "mine" / "vectors.sqlite").exists()
