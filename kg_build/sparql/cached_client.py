"""A client whose answers are cached: each query is sent once, whatever happens in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from kgpath.errors import BadSource
from kgpath.kg_build.sparql.client import Client, Endpoint
from kgpath.kg_build.sparql.errors import ResultTooLarge
from kgpath.kg_build.sparql.page_cache import PageCache, Reply
from kgpath.kg_build.sparql.replies import (
    ROWS,
    STATEMENTS,
    Rows,
    Statements,
    rows_of,
    statements_of,
)

T = TypeVar("T")


class CachedClient:
    """An endpoint with a cache of its answers; ``hits`` counts those that needed no request."""

    def __init__(
        self, endpoint: Endpoint, *, refresh: bool = False, client: Client | None = None
    ) -> None:
        self.url = endpoint.url
        self.http = client or Client(endpoint)
        self.hits = 0
        self._cache = PageCache("\n".join((endpoint.url, endpoint.user, *endpoint.graphs)))
        if refresh:
            self._cache.clear()

    @property
    def folder(self) -> Path:
        """Where the answers are cached."""
        return self._cache.folder

    def rows(self, query: str) -> Rows:
        """The answer to a SELECT; ResultTooLarge where a smaller query may be answered."""
        return self._answer(query, ROWS, lambda reply: rows_of(reply, self.url))

    def statements(self, query: str) -> Statements:
        """The answer to a CONSTRUCT."""
        return self._answer(query, STATEMENTS, lambda reply: statements_of(reply, self.url))

    def number(self, query: str) -> int:
        """The one number that a query asks for."""
        rows = self.rows(query).rows
        value = rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else None
        text = getattr(value, "value", "")
        if not is_count(text):
            raise BadSource(f"{self.url} does not answer with a number when asked to count.")
        return int(text)

    def _answer(self, query: str, accept: str, read: Callable[[Reply], T]) -> T:
        cached = self._cache.get(query)
        if cached is not None:
            self.hits += 1
            if not cached.media_type:
                # It was too much before an interruption; to try again would change all that
                # follows, and with it what can be taken from the cache.
                raise ResultTooLarge(cached.body.decode("utf-8", "replace"))
            return read(cached)
        try:
            reply, made = self.http.ask(query, accept, read)
        except ResultTooLarge as error:
            self._cache.put(query, Reply("", error.said.encode("utf-8", "replace")))
            raise
        self._cache.put(query, reply)
        return made


def is_count(text: str) -> bool:
    """Whether a text is the number of something."""
    return text.isdecimal() and len(text) < 19
