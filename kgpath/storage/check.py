"""Is a graph file sound? Its schema, SQLite's own test, every value, counts, hashes and searches.

A file that passes holds what a build could have written: whatever reads it may count on types, on
ids that index arrays, and on texts that can be decoded.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from kgpath.errors import BadStore
from kgpath.io.progress import Progress, silent
from kgpath.lexicon.text import fold
from kgpath.storage import statements as st
from kgpath.storage.connection import bounded, schema_version
from kgpath.storage.fingerprint import checksum, fingerprint, is_hash, read_edges
from kgpath.storage.full_text import fits_names
from kgpath.storage.index import Index, find_index
from kgpath.storage.migrations import schema_problems
from kgpath.storage.store import Store

_TEXT, _WORDS, _NUMBER, _FLAG = "text", "text with words", "whole number", "yes or no"
_TEXT_OR_NULL, _NAME_KIND, _TEXT_KIND = "text or NULL", "kind of name", "kind of text"
_WHOLE = "typeof({0}) = 'integer'"
_CONDITIONS = {
    _TEXT: "typeof({0}) = 'text'",
    _WORDS: "typeof({0}) = 'text' AND {0} <> ''",
    _TEXT_OR_NULL: "typeof({0}) IN ('text', 'null')",
    _NUMBER: _WHOLE,
    _FLAG: _WHOLE + " AND {0} IN (0, 1)",
    _NAME_KIND: _WHOLE + f" AND {{0}} IN {(st.IS_ALIAS, st.IS_LABEL, st.FROM_IRI, st.IS_TITLE)}",
    _TEXT_KIND: _WHOLE + f" AND {{0}} IN {(st.COMMENT, st.ABSTRACT, st.PASSAGE)}",
}
#: What every column holds; the name of a table stands for the ids of its rows.
_COLUMNS = {
    "entity": {"iri": _TEXT, "label": _TEXT, "description": _TEXT, "degree": _NUMBER},
    "relation": {"iri": _TEXT, "label": _TEXT, "lang": _TEXT_OR_NULL, "edges": _NUMBER},
    "class": {
        "iri": _TEXT, "label": _TEXT, "lang": _TEXT_OR_NULL, "declared": _FLAG, "entities": _NUMBER,
    },
    "edge": {"head": "entity", "relation": "relation", "tail": "entity"},
    "name": {
        "entity": "entity", "text": _WORDS, "folded": _TEXT, "lang": _TEXT, "label": _NAME_KIND,
    },
    "passage": {
        "entity": "entity", "section": _NUMBER, "position": _NUMBER, "text": _TEXT, "lang": _TEXT,
        "kind": _TEXT_KIND,
    },
    "entity_type": {"entity": "entity", "class": "class"},
    "class_parent": {"child": "class", "parent": "class"},
    "relation_parent": {"child": "relation", "parent": "relation"},
    "prefix": {"name": _TEXT, "iri": _TEXT},
    "source": {
        "name": _TEXT, "format": _TEXT, "action": _TEXT, "loaded_at": _TEXT, "sha256": _TEXT,
        "bytes": _NUMBER, "statements": _NUMBER, "edges": _NUMBER, "malformed": _NUMBER,
        "left_out": _TEXT,
    },
    "meta": {"key": _TEXT, "value": _TEXT},
}  # fmt: skip
# Hop codes, two for each relation, are 32-bit numbers as ids are.
_MOST_ROWS = 1 << 30
#: Steps of SQLite's machine that all checks may take: many times what those of a sound file do.
STEPS, STEPS_PER_BYTE = 10_000_000, 8
_CHANGED = "the content does not fit its {}: it was changed by another program"

Look: TypeAlias = Callable[[sqlite3.Connection], Iterator[str]]


def problems(store: Store, progress: Progress = silent) -> Generator[str, None, None]:
    """Everything that is wrong with a graph file, a line each; nothing if it is sound.

    ``progress`` hears what is looked at, how far it is, and how far it goes.
    """
    looks = _looks(store.path)
    looks["the index"] = partial(_index, store.path)
    return _problems(store.db, store.path, looks, progress)


def quick_problems(db: sqlite3.Connection, path: Path) -> Generator[str, None, None]:
    """What is wrong with the schema and, by SQLite's own quick test, with the database."""
    return _problems(db, path, {"the database": _quick_check})


def refuse_unsound(store: Store) -> None:
    """Raise BadStore if anything is wrong with a graph file; its index is not looked at."""
    refuse_any(_problems(store.db, store.path, _looks(store.path)), store.path)


def refuse_any(found: Generator[str, None, None], path: Path) -> None:
    """Raise BadStore with the first problem of a graph file, if there is one."""
    with closing(found):
        problem = next(found, None)
    if problem is not None:
        raise BadStore(
            f"{path} cannot be used: {problem}. Build it again, or get it again from where it came "
            f"from. What else is wrong: kgpath check {path}"
        )


def index_is_fresh(store: Store) -> bool:
    """Whether the arrays of exactly this content are on disk."""
    return find_index(store.path, store.fingerprint) is not None


def _looks(path: Path) -> dict[str, Look]:
    return {
        "the database": _integrity_check,
        "values": _values,
        "counts": _counts,
        "notes": _notes,
        "names": _folded,
        "content": _content,
        "searches": partial(_search, path),
    }


