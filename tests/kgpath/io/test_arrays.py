"""Hashes of arrays stay the same: saved models hold them."""

from __future__ import annotations

import hashlib

import numpy as np

from kgpath.io.arrays import hash_of, hash_of_named

ONE, OTHER = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(2, dtype=np.float32)


def test_the_hash_of_arrays_is_that_of_their_bytes_in_order() -> None:
    assert hash_of(ONE, OTHER) == hashlib.sha256(ONE.tobytes() + OTHER.tobytes()).hexdigest()
    assert hash_of(ONE, OTHER) != hash_of(OTHER, ONE)


def test_the_hash_of_named_arrays_does_not_depend_on_their_order() -> None:
    said = b"a" + OTHER.tobytes() + b"b" + ONE.tobytes()
    expected = hashlib.blake2b(said, digest_size=20).hexdigest()
    assert hash_of_named({"b": ONE, "a": OTHER}) == hash_of_named({"a": OTHER, "b": ONE})
    assert hash_of_named({"a": OTHER, "b": ONE}) == expected


def test_how_an_array_lies_in_memory_does_not_count() -> None:
    assert hash_of(np.asfortranarray(ONE)) == hash_of(ONE)
    assert hash_of_named({"a": ONE.T}) == hash_of_named({"a": np.ascontiguousarray(ONE.T)})
