"""Vectors that were made before are not made again: a cache by content, in memory and on disk."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder
from kgpath.io.disk_cache import DiskCache

_IN_MEMORY = 200_000  # vectors; about 150 MB of MiniLM's


class CachedEncoder:
    """Any text encoder, with its vectors kept by a hash of encoder and text.

    They are kept as 16-bit numbers, also the new ones, so that a vector is the same whether it was
    remembered or not. Without a place to write, they are kept in memory for this session.
    """

    def __init__(self, encoder: TextEncoder, folder: str | Path | None = None) -> None:
        self.encoder = encoder
        self._kept = DiskCache(folder)
        self._known: dict[bytes, NDArray[np.float16]] = {}
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        return self.encoder.identity

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        prefix = hashlib.blake2b(f"{self.identity}\0".encode(), digest_size=16)
        keys = []
        for text in texts:
            digest = prefix.copy()
            digest.update(text.encode("utf-8", "surrogatepass"))
            keys.append(digest.digest())
        with self._lock:
            self._recall({key for key in keys if key not in self._known})
            rows = {key: self._known[key] for key in keys if key in self._known}
            missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in rows}
            if missing:
                made = self.encoder.encode(list(missing.values())).astype(np.float16)
                new = dict(zip(missing, made, strict=True))
                self._keep(new)
                rows |= new
            if not keys:
                return self.encoder.encode([])
            return np.stack([rows[key] for key in keys]).astype(np.float32)

    def _recall(self, keys: Iterable[bytes]) -> None:
        """Bring vectors from the disk into memory."""
        for key, numbers in self._kept.get(keys).items():
            self._known[key] = np.frombuffer(numbers, dtype=np.float16)

    def _keep(self, rows: dict[bytes, NDArray[np.float16]]) -> None:
        if len(self._known) > _IN_MEMORY:
            self._known.clear()
        self._known.update(rows)
        self._kept.put({key: row.tobytes() for key, row in rows.items()})