def _problems(
    db: sqlite3.Connection, path: Path, looks: Mapping[str, Look], progress: Progress = silent
) -> Generator[str, None, None]:
    try:
        with bounded(db, _steps(path)):
            found = list(schema_problems(db, schema_version(db)))
        yield from found
        if found:
            return  # whatever reads a view instead of a table may never end
        with bounded(db, _steps(path)):
            for number, (what, look) in enumerate(looks.items()):
                progress(f"checking {what}", number, len(looks))
                yield from look(db)
    except sqlite3.DatabaseError as error:
        yield f"SQLite: {str(error)[:200]}"


def _steps(path: Path) -> int:
    return STEPS + STEPS_PER_BYTE * path.stat().st_size


def _integrity_check(db: sqlite3.Connection) -> Iterator[str]:
    return _tested(db, "PRAGMA integrity_check")


def _quick_check(db: sqlite3.Connection) -> Iterator[str]:
    return _tested(db, "PRAGMA quick_check")


def _tested(db: sqlite3.Connection, test: str) -> Iterator[str]:
    for (line,) in db.execute(test):
        if line != "ok":
            yield f"SQLite: {line}"


def _values(db: sqlite3.Connection) -> Iterator[str]:
    """Types, references, and ids without gaps."""
    known = dict(_CONDITIONS)
    for table in ("entity", "relation", "class"):
        count, least, most = _one(db, f"SELECT count(*), min(id), max(id) FROM {table}")
        known[table] = f"{_WHOLE} AND {{0}} BETWEEN 0 AND {count - 1}"
        if count > _MOST_ROWS:
            yield f"there are more than {_MOST_ROWS:,} rows of {table}"
        if count and (least, most) != (0, count - 1):
            yield f"the ids of {table} do not run from 0 to {count - 1}"
    for table, columns in _COLUMNS.items():
        wrong = [f"sum(NOT ({known[kind].format(column)}))" for column, kind in columns.items()]
        counts = _one(db, f"SELECT {', '.join(wrong)} FROM {table}")
        for (column, kind), count in zip(columns.items(), counts, strict=True):
            if count:
                yield f"{count:,} rows of {table} have a {column} that is no {kind}"


def _counts(db: sqlite3.Connection) -> Iterator[str]:
    if not _one(db, "SELECT count(*) FROM edge")[0]:
        yield "it holds no edge"
    (wrong,) = _one(
        db,
        "SELECT count(*) FROM entity WHERE degree !="
        " (SELECT count(*) FROM edge WHERE head = entity.id)"
        " + (SELECT count(*) FROM edge WHERE tail = entity.id)",
    )
    if wrong:
        yield f"{wrong:,} entities have a wrong degree"
    for table, column, counted, by in (
        ("relation", "edges", "edge", "relation"),
        ("class", "entities", "entity_type", "class"),
    ):
        (wrong,) = _one(
            db,
            f"SELECT count(*) FROM {table} LEFT JOIN"
            f" (SELECT {by} AS counted_id, count(*) AS n FROM {counted} GROUP BY 1)"
            f" ON counted_id = id WHERE {column} != coalesce(n, 0)",
        )
        if wrong:
            yield f"{wrong:,} rows of {table} have a wrong count of {column}"


def _notes(db: sqlite3.Connection) -> Iterator[str]:
    """What the file says of itself and of its sources."""
    notes = dict(db.execute("SELECT key, value FROM meta"))
    for key in ("fingerprint", "languages"):
        if key not in notes:
            yield f"it has no {key}, so it was not finished"
    if not is_hash(notes.get("fingerprint", "")):
        yield "it has a fingerprint that is none"
    for (text,) in db.execute("SELECT left_out FROM source"):
        if not _are_counts(text):
            yield "a source does not say how much of it was left out"


def _are_counts(text: Any) -> bool:
    try:
        counts = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return False
    return isinstance(counts, dict) and all(type(count) is int for count in counts.values())


def _folded(db: sqlite3.Connection) -> Iterator[str]:
    # Python's tables for other letters grow from version to version; those for ASCII do not.
    rows = db.execute("SELECT text, folded FROM name WHERE typeof(text) = 'text'")
    wrong = sum(text.isascii() and fold(text) != folded for text, folded in rows)
    if wrong:
        yield f"{wrong:,} names are not folded as they should be"


def _content(db: sqlite3.Connection) -> Iterator[str]:
    notes = dict(db.execute("SELECT key, value FROM meta"))
    try:
        edges = read_edges(db)
    except (OverflowError, ValueError, TypeError):
        return  # ids that no array can hold; said above
    if fingerprint(db, edges) != notes.get("fingerprint"):
        yield _CHANGED.format("fingerprint")
    found = checksum(db)
    if found != notes.get("checksum", found):  # older files have none
        yield _CHANGED.format("checksum")


def _search(path: Path, db: sqlite3.Connection) -> Iterator[str]:
    if not fits_names(db, path, _steps(path)):
        yield "the full-text search does not fit the names"


def _index(path: Path, db: sqlite3.Connection) -> Iterator[str]:
    (key,) = _one(db, "SELECT value FROM meta WHERE key = 'fingerprint'") or ("",)
    index = find_index(path, key) if is_hash(key) else None
    try:
        fits = index is None or index.equals(Index.from_store(db))
    except (OverflowError, ValueError, TypeError, IndexError):
        return  # values that no array can hold; said above
    if not fits:
        yield f"the index does not fit the content: delete {path}.index"


def _one(db: sqlite3.Connection, query: str) -> Any:
    return db.execute(query).fetchone()
