"""Brings a graph file of an older kgpath up to date."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from kgpath.io.atomic import replacing
from kgpath.storage.check import quick_problems, refuse_any
from kgpath.storage.connection import connect_readonly, made_safe, schema_version
from kgpath.storage.migrations import upgrade
from kgpath.storage.store import SCHEMA_VERSION


def upgrade_file(path: str | Path) -> None:
    """Apply the missing schema steps to a copy that then takes the file's place."""
    path = Path(path)
    if not path.is_file():
        return  # opening it says so
    db = connect_readonly(path)
    try:
        version = schema_version(db)
        if not 0 < version < SCHEMA_VERSION:
            return  # nothing to do, or nothing we can do: opening it says so
        refuse_any(quick_problems(db, path), path)
    except sqlite3.DatabaseError:
        return
    finally:
        db.close()
    with replacing(path, given=True, database=True) as temporary:
        shutil.copyfile(path, temporary)
        copy = made_safe(sqlite3.connect(temporary, isolation_level=None))
        try:
            upgrade(copy)
        finally:
            copy.close()
