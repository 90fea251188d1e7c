"""Graph files: bytes of pages flipped, rows changed by SQL, views where tables were."""

from __future__ import annotations

import sqlite3
from random import Random

from fuzz.mutators import raw

_VALUES = (
    "NULL", "''", "-1", "0", "1", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
    "1.5", "1e308", "x'00ff'", "zeroblob(3)", "'a'||char(0)||'b'", "char(27)||'[31mred'",
    "char(8238)||'abc'", "CAST(x'eda080' AS TEXT)", "CAST(x'ff' AS TEXT)", "'..'", "'/tmp'",
    "hex(randomblob(32))", "printf('%.*c', 100000, 'x')", "'[bold]x[/]'", "'http://example.org/x'",
)  # fmt: skip
_ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r) SELECT"


def mutated(rng: Random, data: bytes) -> bytes:
    """A change to the bytes of the file, or one to three by statements."""
    match rng.randrange(8):
        case 0:
            return raw.mutated(rng, data)
        case 1:
            return _bytes_at(rng, data, 0, 100)
        case 2 | 3:
            size = _page_size(data)
            page = rng.randrange(max(1, len(data) // size)) * size
            return _bytes_at(rng, data, page, page + rng.choice((12, 40, size)))
        case _:
            return _by_statements(rng, data)


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    return 65536 if size == 1 else size or 4096


def _bytes_at(rng: Random, data: bytes, begin: int, end: int) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 6))):
        at = rng.randrange(begin, min(end, len(changed)))
        changed[at] = rng.choice(
            (changed[at] ^ (1 << rng.randrange(8)), 0, 0xFF, rng.randrange(256))
        )
    return bytes(changed)


def _by_statements(rng: Random, data: bytes) -> bytes:
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(data)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            for _ in range(5):  # until one is possible
                try:
                    db.executescript(statement(rng, db))
                    break
                except sqlite3.Error:
                    continue
        return db.serialize()
    finally:
        db.close()


def statement(rng: Random, db: sqlite3.Connection) -> str:
    """Some SQL that does harm to a graph file."""
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    table = rng.choice(tables)
    columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')] or ["rowid"]
    column = rng.choice(columns)
    value = rng.choice(_VALUES)
    count = db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] if table else 0
    some = f"ORDER BY 1 LIMIT 1 OFFSET {rng.randrange(max(1, count))}"
    match rng.randrange(12):
        case 0 | 1 | 2:
            where = f'"{column}" = (SELECT "{column}" FROM "{table}" {some})'
            return f'UPDATE OR REPLACE "{table}" SET "{column}" = {value} WHERE {where}'
        case 3:
            return f'UPDATE OR IGNORE "{table}" SET "{column}" = {value}'
        case 4:
            where = f'"{column}" = (SELECT "{column}" FROM "{table}" {some})'
            return f'DELETE FROM "{table}" WHERE {where}'
        case 5:
            given = ", ".join(rng.choice(_VALUES) for _ in columns)
            return f'INSERT OR REPLACE INTO "{table}" VALUES ({given})'
        case 6:
            key = rng.choice(("fingerprint", "built_with", "languages"))
            return f"UPDATE meta SET value = {value} WHERE key = '{key}'"
        case 7:
            return _view(rng, table, columns)
        case 8:
            return f'CREATE TRIGGER t AFTER INSERT ON "{table}" BEGIN DELETE FROM edge; END'
        case 9:
            names = [name for (name,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('index', 'table')")]  # fmt: skip
            name = rng.choice(names)
            return rng.choice(
                (
                    f'DROP INDEX "{name}"',
                    f'DROP TABLE "{name}"',
                    f'ALTER TABLE "{table}" ADD COLUMN extra DEFAULT 7',
                    f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO other',
                )
            )
        case 10:
            pragma = rng.choice(("application_id", "user_version"))
            return f"PRAGMA {pragma} = {rng.randrange(2**31)}"
        case _:
            one = f'(SELECT "{column}" FROM "{table}" ORDER BY random() LIMIT 1)'
            return f'UPDATE OR IGNORE "{table}" SET "{column}" = {one} WHERE rowid % 7 = 3'


def _view(rng: Random, table: str, columns: list[str]) -> str:
    """A view of the table's name, over what was the table, or without an end."""
    names = ", ".join(f'"{column}"' for column in columns)
    hidden = f"{table}_hidden"
    body = rng.choice(
        (
            f'SELECT {names} FROM "{hidden}"',
            f"{_ENDLESS} {', '.join(f'n AS {chr(34)}{c}{chr(34)}' for c in columns)} FROM r",
            f'SELECT a.* FROM "{hidden}" a, "{hidden}" b, "{hidden}" c',
        )
    )
    return f'ALTER TABLE "{table}" RENAME TO "{hidden}"; CREATE VIEW "{table}" AS {body};'
