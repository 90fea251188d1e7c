"""A graph file: one SQLite database, opened read-only, safe to read from several threads."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote
from weakref import WeakKeyDictionary

from kgpath.errors import BadStore
from kgpath.types import Entity, Relation, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


T = TypeVar("T")

APPLICATION_ID = 0x6B677068  # "kgph": lets file(1) and us tell a graph file from any SQLite file
#: What this kgpath writes and reads; a test holds it equal to the number of steps in migrations.
SCHEMA_VERSION = 2


class Store:
    """Read access to a graph file. ``db`` is this thread's connection: any SQL is welcome."""

    def __init__(self, path: str | Path, tracer: Callable[[str], object] | None = None) -> None:
        self.path = Path(path)
        self._tracer = tracer
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._file: tuple[int, int] | None = None
        self._refuse_unusable()

    @property
    def db(self) -> sqlite3.Connection:
        """The connection of the calling thread."""
        if self._closed:
            raise BadStore(f"{self.path} was closed; open it again with kgpath.open().")
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect_readonly(self.path)
            self._refuse_replaced()
            if self._tracer:
                connection.set_trace_callback(self._tracer)
            self._local.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection

    def close(self) -> None:
        """Close the connections of all threads."""
        self._closed = True
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    def one(self, sql: str, *parameters: Any) -> Any:
        """The first row of a query, or None."""
        return self.db.execute(sql, parameters).fetchone()

    def rows(self, sql: str, ids: Iterable[int] | Iterable[str]) -> sqlite3.Cursor:
        """The rows of a query that says ``IN ({ids})``, for any number of ids in any order."""
        # A statement that is always the same is prepared once; the ids come as one JSON list.
        statement = sql.replace("{ids}", "SELECT value FROM json_each(?)")
        return self.db.execute(statement, (json.dumps(sorted(set(ids)), default=int),))

    def meta(self, key: str) -> str:
        """A value of the file's own notes, such as ``fingerprint``."""
        row = self.one("SELECT value FROM meta WHERE key = ?", key)
        if row is None:
            raise BadStore(f"{self.path} has no {key}: it was not finished. Build it again.")
        return str(row[0])

    @property
    def fingerprint(self) -> str:
        """A hash of all that the graph says. It names folders: anything but a hash is refused."""
        found = self.meta("fingerprint")
        if not re.fullmatch(r"[0-9a-f]{64}", found):
            raise BadStore(
                f"{self.path} has a fingerprint that is none: the file is damaged, or was made to "
                "do harm. Build it again."
            )
        return found

    def sources(self) -> list[Source]:
        """What was loaded, in order."""
        rows = self.db.execute(
            "SELECT name, format, action, loaded_at, sha256, bytes, statements, edges,"
            " malformed, left_out FROM source ORDER BY id"
        )
        return [Source._make((*row[:9], json.loads(row[9]))) for row in rows]

    def entities(self, ids: Iterable[int]) -> dict[int, Entity]:
        """Entities by id, read in as few queries as possible."""
        rows = self.rows(
            "SELECT id, iri, label, description, degree FROM entity WHERE id IN ({ids})", ids
        )
        return {row[0]: Entity(*row) for row in rows}

    @cached_property
    def relations(self) -> list[Relation]:
        """Every relation, at the place of its id; also super-properties without edges."""
        rows = self.db.execute("SELECT id, iri, label, edges FROM relation ORDER BY id")
        return [Relation(*row) for row in rows]

    @cached_property
    def relation_ids(self) -> dict[str, int]:
        """The id of every relation, by its IRI."""
        return {relation.iri: relation.id for relation in self.relations}

    @cached_property
    def labelled_relations(self) -> NDArray[np.bool_]:
        """Whether the graph itself names each relation, at the place of its id."""
        import numpy as np

        rows = self.db.execute("SELECT lang IS NOT NULL FROM relation ORDER BY id")
        return np.array([bool(stated) for (stated,) in rows], dtype=np.bool_)

    def articles(self, entities: Sequence[int]) -> list[str]:
        """The text of each entity's article, or its label where it has none."""
        texts: dict[int, str] = {}
        for number, text in self.rows(
            "SELECT entity, text FROM passage WHERE entity IN ({ids})"
            " ORDER BY entity, section, position",
            entities,
        ):
            texts[number] = f"{texts[number]}\n{text}" if number in texts else text
        labels = self.entities(number for number in entities if number not in texts)
        return [texts.get(number) or labels[number].label for number in entities]

    def ids(self, iris: Iterable[str]) -> dict[str, int]:
        """The ids of the entities with these IRIs; those that are not there are left out."""
        return dict(self.rows("SELECT iri, id FROM entity WHERE iri IN ({ids})", iris).fetchall())

    def prefixes(self) -> list[tuple[str, str]]:
        """(prefix, namespace) pairs for writing IRIs short."""
        return self.db.execute("SELECT name, iri FROM prefix ORDER BY name").fetchall()

    def edges(self) -> NDArray[np.int32]:
        """All facts as an array of shape (edges, 3): head, relation, tail; sorted."""
        return read_edges(self.db)

    def _refuse_replaced(self) -> None:
        """A thread that comes later must not read another file than those before it."""
        now = self.path.stat()
        if self._file is None:
            self._file = now.st_dev, now.st_ino
        elif self._file != (now.st_dev, now.st_ino):
            raise BadStore(f"{self.path} was replaced while it was open. Open it again.")

    def _refuse_unusable(self) -> None:
        path = self.path
        if not path.exists():
            raise BadStore(f"There is no graph file {path}. Make one: kgpath build SRC -o {path}")
        if path.is_dir():
            raise BadStore(f"{path} is a folder, not a graph file.")
        try:
            version = schema_version(self.db)
        except sqlite3.DatabaseError as error:
            raise BadStore(
                f"{path} is not a graph file ({error}). Make one: kgpath build SRC -o film.kg"
            ) from error
        if version == 0:
            raise BadStore(f"{path} is a SQLite file, but not a graph file of kgpath.")
        if version > SCHEMA_VERSION:
            raise BadStore(
                f"{path} was written by a newer kgpath (schema {version}, this one reads up to "
                f"{SCHEMA_VERSION}): pip install --upgrade kgpath"
            )
        if version < SCHEMA_VERSION:
            raise BadStore(
                f"{path} was written by an older kgpath (schema {version}, now {SCHEMA_VERSION}): "
                f"kgpath check {path} --upgrade"
            )


