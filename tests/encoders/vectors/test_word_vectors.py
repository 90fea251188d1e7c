"""Word vectors from every kind of file, good and bad, and the mean of a text's words."""

from __future__ import annotations

import gzip
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.encoders.vectors import word_vectors
from kgpath.encoders.vectors.word_vectors import WordVectors
from kgpath.errors import BadSource
from kgpath.plugins import TEXT_ENCODERS

TABLE = {"the": [1, 0, 0], "Paris": [0, 2, 0], "film": [0.5, 0, -4]}


def as_text(table: dict[str, list[float]], header: bool = False) -> bytes:
    lines = [" ".join([word, *map(str, numbers)]) for word, numbers in table.items()]
    if header:
        lines.insert(0, f"{len(table)} 3")
    return ("\n".join(lines) + "\n").encode()


def as_binary(table: dict[str, list[float]], line_breaks: bool = True) -> bytes:
    """As word2vec writes it, which ends every vector by a line break; others leave it out."""
    parts = [f"{len(table)} 3\n".encode()]
    for word, numbers in table.items():
        parts += [word.encode(), b" ", struct.pack("<3f", *numbers), b"\n" * line_breaks]
    return b"".join(parts)


FILES = {
    "glove.txt": as_text(TABLE),
    "word2vec.txt": as_text(TABLE, header=True),
    "plain.vec": as_text(TABLE, header=True).replace(b"\n", b" \r\n"),
    "blank.txt": as_text(TABLE).replace(b"\n", b"\n\n"),
    "glove.txt.gz": gzip.compress(as_text(TABLE)),
    "word2vec.gz": gzip.compress(as_text(TABLE, header=True)),
    "word2vec.bin": as_binary(TABLE),
    "gensim.bin": as_binary(TABLE, line_breaks=False),
    "word2vec.bin.gz": gzip.compress(as_binary(TABLE)),
}


@pytest.fixture
def written(tmp_path: Path):
    def write(content: bytes | str, name: str = "vectors.txt") -> WordVectors:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return WordVectors(path)

    return write


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_vectors(written, name: str) -> None:
    vectors = written(FILES[name], name)
    assert vectors.space.table.dtype == np.float32
    assert vectors.space.table.tolist() == list(TABLE.values())
    assert vectors.encode(["film", "paris"]).tolist() == [[0.5, 0, -4], [0, 2, 0]]


