"""Keys of the cache."""

from __future__ import annotations

from kgpath.io import cache


def test_a_key_tells_all_parts_apart() -> None:
    keys = {cache.key_of(*parts) for parts in ((), ("a",), ("a", ""), ("", "a"), (b"a",), (1,))}
    assert len(keys) == 6
    assert cache.key_of("a") == cache.key_of("a")
