"""What lies in the cache folder, kind by kind: counted, and deleted without harm to others."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgpath.errors import BadOption, NotWritable, UnknownName
from kgpath.io.known_files import PLACE
from kgpath.io.lock import lock

# Names that kgpath gives: hashes, and folders on their way to one. Nothing else is deleted.
_OWN = re.compile(r"[0-9a-f]{8,128}|\.[a-z0-9_]{8}|\.kgpath-building-[\w-]+")
_SQLITE = ("-wal", "-shm", "")  # the journal first: it must never meet a new database


@dataclass(frozen=True)
class CacheKind:
    """One kind of what is cached: a SQLite file, or a folder of folders."""

    name: str
    place: str
    line: str

    def entries(self, folder: Path) -> int:
        """How many there are."""
        if not self.is_file:
            return sum(path.suffix != ".lock" for path in self._own(folder))
        try:
            db = sqlite3.connect(f"{(folder / self.place).absolute().as_uri()}?mode=ro", uri=True)
        except sqlite3.Error:
            return 0
        try:
            return int(db.execute("SELECT count(*) FROM vector").fetchone()[0])
        except sqlite3.Error:  # damaged, or not there
            return 0
        finally:
            db.close()

    def size(self, folder: Path) -> int:
        """In bytes."""
        return sum(_size(path) for path in self._own(folder))

    def clear(self, folder: Path) -> int:
        """Delete all but what a running training is writing; how many were left for that."""
        locks = {path for path in self._own(folder) if path.suffix == ".lock"}
        busy = {path for path in locks if not _delete_locked(path)}
        in_training = {path.with_suffix("") for path in busy}
        for path in list(self._own(folder)):
            if path not in busy | in_training:
                _delete(path)
        return len(busy)

    @property
    def is_file(self) -> bool:
        return self.place.endswith(".sqlite")

    def _own(self, folder: Path) -> Iterator[Path]:
        place = folder / self.place
        if self.is_file:
            files = (place.with_name(place.name + ending) for ending in _SQLITE)
            yield from (file for file in files if file.is_file())
        elif place.is_dir():
            yield from (p for p in sorted(place.iterdir()) if _OWN.fullmatch(_stem(p)))


KINDS = (
    CacheKind("vectors", "vectors.sqlite", "sentence vectors, by encoder and text"),
    CacheKind("arrays", "arrays.sqlite", "vectors of entities in texts, and of paths"),
    CacheKind("words", "words", "files of word vectors, as they were read"),
    CacheKind("learned", "learned", "encoders that learned from a graph"),
    CacheKind("tuned", "tuned", "transformers tuned on a graph"),
    CacheKind("tuning", "tuning", "trainings of encoders that were interrupted"),
    CacheKind("index", "index", "indexes of graphs in folders that cannot be written"),
    CacheKind(PLACE, PLACE, "marks of graph files and indexes that were written or checked here"),
    CacheKind("sparql", "sparql", "answers of SPARQL endpoints, by endpoint"),
)


def kinds_named(names: list[str]) -> list[CacheKind]:
    """The kinds of these names, or all without any."""
    known = {kind.name: kind for kind in KINDS}
    for name in names:
        if name not in known:
            raise UnknownName(f"No kind {name!r} in the cache. Known: {', '.join(known)}.")
    return [known[name] for name in names] or list(KINDS)


def check_folder(folder: Path) -> None:
    """Refuse a file where the folder should be."""
    if folder.exists() and not folder.is_dir():
        raise BadOption(f"The cache cannot be in {folder}, which is a file: set KGPATH_CACHE.")


def _stem(path: Path) -> str:
    return path.name.removesuffix(".lock")


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    return sum(file.lstat().st_size for file in files if file.is_file())


def _delete_locked(path: Path) -> bool:
    """Delete a lock and what it is for; not if a running process holds it."""
    try:
        descriptor = lock(path)
    except OSError as error:
        raise NotWritable(f"Cannot delete {path}: {error.strerror}.") from error
    if descriptor is None:
        return False
    _delete(path.with_suffix(""))
    _delete(path)
    os.close(descriptor)
    return True


def _delete(path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except FileNotFoundError:  # by another process, meanwhile
        pass
    except OSError as error:
        raise NotWritable(f"Cannot delete {path}: {error.strerror}.") from error
