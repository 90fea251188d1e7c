"""Hashes of what a graph file says: all facts as an array, a hash of the graph, and of the rest."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
# The counts are not there: they can be counted.
_REST = (
    "SELECT folded FROM name ORDER BY id",
    "SELECT lang FROM relation ORDER BY id",
    "SELECT lang FROM class ORDER BY id",
    "SELECT name, iri FROM prefix ORDER BY 1",
    "SELECT * FROM source ORDER BY id",
    "SELECT key, value FROM meta WHERE key NOT IN ('fingerprint', 'checksum') ORDER BY 1",
)


def fingerprint(connection: sqlite3.Connection, edges: NDArray[np.int32]) -> str:
    """A hash of all that a graph says: equal facts give an equal fingerprint.

    Where, when and in which order they were loaded does not count.
    """
    return _hash_of(connection, _CONTENT, edges.astype("<i4").tobytes())


def checksum(connection: sqlite3.Connection) -> str:
    """A hash of what else stands in a graph file: tells whether another program changed that."""
    return _hash_of(connection, _REST)


def is_hash(text: object) -> bool:
    """Whether this is a fingerprint, and not a path or anything else that a file claims to be one.

    >>> is_hash("0" * 64), is_hash("../precious")
    (True, False)
    """
    return isinstance(text, str) and re.fullmatch(r"[0-9a-f]{64}", text) is not None


def _hash_of(connection: sqlite3.Connection, queries: Iterable[str], first: bytes = b"") -> str:
    digest = hashlib.sha256(first)
    for query in queries:
        for block in _blocks(connection.execute(query)):
            digest.update(repr(block).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def _blocks(rows: sqlite3.Cursor, size: int = 4096) -> Iterator[Iterable[Any]]:
    while block := rows.fetchmany(size):
        yield block
