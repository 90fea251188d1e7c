"""Vectors of words, and of entities among them: trained by word2vec, read from files, averaged."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore
from kgpath.extras import require
from kgpath.io.arrays import read_array, write_array
from kgpath.io.progress import Steps
from kgpath.io.saved_json import read_json

if TYPE_CHECKING:
    from kgpath.graph import Graph

_EPOCHS = 5


class Space(NamedTuple):
    """A vector for each key: row ``rows[key]`` of the table."""

    rows: dict[str, int]
    table: NDArray[np.float32]

    def mean(self, keys: Iterable[str]) -> NDArray[np.float32]:
        """The mean vector of the keys that are known, each as often as it comes; zeros without."""
        known = [row for key in keys if (row := self.rows.get(key)) is not None]
        if not known:
            return np.zeros(self.table.shape[1], dtype=np.float32)
        return np.asarray(self.table[known].mean(axis=0, dtype=np.float64), dtype=np.float32)

    def save(self, folder: Path) -> None:
        """Write ``vectors.npy`` and ``words.json``."""
        write_array(folder, "vectors", self.table)
        text = json.dumps(list(self.rows), ensure_ascii=False)
        (folder / "words.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Space:
        """Read what :meth:`save` wrote."""
        words = read_words(folder)
        table = read_array(folder, "vectors", kind=np.float32, dimensions=2)
        if len(table) != len(words):
            raise BadStore(f"{folder} has {len(words):,} words and other vectors. Train it again.")
        return cls({word: row for row, word in enumerate(words)}, table)


def read_words(folder: Path) -> list[str]:
    """The list of words that a component learned."""
    path = folder / "words.json"
    try:
        words = read_json(path, list)
        if not all(isinstance(word, str) for word in words) or len(set(words)) < len(words):
            raise ValueError("it holds what is no word, or one twice")
    except (OSError, ValueError) as error:
        raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
    return words


def passages(graph: Graph) -> list[tuple[int, str]]:
    """All texts of a graph, each with the entity that it is about."""
    return graph.store.db.execute(
        "SELECT entity, text FROM passage ORDER BY entity, section, position"
    ).fetchall()


def word2vec(
    sentences: Sequence[Sequence[str]], size: int, *, window: int, negative: int, seed: int
) -> Space:
    """Skip-gram vectors of all words; the same sentences and seed give the same vectors."""
    gensim = require("gensim.models", "neural", "Training word vectors")
    # One worker: several take turns in an order that nobody knows.
    model = gensim.Word2Vec(
        vector_size=size, window=window, negative=negative, seed=seed, sg=1, min_count=1,
        epochs=_EPOCHS, workers=1, hashfxn=_hash,
    )  # fmt: skip
    model.build_vocab(sentences)
    model.train(
        _Told(sentences), total_examples=model.corpus_count, total_words=model.corpus_total_words,
        epochs=_EPOCHS,
    )  # fmt: skip
    rows: dict[str, int] = dict(model.wv.key_to_index)
    return Space(rows, np.asarray(model.wv.vectors, dtype=np.float32))


class _Told:
    """Texts that are gone through in every epoch; tells how far that is."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._texts, self._done = texts, 0
        self._steps = Steps("training word vectors", _EPOCHS * len(texts), "texts")

    def __iter__(self) -> Iterator[Sequence[str]]:
        for text in self._texts:
            self._steps.at(self._done)
            self._done += 1
            yield text


def _hash(word: str) -> int:
    """Python's own differs from run to run."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))
