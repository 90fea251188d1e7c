"""Vectors that were made before are not made again: a cache by content, in memory and on disk."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder, Versioned, kinds_of
from kgpath.io.disk_cache import DiskCache

_MOST_IN_MEMORY = 200_000  # vectors; about 150 MB of MiniLM's


class CachedEncoder:
    """Any text encoder, with its vectors cached by a hash of encoder and text.

    They are cached as 16-bit numbers, and new ones rounded to them, so that a vector is the same
    whether it comes from the cache or not. Without a place to write, they stay in memory for this
    session.
    """

    def __init__(self, encoder: TextEncoder, folder: str | Path | None = None) -> None:
        self.encoder = encoder
        self._on_disk = DiskCache(folder)
        self._in_memory: dict[bytes, NDArray[np.float16]] = {}
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        return self.encoder.identity

    def made_of(self) -> Iterable[type[Versioned]]:
        """The class of the encoder, if it has a version."""
        return kinds_of(self.encoder)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        prefix = hashlib.blake2b(f"{self.identity}\0".encode(), digest_size=16)
        keys = []
        for text in texts:
            digest = prefix.copy()
            digest.update(text.encode("utf-8", "surrogatepass"))
            keys.append(digest.digest())
        if not keys:
            return self.encoder.encode([])
        wanted = dict(zip(keys, texts, strict=True))
        with self._lock:
            self._load({key for key in wanted if key not in self._in_memory})
            rows = {key: self._in_memory[key] for key in wanted if key in self._in_memory}
            rows |= self._made({key: text for key, text in wanted.items() if key not in rows})
            if len({len(row) for row in rows.values()}) > 1:  # some were damaged: all of them again
                rows = self._made(wanted)
            return np.stack([rows[key] for key in keys]).astype(np.float32)

    def _made(self, texts: dict[bytes, str]) -> dict[bytes, NDArray[np.float16]]:
        """New vectors, which are cached."""
        if not texts:
            return {}
        made = self.encoder.encode(list(texts.values())).astype(np.float16)
        rows = dict(zip(texts, made, strict=True))
        self._store(rows)
        return rows

    def _load(self, keys: Iterable[bytes]) -> None:
        """Bring vectors from the disk into memory."""
        for key, numbers in self._on_disk.get(keys).items():
            if len(numbers) % 2 == 0:
                row = np.frombuffer(numbers, dtype=np.float16)
                if np.isfinite(row).all():
                    self._in_memory[key] = row

    def _store(self, rows: dict[bytes, NDArray[np.float16]]) -> None:
        if len(self._in_memory) > _MOST_IN_MEMORY:
            self._in_memory.clear()
        self._in_memory.update(rows)
        self._on_disk.put({key: row.tobytes() for key, row in rows.items()})
