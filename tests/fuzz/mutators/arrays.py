"""Arrays of numpy, ``.npy``: other types and shapes in the header, numbers shifted or far off."""

from __future__ import annotations

import ast
import io
from random import Random
from typing import Any

import numpy as np
from fuzz.mutators import raw
from numpy.lib import format as npy

_TYPES = ("|O", "<i8", "<i4", "<i2", "<f4", "<f8", ">i4", "<u8", "|V4", "<U4", "|b1", "<c16")
_FAR = (-1, 0, 1, 2**31 - 1, -(2**31), 2**40, 2**63 - 1, float("nan"), float("inf"), 1e300)


def mutated(rng: Random, data: bytes) -> bytes:
    """One change to the bytes, to the header, or to the numbers."""
    try:
        header, start = _header(data)
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:  # numpy has many names for what was spoiled before
        return raw.mutated(rng, data)
    match rng.randrange(5):
        case 0:
            return raw.mutated(rng, data)
        case 1 | 2:
            return _written(_other_header(rng, header), data[start:])
        case _:
            return _saved(_other_numbers(rng, array))


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    stream = io.BytesIO(data)
    npy.read_magic(stream)
    length = int.from_bytes(stream.read(2), "little")
    return ast.literal_eval(stream.read(length).decode("latin1")), stream.tell()


def _written(header: dict[str, Any], body: bytes) -> bytes:
    text = repr(header).encode("latin1") + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body


def _other_header(rng: Random, header: dict[str, Any]) -> dict[str, Any]:
    changed = dict(header)
    size = int((*header["shape"], 1)[0])
    match rng.randrange(4):
        case 0:
            changed["descr"] = rng.choice(_TYPES)
        case 1 | 2:
            changed["shape"] = rng.choice(
                ((size + 1,), (max(0, size - 1),), (size // 2, 2), (0,), (), (-1,), (2**34,),
                 (2**63,), (size, 0), (1, size), (True,), (1,) * 40)
            )  # fmt: skip
        case 3:
            changed["fortran_order"] = rng.choice((True, 1, None))
    return changed


def _other_numbers(rng: Random, array: np.ndarray) -> np.ndarray:
    if not array.size:
        return np.zeros(3, array.dtype)
    flat = array.copy().reshape(-1)
    at = rng.randrange(flat.size)
    with np.errstate(all="ignore"):
        match rng.randrange(6):
            case 0:
                flat[at] = np.array(rng.choice(_FAR)).astype(array.dtype)
            case 1:
                flat = np.roll(flat, rng.choice((1, -1, 7)))
            case 2:
                other = rng.randrange(flat.size)
                flat[at], flat[other] = flat[other], flat[at]
            case 3:
                flat = flat + np.array(1, array.dtype)
            case 4:
                flat[:] = flat[at]
            case 5:
                flat = flat[::-1]
    return flat.reshape(array.shape)


def _saved(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()
