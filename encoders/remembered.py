"""Vectors that were made before are not made again: a cache by content, in memory and on disk."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgpath.cache import cache_folder
from kgpath.registry import TextEncoder

_IN_MEMORY = 200_000  # vectors; about 150 MB of MiniLM's


class Remembered:
    """Any text encoder, with its vectors kept by a hash of encoder and text.

    They are kept as 16-bit numbers, also the new ones, so that a vector is the same whether it was
    remembered or not. Without a place to write, they are kept in memory for this session.
    """

    def __init__(self, encoder: TextEncoder, folder: str | Path | None = None) -> None:
        self.encoder = encoder
        self._folder = Path(folder) if folder is not None else cache_folder()
        self._known: dict[bytes, NDArray[np.float16]] = {}
        self._lock = threading.Lock()
        self._local = threading.local()

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
        db = self._db
        if db is None:
            return
        for key in keys:
            try:
                row = db.execute("SELECT numbers FROM vector WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error:
                return  # damaged: what it held is made anew
            if row:
                self._known[key] = np.frombuffer(row[0], dtype=np.float16)

    def _keep(self, rows: dict[bytes, NDArray[np.float16]]) -> None:
        if len(self._known) > _IN_MEMORY:
            self._known.clear()
        self._known.update(rows)
        if self._db is not None:
            try:
                with self._db:
                    self._db.executemany(
                        "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                        [(key, row.tobytes()) for key, row in rows.items()],
                    )
            except sqlite3.Error:
                pass  # full or read-only: memory will do

    @property
    def _db(self) -> sqlite3.Connection | None:
        """This thread's connection; None where nothing can be written."""
        if not hasattr(self._local, "db"):
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                db = sqlite3.connect(self._folder / "vectors.sqlite", timeout=30)
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = OFF")
                db.execute(
                    "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, numbers BLOB)"
                    " WITHOUT ROWID"
                )
            except (OSError, sqlite3.Error):
                db = None
            self._local.db = db
        found: sqlite3.Connection | None = self._local.db
        return found