def test_a_text_is_the_mean_of_the_words_that_are_known(written) -> None:
    vectors = written(FILES["glove.txt"])
    found = vectors.encode(["The film, the unknown FILM: Paris!", "the", "nothing known", ""])
    assert found.tolist() == [
        pytest.approx([(1 + 0.5 + 1 + 0.5) / 5, 2 / 5, -8 / 5]),  # a word counts each time
        [1, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
    ]
    assert found.dtype == np.float32
    assert vectors.encode([]).shape == (0, 3)


@pytest.mark.parametrize("words", [["Paris", "paris", "PARIS"], ["paris", "Paris"], ["Pâris", "p"]])
def test_of_words_that_fold_to_the_same_the_first_counts(written, words: list[str]) -> None:
    vectors = written(as_text({word: [at, 1, 1] for at, word in enumerate(words)}))
    assert vectors.encode(["Paris", "paris"]).tolist() == [[0, 1, 1]] * 2


def test_words_that_no_text_has_are_no_trouble(written) -> None:
    # New_York folds to two words; bytes that are no UTF-8 are replaced.
    content = as_text({"New_York": [9, 9, 9], "york": [1, 1, 1]}) + b"caf\xe9 2 2 2\n"
    vectors = written(content)
    assert vectors.encode(["New York"]).tolist() == [[1, 1, 1]]
    assert vectors.encode(["café"]).tolist() == [[0, 0, 0]]


@given(st.lists(st.sampled_from(["the", "paris", "film", "other"])))
def test_the_order_of_the_words_makes_no_difference(written, words: list[str]) -> None:
    vectors = written(FILES["glove.txt"])
    one, other = vectors.encode([" ".join(words), " ".join(sorted(words))])
    assert one == pytest.approx(other, abs=1e-6)


BAD_FILES = {
    "empty.txt": (b"", "it is empty"),
    "blank.txt": (b"\n \n", "it is empty"),
    "header.txt": (b"3 3\n", "it is empty"),
    "ragged.txt": (b"a 1 2 3\nb 1 2\n", "line 2 has 2 numbers, the first one 3"),
    "longer.txt": (b"2 3\na 1 2 3\nb 1 2 3 4\n", "line 3 has 4 numbers, the first one 3"),
    "bare.txt": (b"a\nb\n", "line 1 has 0 numbers"),
    "prose.txt": (b"This is a text, not vectors.\n", "could not convert string to float"),
    "one.txt": (b"a 1 2 3\nb 1 two 3\n", "could not convert string to float"),
    "nan.txt": (b"a 1 2 nan\n", "not finite"),
    "inf.txt": (b"a 1 2 3\nb 1 -inf 3\n", "not finite"),
    "signs.txt": (b"New_York 1 2 3\n", "holds no word vectors"),
    "text.gz": (b"a 1 2 3\n", "Not a gzipped file"),
    "cut.txt.gz": (gzip.compress(as_text(TABLE))[:-12], "ended before"),
    "bits.txt.gz": (gzip.compress(as_text(TABLE))[:10] + b"\xff" * 40, "invalid block type"),
    "empty.gz": (b"", "it is empty"),
    "empty.bin": (b"", "not enough values"),
    "text.bin": (as_text(TABLE), "invalid literal"),
    "word.bin": (as_binary(TABLE)[:-18], "it ends after 2 of 3 words"),
    "cut.bin": (as_binary(TABLE)[:-3], "it ends after 2 of 3 words"),
    "header.bin": (b"2 3\n", "it ends after 0 of 2 words"),
    "none.bin": (b"0 3\n", "holds no word vectors"),
    "nan.bin": (as_binary({"a": [1, float("nan"), 0]}), "not finite"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_said_to_be_one(written, name: str) -> None:
    content, message = BAD_FILES[name]
    vectors = written(content, name)
    for _ in range(2):  # nor does it work the second time
        with pytest.raises(BadSource, match=message) as raised:
            vectors.encode(["a"])
        assert name in str(raised.value)


@pytest.mark.filterwarnings("error")
def test_numbers_too_large_for_32_bits_are_refused_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("ne 1e308 -2 1\n")
    with pytest.raises(BadSource, match="holds vectors that are not finite numbers"):
        WordVectors(str(tmp_path / "v.txt")).encode(["ne"])


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    for path in (tmp_path / "no.txt", tmp_path):
        vectors = WordVectors(path)
        with pytest.raises(BadSource, match=f"There is no file {path}"):
            vectors.encode(["a"])
        with pytest.raises(BadSource, match=f"There is no file {path}"):
            _ = vectors.identity


def test_the_file_is_read_once_and_not_before_it_is_needed(written) -> None:
    vectors = written(FILES["glove.txt"])
    first = vectors.encode(["film"])
    vectors.path.unlink()
    assert vectors.encode(["film"]).tolist() == first.tolist()
    assert vectors.space.table is vectors.space.table


def test_other_content_has_another_identity(written) -> None:
    one, other = written(FILES["glove.txt"], "one.txt"), written(FILES["glove.txt"], "other.txt")
    assert one.identity == WordVectors(str(one.path)).identity == other.identity
    before = one.identity
    os.utime(one.path, (1, 1))
    assert one.identity == before
    one.path.write_bytes(as_text(TABLE, header=True))
    assert one.identity != before


@pytest.mark.parametrize("name", FILES)
def test_read_again_from_the_cache_it_is_the_same(
    written, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["The film is set in Paris.", "nothing known", "the the film"]
    plain = written(FILES[name], name).encode(texts)
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    first = written(FILES[name], name).encode(texts)
    monkeypatch.setattr(word_vectors, "read_vectors", None)  # the file is not read again
    again = WordVectors(tmp_path / name).encode(texts)
    assert plain.tolist() == first.tolist() == again.tolist()


def test_a_damaged_cache_is_made_again(
    written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    first = written(FILES["glove.txt"]).encode(["film"])
    (cached,) = (tmp_path / "cache" / "words").iterdir()
    for damage in ("vectors.npy", "words.json"):
        (cached / damage).write_bytes(b"?")
        assert written(FILES["glove.txt"]).encode(["film"]).tolist() == first.tolist()
    assert [path.name for path in (tmp_path / "cache" / "words").iterdir()] == [cached.name]


def test_the_registry_makes_it(written) -> None:
    path = written(FILES["glove.txt"]).path
    vectors = TEXT_ENCODERS.make(f"word-vectors(path={path})")
    assert isinstance(vectors, WordVectors)
    assert vectors.encode(["film"]).tolist() == [[0.5, 0, -4]]
