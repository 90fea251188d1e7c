"""Answers of an endpoint, cached on disk by their query, so that nothing is asked twice.

An answer is written beside its place and renamed: a killed process leaves whole answers only.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import zlib
from pathlib import Path
from typing import NamedTuple

from kgpath.errors import NotWritable
from kgpath.io.atomic import write_whole
from kgpath.io.cache import cache_folder
from kgpath.io.plain_data import from_json

MOST_BYTES = 1 << 26  # 64 MB unpacked: a page has some
_FORM = b"kgpath page 1\n"  # of a page on disk; another number, and none is taken for another


class Reply(NamedTuple):
    """What an endpoint answered: its media type and the body, unpacked."""

    media_type: str
    body: bytes


class PageCache:
    """The cached answers of one endpoint."""

    def __init__(self, endpoint: str) -> None:
        name = hashlib.blake2b(endpoint.encode("utf-8", "surrogatepass"), digest_size=8)
        self.folder = cache_folder() / "sparql" / name.hexdigest()

    def get(self, query: str) -> Reply | None:
        """The answer to a query. An empty media type stands for: it was too much to ask."""
        try:
            with gzip.open(self._place(query), "rb") as file:
                if file.readline(100) != _FORM:
                    return None
                media_type = str(from_json(file.readline(10_000)))
                body = file.read(MOST_BYTES + 1)
                return Reply(media_type, body) if len(body) <= MOST_BYTES else None
        except (OSError, EOFError, ValueError, zlib.error):
            return None  # not there, or damaged by a crash of the machine

    def put(self, query: str, reply: Reply) -> None:
        """Write an answer."""
        place = self._place(query)
        content = _FORM + json.dumps(reply.media_type).encode() + b"\n" + reply.body
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, gzip.compress(content, 1, mtime=0))
        except OSError as error:
            raise NotWritable(
                f"Cannot cache the answers of the endpoint in {self.folder}: {error.strerror}. "
                "Choose another place: KGPATH_CACHE=/some/folder kgpath …"
            ) from error

    def clear(self) -> None:
        """Drop all answers of this endpoint."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _place(self, query: str) -> Path:
        key = hashlib.blake2b(query.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return self.folder / key[:2] / key
