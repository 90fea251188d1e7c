"""A graph file: one SQLite database, opened read-only, safe to read from several threads."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from kgpath.errors import BadStore
from kgpath.io.known_files import FileMark
from kgpath.io.progress import note
from kgpath.storage.connection import connect_readonly, schema_version
from kgpath.storage.fingerprint import is_hash, read_edges
from kgpath.types import Entity, Relation, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


T = TypeVar("T")

#: What this kgpath writes and reads; a test holds it equal to the number of steps in migrations.
SCHEMA_VERSION = 2
#: Raised whenever the checks find more than before: then every file is checked once again.
CHECKS = 1
_WORTH_A_NOTE = 8 << 20  # bytes: a smaller file is checked before anybody could wonder


class Store:
    """Read access to a graph file. ``db`` is this thread's connection: any SQL is welcome.

    A file that this user's kgpath neither wrote nor checked is checked first, once, and refused if
    it is not sound; with ``checked=False`` it is opened as it is, to look for what is wrong.
    """

    def __init__(
        self,
        path: str | Path,
        tracer: Callable[[str], object] | None = None,
        *,
        checked: bool = True,
    ) -> None:
        self.path = Path(path)
        self._tracer = tracer
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._file: tuple[int, ...] | None = None
        try:
            self._refuse_unusable()
            if checked:
                self._refuse_unsound()
        except BaseException:
            self.close()
            raise

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
        if not is_hash(found):
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
        now = _version_of(self.path.stat())
        if self._file is None:
            self._file = now
        elif self._file != now:
            raise BadStore(f"{self.path} was replaced while it was open. Open it again.")

    def _refuse_unusable(self) -> None:
        path = self.path
        if not path.exists():
            raise BadStore(f"There is no graph file {path}. Make one: kgpath build SRC -o {path}")
        if not path.is_file():
            what = "a folder" if path.is_dir() else "no regular file"
            raise BadStore(f"{path} is {what}, not a graph file.")
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

    def _refuse_unsound(self) -> None:
        mark = graph_mark(self.path)
        if mark.is_known():
            return
        # Only now: the checks take numpy, which a look at a known file does not need.
        from kgpath.storage.check import refuse_unsound

        if self.path.stat().st_size > _WORTH_A_NOTE:
            note(f"checking {self.path.name} (once)")
        refuse_unsound(self)
        self.remember(mark)

    def remember(self, mark: FileMark) -> None:
        """Know the file from now on: it was found sound, and is still the one of this mark."""
        with suppress(OSError):
            if graph_mark(self.path) == mark:
                mark.remember()


def graph_mark(path: Path) -> FileMark:
    """Stands for a graph file as it is now."""
    file = path.resolve()
    return FileMark.of([file], file, "graph file", CHECKS)


def remember_written(path: Path, written: os.stat_result) -> None:
    """Know a graph file that kgpath wrote: ``written`` is how it was before it came to ``path``."""
    with suppress(OSError):
        if _version_of(path.stat()) == _version_of(written):
            graph_mark(path).remember()


def _version_of(state: os.stat_result) -> tuple[int, ...]:
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


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
