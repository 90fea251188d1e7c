"""Mean word vectors from a file in the format of word2vec or GloVe."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from kgpath.component import versions_of
from kgpath.encoders.vectors.word_space import Space
from kgpath.errors import BadSource
from kgpath.io.model_cache import cached_folder, load_cached, save_cached
from kgpath.lexicon.text import fold, tokenize


class WordVectors:
    """The mean vector of a text's words that the file knows; zeros if it knows none.

    Reads text (a word and its numbers a line, with or without a first line of counts) and
    word2vec's ``.bin``, plain or ``.gz``. Of words that fold to the same, the first one counts:
    files list the most frequent first.
    """

    version: ClassVar[int] = 1  # see Component

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def identity(self) -> str:
        """What the vectors depend on, besides the text."""
        return f"{versions_of(type(self))} {file_hash(self.path)}"

    @cached_property
    def space(self) -> Space:
        """All vectors; read from the file when first needed."""
        return cached_space(self.path, _folded, versions_of(type(self)))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        rows = [self.space.mean(tokenize(text).words) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.space.table.shape[1]), np.float32)


def file_hash(path: Path) -> str:
    """Tells files of word vectors apart by what they hold."""
    if not path.exists() or path.is_dir():
        raise BadSource(f"There is no file {path} of word vectors.")
    about = path.stat()
    return _hash(path, about.st_size, about.st_mtime_ns)


@lru_cache
def _hash(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:40]


def cached_space(
    path: Path, keys_of: Callable[[Iterable[str]], dict[str, int]], versions: str
) -> Space:
    """The vectors of a file under the keys of its words; a text is slow to read, so only once.

    ``versions`` tells what ``keys_of`` makes now from what it made before.
    """
    binary, _ = _form(path)
    folder = cached_folder("words", versions, file_hash(path), binary)
    found: list[Space] = []
    if load_cached(folder, lambda place: found.append(Space.load(place))):
        return found[0]
    words, table = read_vectors(path)
    rows = keys_of(words)
    if not rows:
        raise BadSource(f"{path} holds no word vectors.")
    # Only the rows that a key leads to, in its order.
    space = Space({key: at for at, key in enumerate(rows)}, table[list(rows.values())])
    save_cached(folder, space.save)
    return space


def read_vectors(path: Path) -> tuple[list[str], NDArray[np.float32]]:
    """All words of a file as they are spelled, and their vectors."""
    binary, packed = _form(path)
    try:
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            words, table = (_binary if binary else _text)(cast(IO[bytes], file))
    except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadSource(
            f"{path} does not hold word vectors ({error}). Expected: a word and its numbers a "
            "line, or word2vec's .bin."
        ) from error
    if not np.isfinite(table).all():
        raise BadSource(f"{path} holds vectors that are not finite numbers.")
    return [word.decode("utf-8", "replace") for word in words], table


def _form(path: Path) -> tuple[bool, bool]:
    """Whether a file is binary, and whether it is compressed, by its name."""
    packed = path.suffix == ".gz"
    return (path.with_suffix("") if packed else path).suffix == ".bin", packed


def _folded(words: Iterable[str]) -> dict[str, int]:
    """The first row of every word that can stand in a text."""
    rows: dict[str, int] = {}
    for row, spelled in enumerate(words):
        folded = fold(spelled)
        if folded and " " not in folded and not spelled.startswith("<"):  # no "</s>"
            rows.setdefault(folded, row)
    return rows


def _text(file: IO[bytes]) -> tuple[list[bytes], NDArray[np.float32]]:
    words, vectors = [], []
    for number, line in enumerate(file, 1):
        parts = line.split()
        if number == 1 and len(parts) == 2:
            continue  # how many words of how many dimensions
        if not parts:
            continue
        words.append(parts[0])
        vectors.append(np.array(parts[1:], dtype=np.float32))
        if len(vectors[-1]) != len(vectors[0]) or not len(vectors[0]):
            raise ValueError(
                f"line {number} has {len(vectors[-1])} numbers, the first one {len(vectors[0])}"
            )
    if not vectors:
        raise ValueError("it is empty")
    return words, np.stack(vectors)


def _binary(file: IO[bytes]) -> tuple[list[bytes], NDArray[np.float32]]:
    count, width = map(int, file.readline().split())
    table = np.empty((count, width), dtype=np.float32)
    words = []
    for row in range(count):
        word = bytearray()
        while (letter := file.read(1)) != b" ":
            if not letter:
                raise ValueError(f"it ends after {row} of {count} words")
            if letter != b"\n":
                word += letter
        numbers = file.read(4 * width)
        if len(numbers) < 4 * width:
            raise ValueError(f"it ends after {row} of {count} words")
        table[row] = np.frombuffer(numbers, dtype="<f4")
        words.append(bytes(word))
    return words, table
