"""Connections to a graph file that cannot write it, and to which it can do no harm.

Whoever wrote the file wrote its schema too: a view instead of a table can run for ever, a cell can
claim to be larger than its page, and a journal beside the file can replace what it says.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

APPLICATION_ID = 0x6B677068  # "kgph": lets file(1) and us tell a graph file from any SQLite file
#: The longest text or row, in bytes.
LONGEST = 1 << 28
_SAFE = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0"
_DEFENSIVE = "SQLITE_DBCONFIG_DEFENSIVE"
_FEW_STEPS = 1_000_000


def connect_readonly(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, usable in a read-only folder.

    A graph file is never changed in its place, only replaced: so no lock is needed, and a journal
    that lies beside it is none of ours.
    """
    # Each thread has its own; close() may run in another thread, hence the False.
    return made_safe(sqlite3.connect(readonly_uri(path), uri=True, check_same_thread=False))


def readonly_uri(path: Path) -> str:
    """How SQLite calls a file that it may only read, whatever bytes are in its name."""
    return f"file:{quote(os.fsencode(path.absolute()))}?mode=ro&immutable=1"


def made_safe(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The same connection, to which the file's own schema can do no harm."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    if hasattr(connection, "setconfig"):  # from Python 3.12 on
        connection.setconfig(getattr(sqlite3, _DEFENSIVE), True)
    for pragma in _SAFE.split(";"):
        connection.execute(pragma)
    return connection


@contextmanager
def bounded(connection: sqlite3.Connection, steps: int) -> Iterator[None]:
    """Within the block, whatever takes more steps of SQLite's machine fails: "interrupted"."""
    every = 10_000
    left = max(1, steps // every)

    def spent() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(spent, every)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def schema_version(connection: sqlite3.Connection) -> int:
    """How many steps a database has had; 0 if it is not a graph file."""
    with bounded(connection, _FEW_STEPS):
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            return 0
        query = "SELECT count(*) FROM _sqlite_migrations WHERE migration_set = 'kgpath'"
        try:
            return int(connection.execute(query).fetchone()[0])
        except sqlite3.OperationalError:
            return 0
