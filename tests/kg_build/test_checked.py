"""Streams that a check has to pass before a parser sees them."""

from __future__ import annotations

import io

import pytest

from kgpath.errors import BadSource
from kgpath.kg_build.checked import PARSER_GIVES_UP, checked


class Endless(io.RawIOBase):
    """A text that never comes to an end."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        buffer[:] = b"x" * len(buffer)
        return len(buffer)


def test_only_what_a_check_has_found_good_is_handed_on() -> None:
    seen: list[tuple[bytes, bool]] = []

    def check(data: bytes, ended: bool) -> int:
        seen.append((data, ended))
        return len(data) if ended else data.rfind(b"\n") + 1

    assert checked(io.BytesIO(b"a\nb\nc"), check, "x").read() == b"a\nb\nc"
    assert seen == [(b"a\nb\nc", False), (b"c", True)]


def test_what_waits_longer_than_a_parser_would_is_not_checked_for_ever() -> None:
    looked = 0

    def check(data: bytes, ended: bool) -> int:
        nonlocal looked
        looked += len(data)
        return 0

    with pytest.raises(BadSource) as refused:
        checked(io.BufferedReader(Endless()), check, "open.ttl").read()
    assert str(refused.value) == "open.ttl cannot be read: a statement is over 16 MB."
    assert looked < 10 * PARSER_GIVES_UP
