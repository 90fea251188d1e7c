"""What was made before is not made again: vectors by key, in a file of the cache folder."""

from __future__ import annotations

import math
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgpath.io.cache import cache_enabled, cache_folder

#: A file larger than this is emptied when it is opened: whatever it held can be made again.
LARGEST = 4 * 2**30


class DiskCache:
    """Bytes by key in a SQLite file; where nothing can be written, nothing is cached."""

    def __init__(self, folder: str | Path | None = None, name: str = "vectors.sqlite") -> None:
        self._file = (Path(folder) if folder is not None else cache_folder()) / name
        self._enabled = folder is not None or cache_enabled()
        self._local = threading.local()

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is there of these."""
        found: dict[bytes, bytes] = {}
        db = self._db
        if db is not None:
            for key in keys:
                try:
                    row = db.execute("SELECT numbers FROM vector WHERE key = ?", (key,)).fetchone()
                except sqlite3.Error:
                    break  # damaged: what it held is made again
                if row and isinstance(row[0], bytes):
                    found[key] = row[0]
        return found

    def put(self, rows: Mapping[bytes, bytes]) -> None:
        """Write these, if there is a place."""
        db = self._db
        if db is not None:
            try:
                with db:
                    db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows.items())
            except sqlite3.Error:
                pass  # full or read-only: they are made again

    @property
    def _db(self) -> sqlite3.Connection | None:
        """This thread's connection; None where nothing can be written."""
        if not hasattr(self._local, "db"):
            try:
                self._local.db = self._opened() if self._enabled else None
            except (OSError, sqlite3.Error):
                self._local.db = None
        found: sqlite3.Connection | None = self._local.db
        return found

    def _opened(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._file, timeout=30)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")
        db.execute(
            "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, numbers BLOB) WITHOUT ROWID"
        )
        if self._file.stat().st_size > LARGEST:
            db.execute("DELETE FROM vector")
            db.execute("VACUUM")
        return db


def cached_array(
    key: str, shape: tuple[int, ...], make: Callable[[], NDArray[np.float32]]
) -> NDArray[np.float32]:
    """An array of 32-bit numbers, made or loaded from the cache; the same bits either way."""
    if not cache_enabled():
        return np.ascontiguousarray(make(), dtype=np.float32)
    cache = _arrays(str(cache_folder()))
    name = bytes.fromhex(key)
    numbers = cache.get([name]).get(name)
    if numbers is not None and len(numbers) == 4 * math.prod(shape):
        found = np.frombuffer(numbers, dtype=np.float32)
        if np.isfinite(found).all():
            return found.reshape(shape)
    made = np.ascontiguousarray(make(), dtype=np.float32)
    cache.put({name: made.tobytes()})
    return made


def _arrays(folder: str) -> DiskCache:
    if folder not in _OPEN:
        _OPEN[folder] = DiskCache(folder, "arrays.sqlite")
    return _OPEN[folder]


_OPEN: dict[str, DiskCache] = {}