class RowCache(Generic[T]):
    """What a table says of entities, read from the file but for those that were asked for lately.

    Most texts name some of the same. Threads may share it: at worst they read something twice.
    """

    def __init__(self, table: str, columns: str, values: Callable[..., Iterable[T]]) -> None:
        self._table, self._columns, self._values = table, columns, values
        self._known: WeakKeyDictionary[Store, dict[int, frozenset[T]]] = WeakKeyDictionary()

    def of(self, store: Store, entities: set[int], most: int = 1 << 16) -> dict[int, frozenset[T]]:
        """The values of all rows of each entity."""
        known = self._known.setdefault(store, {})
        # Another thread may empty it meanwhile, hence not "if entity in known".
        found = {e: values for e in entities if (values := known.get(e)) is not None}
        if len(found) < len(entities):
            unknown = entities.difference(found)
            read: dict[int, set[T]] = {entity: set() for entity in unknown}
            for entity, *row in store.rows(
                f"SELECT entity, {self._columns} FROM {self._table} WHERE entity IN ({{ids}})",
                unknown,
            ):
                read[entity].update(self._values(*row))
            new = {entity: frozenset(values) for entity, values in read.items()}
            if len(known) + len(new) > most:
                known.clear()
            known.update(new)
            found.update(new)
        return found


def connect_readonly(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, usable in a read-only folder."""
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    # Each thread has its own; close() may run in another thread, hence the False.
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def read_edges(connection: sqlite3.Connection) -> NDArray[np.int32]:
    """The edge table as an array of shape (edges, 3), sorted by head, relation, tail."""
    import numpy as np

    rows = connection.execute("SELECT head, relation, tail FROM edge ORDER BY 1, 2, 3")
    return np.fromiter(chain.from_iterable(rows), dtype=np.int32).reshape(-1, 3)


_CONTENT = (
    "SELECT iri, label, description FROM entity ORDER BY id",
    "SELECT entity, text, lang, label FROM name ORDER BY id",
    "SELECT iri, label FROM relation ORDER BY id",
    "SELECT iri, label, declared FROM class ORDER BY id",
    "SELECT entity, class FROM entity_type ORDER BY 1, 2",
    "SELECT child, parent FROM class_parent ORDER BY 1, 2",
    "SELECT child, parent FROM relation_parent ORDER BY 1, 2",
    "SELECT entity, section, position, text, lang, kind FROM passage ORDER BY 1, 2, 3",
)


def fingerprint(connection: sqlite3.Connection, edges: NDArray[np.int32]) -> str:
    """A hash of all that a graph says: equal facts give an equal fingerprint.

    Where, when and in which order they were loaded does not count.
    """
    digest = hashlib.sha256(edges.astype("<i4").tobytes())
    for query in _CONTENT:
        for block in _blocks(connection.execute(query)):
            digest.update(repr(block).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def _blocks(rows: sqlite3.Cursor, size: int = 4096) -> Iterator[Iterable[Any]]:
    while block := rows.fetchmany(size):
        yield block


def schema_version(connection: sqlite3.Connection) -> int:
    """How many steps a database has had; 0 if it is not a graph file."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        return 0
    query = "SELECT count(*) FROM _sqlite_migrations WHERE migration_set = 'kgpath'"
    try:
        return int(connection.execute(query).fetchone()[0])
    except sqlite3.OperationalError:
        return 0
