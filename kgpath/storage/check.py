"""Is a graph file sound? SQLite's own test, ids that point nowhere, counts, and the index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from kgpath.io.progress import Progress, silent
from kgpath.storage.index import Index, find_index
from kgpath.storage.store import Store, fingerprint

_REFERENCES = (
    ("edge", "head", "entity"),
    ("edge", "tail", "entity"),
    ("edge", "relation", "relation"),
    ("name", "entity", "entity"),
    ("passage", "entity", "entity"),
    ("entity_type", "entity", "entity"),
    ("entity_type", "class", "class"),
    ("class_parent", "child", "class"),
    ("class_parent", "parent", "class"),
    ("relation_parent", "child", "relation"),
    ("relation_parent", "parent", "relation"),
)


def problems(store: Store, progress: Progress = silent) -> Iterator[str]:
    """Everything that is wrong with a graph file, a line each; nothing if it is sound.

    ``progress`` hears what is looked at, how far it is, and how far it goes.
    """
    looks = {
        "the database": _integrity,
        "references": _dangling,
        "counts": _counts,
        "content and index": _content,
    }
    try:
        for number, (what, look) in enumerate(looks.items()):
            progress(f"checking {what}", number, len(looks))
            yield from look(store)
    except sqlite3.DatabaseError as error:
        yield f"SQLite: {error}"


def index_is_fresh(store: Store) -> bool:
    """Whether the arrays of exactly this content are on disk."""
    return find_index(store.path, store.fingerprint) is not None


def _integrity(store: Store) -> Iterator[str]:
    for (line,) in store.db.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield f"SQLite: {line}"


def _dangling(store: Store) -> Iterator[str]:
    for table, column, target in _REFERENCES:
        (count,) = store.one(
            f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM {target})"
        )
        if count:
            yield f"{count:,} rows of {table} have a {column} that is no {target}"
    for table in ("entity", "relation", "class"):
        count, least, most = store.one(f"SELECT count(*), min(id), max(id) FROM {table}")
        if count and (least, most) != (0, count - 1):
            yield f"the ids of {table} do not run from 0 to {count - 1}"


def _counts(store: Store) -> Iterator[str]:
    (wrong,) = store.one(
        "SELECT count(*) FROM entity WHERE degree !="
        " (SELECT count(*) FROM edge WHERE head = entity.id)"
        " + (SELECT count(*) FROM edge WHERE tail = entity.id)"
    )
    if wrong:
        yield f"{wrong:,} entities have a wrong degree"
    for table, column, counted, by in (
        ("relation", "edges", "edge", "relation"),
        ("class", "entities", "entity_type", "class"),
    ):
        (wrong,) = store.one(
            f"SELECT count(*) FROM {table} LEFT JOIN"
            f" (SELECT {by} AS counted_id, count(*) AS n FROM {counted} GROUP BY 1)"
            f" ON counted_id = id WHERE {column} != coalesce(n, 0)"
        )
        if wrong:
            yield f"{wrong:,} rows of {table} have a wrong count of {column}"


def _content(store: Store) -> Iterator[str]:
    try:
        edges = store.edges()
    except (OverflowError, ValueError):
        return  # ids that no array can hold; said above
    if fingerprint(store.db, edges) != store.fingerprint:
        yield "the content does not fit its fingerprint: it was changed by another program"
    index = find_index(store.path, store.fingerprint)
    if index is not None:
        expected = Index.from_store(store.db, edges)
        if not index.equals(expected):
            yield f"the index does not fit the content: delete {store.path}.index"
