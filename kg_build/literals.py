"""Names and texts of a build, waiting in a temporary database until it is known what has them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_BATCH = 20_000  # texts
_MUCH = 8_000_000  # characters of paragraphs
_TABLES = """
CREATE TABLE literal (node INTEGER, kind INTEGER, rank INTEGER, lang TEXT, text TEXT);
CREATE TABLE article (number INTEGER PRIMARY KEY, node INTEGER, rank INTEGER, size INTEGER,
    digest BLOB, lang TEXT);
CREATE TABLE paragraph (article INTEGER, section INTEGER, position INTEGER, text TEXT);
"""
# Of several articles the most welcome language, then the longest, wins: whichever came first.
_BEST = (
    "SELECT number FROM article AS other WHERE other.node = article.node"
    " ORDER BY rank, size DESC, digest, number LIMIT 1"
)


@dataclass
class _Article:
    """The article whose paragraphs are coming in."""

    number: int
    node: int
    rank: int
    lang: str
    last: tuple[int, int]
    size: int = 0
    digest: hashlib.blake2b = field(default_factory=lambda: hashlib.blake2b(digest_size=16))


class Literals:
    """Texts by node, read back by the final number of what they are about."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)  # a file that deletes itself
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA cache_size = -100000")  # 100 MB, then it goes to disk
        self._db.executescript(_TABLES)
        self._literals: list[tuple[int, int, int, str, str]] = []
        self._paragraphs: list[tuple[int, int, int, str]] = []
        self._waiting = 0
        self._article: _Article | None = None
        self._articles = 0

    def close(self) -> None:
        self._db.close()

    def add(self, node: int, kind: int, rank: int, lang: str, text: str) -> None:
        """Keep a name or a text."""
        self._literals.append((node, kind, rank, lang, text))
        if len(self._literals) >= _BATCH:
            self._keep()

    def add_passage(
        self, node: int, rank: int, lang: str, section: int, position: int, text: str
    ) -> None:
        """Keep a paragraph; another node, or a place not after the last, begins a new article."""
        article = self._article
        place = section, position
        if article is None or article.node != node or place <= article.last:
            self.end_article()
            article = self._article = _Article(self._articles, node, rank, lang, place)
            self._articles += 1
        article.last = place
        article.size += len(text)
        article.digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        self._paragraphs.append((article.number, section, position, text))
        self._waiting += len(text)
        if len(self._paragraphs) >= _BATCH or self._waiting >= _MUCH:
            self._keep()

    def end_article(self) -> None:
        """What comes next is from another source."""
        if self._article:
            one, self._article = self._article, None
            self._db.execute(
                "INSERT INTO article VALUES (?, ?, ?, ?, ?, ?)",
                (one.number, one.node, one.rank, one.size, one.digest.digest(), one.lang),
            )

    def forget(self, gone: Iterable[tuple[int, str]]) -> None:
        """Drop the texts that are given with their node."""
        self.end_article()
        self._keep()
        self._db.execute("CREATE TEMP TABLE gone (node INTEGER, text TEXT)")
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO gone VALUES (?, ?)", gone)
        self._db.execute("CREATE INDEX gone_node ON gone (node)")
        self._db.execute(
            "DELETE FROM literal WHERE EXISTS"
            " (SELECT 1 FROM gone WHERE gone.node = literal.node AND gone.text = literal.text)"
        )
        self._db.execute(
            "DELETE FROM paragraph WHERE EXISTS (SELECT 1 FROM gone JOIN article USING (node)"
            " WHERE article.number = paragraph.article AND gone.text = paragraph.text)"
        )
        self._db.execute("COMMIT")
        self._db.execute("DROP TABLE gone")

    def number(self, of: str, ids: NDArray[np.int64]) -> None:
        """Say which nodes are an ``entity``, ``class`` or ``relation``: the id, or -1, of each."""
        chosen = np.flatnonzero(ids >= 0)
        self._db.execute("BEGIN")
        self._db.execute(f"CREATE TABLE {of}_id (node INTEGER PRIMARY KEY, id INTEGER)")
        self._db.executemany(
            f"INSERT INTO {of}_id VALUES (?, ?)",
            zip(chosen.tolist(), ids[chosen].tolist(), strict=True),
        )
        self._db.execute("COMMIT")

    def texts(self, of: str, kinds: tuple[int, ...]) -> Iterator[tuple[int, int, int, str, str]]:
        """(id, kind, language rank, language, text) by id and then by worth; after number()."""
        self._keep()
        yield from self._db.execute(
            "SELECT DISTINCT id, kind, rank, lang, text FROM literal"
            f" JOIN {of}_id USING (node) WHERE kind IN ({','.join(map(str, kinds))})"
            " ORDER BY id, kind, rank, length(text), text, lang"
        )

    def passages(self) -> Iterator[tuple[int, int, int, str, str]]:
        """(id, section, position, language, paragraph) of each entity's article, in order."""
        self.end_article()
        self._keep()
        self._db.execute("CREATE INDEX IF NOT EXISTS article_node ON article (node)")
        self._db.execute("CREATE INDEX IF NOT EXISTS paragraph_of ON paragraph (article)")
        # Article by article: sorting all texts at once would hold many of them in memory.
        chosen = self._db.execute(
            "SELECT id, number, lang FROM entity_id JOIN article USING (node)"
            f" WHERE number = ({_BEST}) ORDER BY id"
        )
        for number, article, lang in chosen:
            for section, position, text in self._db.execute(
                "SELECT section, position, text FROM paragraph WHERE article = ? ORDER BY 1, 2",
                (article,),
            ):
                yield number, section, position, lang, text

    def _keep(self) -> None:
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO literal VALUES (?, ?, ?, ?, ?)", self._literals)
        self._db.executemany("INSERT INTO paragraph VALUES (?, ?, ?, ?)", self._paragraphs)
        self._db.execute("COMMIT")
        self._literals.clear()
        self._paragraphs.clear()
        self._waiting = 0
