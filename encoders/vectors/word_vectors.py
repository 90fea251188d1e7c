"""Mean word vectors from a file in the format of word2vec or GloVe."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.component import versions_of
from kgpath.encoders.vectors.word_space import Space
from kgpath.errors import BadSource
from kgpath.io.limits import beyond, limits
from kgpath.io.model_cache import cached_folder, load_cached, save_cached
from kgpath.io.streams import Counted, unpacked
from kgpath.lexicon.text import fold, tokenize

_LONGEST_WORD = 10_000


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
        # What is too large for 32 bits becomes infinite, which is refused below.
        with path.open("rb") as file, np.errstate(over="ignore"):
            # A binary file may begin with anything: only its name says that it is packed.
            stream = unpacked(Counted(file), path.name, ".gz") if packed else file
            words, table = (_binary if binary else _text)(stream)
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
    words: list[bytes] = []
    vectors: list[NDArray[np.float32]] = []
    promised: tuple[int, int] | None = None
    longest = limits().line
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise ValueError(f"line {number}: {beyond('a line of', 'line')}")
        parts = line.split()
        if number == 1 and len(parts) == 2:
            promised = _counts(line)
            continue
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
    if promised and promised != (found := (len(vectors), len(vectors[0]))):
        raise ValueError(
            f"its first line promises {promised[0]:,} words of {promised[1]:,} numbers, but there "
            f"are {found[0]:,} of {found[1]:,}; without that line it can be read"
        )
    return words, np.stack(vectors)


def _counts(line: bytes) -> tuple[int, int] | None:
    """How many words of how many dimensions; None for a word with its one number."""
    try:
        count, width = map(int, line.split())
    except ValueError:
        return None
    return count, width


def _binary(file: IO[bytes]) -> tuple[list[bytes], NDArray[np.float32]]:
    count, width = map(int, file.readline(100).split())
    if count < 0 or not 0 < 4 * width <= limits().line:
        raise ValueError(f"its first line promises {count:,} words of {width:,} numbers")
    numbers = bytearray()  # grows with what is there, whatever the first line promises
    words = []
    for row in range(count):
        word = bytearray()
        while (letter := file.read(1)) != b" ":
            if not letter:
                raise ValueError(f"it ends after {row} of {count} words")
            if letter != b"\n":
                word += letter
            if len(word) > _LONGEST_WORD:
                raise ValueError(f"word {row + 1} has over {_LONGEST_WORD:,} letters")
        vector = file.read(4 * width)
        if len(vector) < 4 * width:
            raise ValueError(f"it ends after {row} of {count} words")
        numbers += vector
        words.append(bytes(word))
    table = np.frombuffer(numbers, dtype="<f4").reshape(count, width)
    return words, table.astype(np.float32, copy=False)
