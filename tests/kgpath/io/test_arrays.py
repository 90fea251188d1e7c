"""Arrays as files: hashes stay the same, since saved models hold them; strangers' are checked."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgpath.errors import BadStore
from kgpath.io.arrays import hash_of, hash_of_named, read_array, write_array

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


# Arrays of strangers


def refusal(folder: Path, **wanted: Any) -> str:
    with pytest.raises(BadStore) as raised:
        read_array(folder, "a", **wanted)
    return str(raised.value).replace(str(folder), "m")


@pytest.mark.parametrize(
    "array",
    [ONE, OTHER, np.zeros((0, 3), np.float32), np.float32(3), np.arange(4), ONE.astype(np.float64),
     np.ones((2, 2, 2), np.uint8), np.array([True, False])],
)  # fmt: skip
def test_what_was_written_comes_back(tmp_path: Path, array: Any) -> None:
    write_array(tmp_path, "a", np.asarray(array))
    found = read_array(tmp_path, "a")
    assert found.dtype == array.dtype and found.shape == array.shape
    assert np.array_equal(found, array) and found.flags.writeable


def test_columns_first_is_read_as_well(tmp_path: Path) -> None:
    write_array(tmp_path, "a", np.asfortranarray(ONE))
    found = read_array(tmp_path, "a")
    assert np.array_equal(found, ONE) and found.flags.c_contiguous


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (b"(2, 3)", b"(9999999999, 9999999999)", "it holds 24 bytes for a shape of (9999999999, "),
        (b"(2, 3)", b"(2, 4)", "it holds 24 bytes for a shape of (2, 4)"),
        (b"(2, 3)", b"(-2, -3)", "it is not an array of numbers"),
        (b"(2, 3)", b"(2, 3, 0)", "it holds 24 bytes for a shape of (2, 3, 0)"),
        (b"<f4", b"|O8", "it is not an array of numbers"),
        (b"<f4", b">f4", "it is not an array of numbers"),
        (b"<f4", b"<f8", "it holds 24 bytes for a shape of (2, 3)"),
        (b"<f4", b"<U6", "it is not an array of numbers"),
        (b"False", b"exit()", "it is not an array of numbers"),
        (b"NUMPY\x01", b"NUMPY\x03", "it is not an array of numbers"),
    ],
)
def test_a_header_that_claims_something_else_is_refused(
    tmp_path: Path, before: bytes, after: bytes, reason: str
) -> None:
    write_array(tmp_path, "a", ONE)
    path = tmp_path / "a.npy"
    content = path.read_bytes()
    header, rest = content[:128].replace(before, after), content[128:]
    path.write_bytes(header.replace(b" " * (len(header) - 128), b"", 1) + rest)
    assert path.stat().st_size == len(content)
    assert refusal(tmp_path).startswith(f"m/a.npy cannot be read ({reason}")


def test_no_width_of_millions_without_a_number(tmp_path: Path) -> None:
    write_array(tmp_path, "a", np.zeros((0, 10**14), np.float32))
    assert "it holds 0 bytes for a shape of (0, 100000000000000)" in refusal(tmp_path)


def test_an_array_of_another_kind_or_shape_is_refused(tmp_path: Path) -> None:
    write_array(tmp_path, "a", ONE)
    assert refusal(tmp_path, dimensions=1) == (
        "m/a.npy cannot be read (it has 2 dimensions, not 1). Train the model again."
    )
    assert refusal(tmp_path, kind=np.int32) == (
        "m/a.npy cannot be read (it holds numbers of kind float32, not int32). Train the model "
        "again."
    )


@pytest.mark.parametrize(
    ("value", "which"), [(np.nan, "that are not finite"), (3e38, "above 10^12")]
)
def test_numbers_that_are_none_are_refused(tmp_path: Path, value: float, which: str) -> None:
    write_array(tmp_path, "a", np.array([1, value], np.float32))
    assert refusal(tmp_path) == f"m/a.npy holds numbers {which}. Train the model again."


def test_a_pipe_in_place_of_an_array_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.npy")
    assert refusal(tmp_path) == "m/a.npy cannot be read (it is not a file). Train the model again."
