"""Does the full-text index of a graph file find what it should? One made anew tells."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kgpath.storage.connection import bounded, readonly_uri

_EXACT = ("config", "docsize")
_LAID_OUT = ("data", "idx")
_PREFIXES = (2, 3)  # letters: the lengths that have an index of their own


def fits_names(db: sqlite3.Connection, path: Path, steps: int) -> bool:
    """Whether every search for a word, or the first letters of one, finds the names that have it.

    Nearly always both are the same to the byte. Another version of SQLite may have laid it out
    otherwise: then both are asked for every word there is.
    """
    try:
        with _made_anew(db, path, steps) as anew:
            if any(_differs(anew, part) for part in _EXACT):
                return False
            return not any(_differs(anew, part) for part in _LAID_OUT) or _finds_same(db, anew)
    except sqlite3.DatabaseError:
        return False


@contextmanager
def _made_anew(db: sqlite3.Connection, path: Path, steps: int) -> Iterator[sqlite3.Connection]:
    """A database with the names and their index, and the graph file beside it as ``graph``."""
    query = "SELECT sql FROM sqlite_master WHERE name = 'name_fts'"
    (statement,) = db.execute(query).fetchone()
    anew = sqlite3.connect("file:", uri=True, isolation_level=None)  # a file that deletes itself
    try:
        with bounded(anew, steps):
            anew.execute("ATTACH ? AS graph", (readonly_uri(path),))
            anew.execute("CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT)")
            anew.execute("INSERT INTO name SELECT id, text FROM graph.name")
            anew.execute(statement)
            anew.execute("INSERT INTO name_fts (name_fts) VALUES ('rebuild')")
            yield anew
    finally:
        anew.close()


def _differs(anew: sqlite3.Connection, part: str) -> bool:
    rows = f"SELECT * FROM name_fts_{part}", f"SELECT * FROM graph.name_fts_{part}"
    return any(
        anew.execute(f"{one} EXCEPT {other} LIMIT 1").fetchone() is not None
        for one, other in (rows, rows[::-1])
    )


def _finds_same(db: sqlite3.Connection, anew: sqlite3.Connection) -> bool:
    words = _words(anew)
    if _words(db) != words:
        return False
    begins = {word[:length] for word, _ in words for length in _PREFIXES}
    searches = [f'"{begin}"*' for begin in sorted(begins)]
    searches += [f'"{word}"' for word, _ in words]
    return all(_found(db, search) == _found(anew, search) for search in searches)


def _words(db: sqlite3.Connection) -> list[Any]:
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab(main, name_fts, row)")
    return db.execute("SELECT term, doc FROM temp.term").fetchall()


def _found(db: sqlite3.Connection, search: str) -> list[Any]:
    query = "SELECT rowid FROM name_fts WHERE name_fts MATCH ? ORDER BY rowid"
    return db.execute(query, (search,)).fetchall()
