"""The body of an answer, read within limits: its size, its time, and whether it came whole."""

from __future__ import annotations

import time
import zlib
from typing import Any

from kgpath.errors import BadSource
from kgpath.kg_build.sparql.errors import TransientError
from kgpath.kg_build.sparql.page_cache import MOST_BYTES, Reply

_LONGEST = 600.0  # seconds for one answer, however it drips
_BLOCK = 1 << 16


def read_body(response: Any, url: str) -> Reply:
    """Read an open HTTP response."""
    headers = response.headers
    _refuse_partial(headers, url)
    packed = (headers.get("Content-Encoding") or "").strip().lower()
    if packed not in ("", "identity", "gzip", "x-gzip"):
        raise BadSource(f"{url} answers packed as {packed!r}, which we did not ask for.")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16) if "gzip" in packed else None
    begin, received, size = time.monotonic(), 0, 0
    parts: list[bytes] = []
    while block := response.read(_BLOCK):
        received += len(block)
        if unpack:
            try:
                block = unpack.decompress(block, MOST_BYTES + 1 - size)
            except zlib.error as error:
                raise TransientError(f"{url} sent a damaged answer ({error}).") from error
        size += len(block)
        parts.append(block)
        if size > MOST_BYTES or time.monotonic() - begin > _LONGEST:
            limit = f"{MOST_BYTES >> 20} MB" if size > MOST_BYTES else f"{_LONGEST:.0f} seconds"
            raise TransientError(f"An answer of {url} is over {limit}.", patience=-1, too_much=True)
    stated = headers.get("Content-Length", "")
    if (stated.isdecimal() and int(stated) != received) or (unpack and not unpack.eof):
        raise TransientError(f"{url} broke off in the middle of an answer.")
    media_type = (headers.get("Content-Type") or "").partition(";")[0].strip().lower()
    return Reply(media_type, b"".join(parts))


def _refuse_partial(headers: Any, url: str) -> None:
    """Virtuoso says in a header that its time was up and the answer is a part only."""
    state = headers.get("X-SQL-State") or ""
    if state:
        said = (headers.get("X-SQL-Message") or "").strip()[:200]
        raise TransientError(
            f"{url} gave a part of the answer only ({state} {said}).", patience=1, too_much=True
        )
