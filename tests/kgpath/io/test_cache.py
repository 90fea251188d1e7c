"""Keys of the cache."""

from __future__ import annotations

from kgpath.io import cache


def test_a_key_tells_all_parts_and_the_program_apart(monkeypatch) -> None:
    keys = {cache.key_of(*parts) for parts in ((), ("a",), ("a", ""), ("", "a"), (b"a",), (1,))}
    assert len(keys) == 6
    before = cache.key_of("a")
    assert cache.key_of("a") == before
    monkeypatch.setattr(cache, "_program", lambda: b"another version")
    assert cache.key_of("a") != before
