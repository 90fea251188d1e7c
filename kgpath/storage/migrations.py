"""The schema of a graph file, as numbered steps that are applied once and recorded in it.

A new step is appended, never edited: files in the wild have run the old ones. sqlite-utils
records the steps; it is imported only to write, because it loads pandas where it is installed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from kgpath.storage.connection import APPLICATION_ID

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations


_TABLES = """
CREATE TABLE entity (
    id INTEGER PRIMARY KEY,        -- dense from 0, in the order of the IRIs: indexes arrays
    iri TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    description TEXT NOT NULL,     -- one sentence, or empty
    degree INTEGER NOT NULL        -- edges that touch it, either way
);
CREATE TABLE name (                -- labels and aliases
    id INTEGER PRIMARY KEY,
    entity INTEGER NOT NULL REFERENCES entity(id),
    text TEXT NOT NULL,
    folded TEXT NOT NULL,          -- kgpath.lexicon.text.fold(text)
    lang TEXT NOT NULL,
    label INTEGER NOT NULL         -- 1: stated as a label, 0: as an alias, 2: made from the IRI
);
CREATE TABLE relation (
    id INTEGER PRIMARY KEY,
    iri TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    lang TEXT,                     -- of the label; NULL: it was made from the IRI
    edges INTEGER NOT NULL         -- 0: only a super-property of others
);
CREATE TABLE edge (
    head INTEGER NOT NULL REFERENCES entity(id),
    relation INTEGER NOT NULL REFERENCES relation(id),
    tail INTEGER NOT NULL REFERENCES entity(id),
    PRIMARY KEY (head, relation, tail)
) WITHOUT ROWID;
CREATE TABLE class (
    id INTEGER PRIMARY KEY,
    iri TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    lang TEXT,                     -- of the label; NULL: it was made from the IRI
    declared INTEGER NOT NULL,     -- 1: stated to be a class, 0: only used as one
    entities INTEGER NOT NULL      -- that have it directly
);
CREATE TABLE entity_type (
    entity INTEGER NOT NULL REFERENCES entity(id),
    class INTEGER NOT NULL REFERENCES class(id),
    PRIMARY KEY (entity, class)
) WITHOUT ROWID;
CREATE TABLE class_parent (
    child INTEGER NOT NULL REFERENCES class(id),
    parent INTEGER NOT NULL REFERENCES class(id),
    PRIMARY KEY (child, parent)
) WITHOUT ROWID;
CREATE TABLE relation_parent (
    child INTEGER NOT NULL REFERENCES relation(id),
    parent INTEGER NOT NULL REFERENCES relation(id),
    PRIMARY KEY (child, parent)
) WITHOUT ROWID;
CREATE TABLE passage (
    entity INTEGER NOT NULL REFERENCES entity(id),
    section INTEGER NOT NULL,      -- 0 is the introduction, -1 a comment stated beside it
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    lang TEXT NOT NULL,
    kind INTEGER NOT NULL,         -- stated as: COMMENT, ABSTRACT or PASSAGE of statements.py
    PRIMARY KEY (entity, section, position)
) WITHOUT ROWID;
CREATE TABLE prefix (name TEXT PRIMARY KEY, iri TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    action TEXT NOT NULL,          -- add or remove
    loaded_at TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    statements INTEGER NOT NULL,
    edges INTEGER NOT NULL,
    malformed INTEGER NOT NULL,
    left_out TEXT NOT NULL         -- JSON: reason -> count
);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

# Made after the rows are in: filling an index once is several times faster than keeping it.
_INDEXES = """
CREATE INDEX edge_tail ON edge (tail, relation, head);
CREATE INDEX name_folded ON name (folded, entity);
CREATE INDEX name_entity ON name (entity);
CREATE INDEX entity_type_class ON entity_type (class);
CREATE VIRTUAL TABLE name_fts USING fts5 (
    text, content='name', content_rowid='id', detail='none',
    tokenize="unicode61 remove_diacritics 2", prefix='2 3'
);
INSERT INTO name_fts (name_fts) VALUES ('rebuild');
"""


_STEPS = (_TABLES, _INDEXES)
# What another program, or sqlite-utils, may have added: a table or an index of plain columns.
# Without brackets inside there is no expression, no check and nothing that is generated.
_COLUMNS = r"\((?:[\w ,]|primary key ?\([\w ,]+\))+\)"
_PLAIN = re.compile(
    rf"create table (?P<table>\w+) ?{_COLUMNS}(?: without rowid)?"
    r"|create (?:unique )?index \w+ on (?P<of>\w+) ?\([\w ,]+\)"
)


def migrations() -> Migrations:
    """All steps, oldest first. The number of steps applied is a file's schema version."""
    from sqlite_utils import Migrations

    steps = Migrations("kgpath")

    @steps()
    def m001_tables(db: Database) -> None:
        _run(db.conn, _TABLES)

    @steps()
    def m002_indexes(db: Database) -> None:
        _run(db.conn, _INDEXES)

    return steps


def create_tables(connection: sqlite3.Connection) -> None:
    """Prepare an empty database for the rows of a graph."""
    from sqlite_utils import Database

    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrations().apply(Database(connection), stop_before="m002_indexes")


def upgrade(connection: sqlite3.Connection) -> None:
    """Apply the steps a database has not had yet."""
    from sqlite_utils import Database

    migrations().apply(Database(connection))


class _Object(NamedTuple):
    """A table, an index, a view or a trigger, as a schema states it."""

    kind: str
    table: str
    sql: str

    def is_plain(self, name: str) -> bool:
        """Whether it can do nothing but hold rows, in tables that are not ours."""
        if not self.sql:
            return name.startswith("sqlite_autoindex_")
        plain = _PLAIN.fullmatch(re.sub(r"[\"'`\[\]]", "", self.sql).lower())
        if plain is None or name.lower().startswith("sqlite_"):
            return False
        return (plain["table"] or plain["of"]) == self.table.lower()


def schema_problems(connection: sqlite3.Connection, version: int) -> Iterator[str]:
    """How the schema of a file differs from that of so many steps, a line each.

    Every table of ours has to be one, with our columns. Other plain tables may stay: no query of
    ours reads them. What could run by itself may not: views, triggers, expressions.
    """
    expected, found = _schema(version), _objects(connection)
    ours = {about.table for about in expected.values()}
    for name, about in expected.items():
        if name not in found:
            yield f"the {about.kind} {name} is missing"
        elif found[name] != about:
            yield f"{name} is not the {about.kind} that kgpath makes"
    for name, about in found.items():
        if name not in expected and (about.table in ours or not about.is_plain(name)):
            yield f"there is a {about.kind} {name}, which no graph file has"
    (encoding,) = connection.execute("PRAGMA encoding").fetchone()
    if encoding != "UTF-8":
        yield f"its texts are in {encoding}, not UTF-8"


@cache
def _schema(version: int) -> dict[str, _Object]:
    connection = sqlite3.connect(":memory:")
    try:
        for step in _STEPS[:version]:
            _run(connection, step)
        return _objects(connection)
    finally:
        connection.close()


def _objects(connection: sqlite3.Connection) -> dict[str, _Object]:
    rows = connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_master")
    return {
        str(name): _Object(str(kind), str(table), " ".join(str(sql or "").split()))
        for name, kind, table, sql in rows
    }


def _run(connection: sqlite3.Connection, script: str) -> None:
    # executescript would commit first and so leave the step's transaction.
    statement = ""
    for line in script.splitlines():
        statement += line.split("--")[0] + "\n"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
