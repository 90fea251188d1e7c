"""Arrays as ``.npy`` files, written and read with care, and hashes that tell arrays apart."""

from __future__ import annotations

import hashlib
import io
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore
from kgpath.io.saved_json import open_regular


def write_array(folder: Path, name: str, array: NDArray[Any]) -> None:
    """Write ``name.npy``."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not by name: numpy's own writing loses the reason why it failed (disk full).
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    (folder / f"{name}.npy").write_bytes(buffer.getbuffer())


#: No number of a vector, or of what it is made of, is larger: sums of them stay finite.
LARGEST = 1e12
_MAGIC = b"\x93NUMPY\x01\x00"
#: What numpy writes before the numbers; a stranger's array may be no other way, nor hold objects.
_HEADER = re.compile(
    rb"\{'descr': '([<|][fiub][1248])', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[0-9]{1,15},? ?){0,4})\), \} *\n"
)
#: An array without numbers is not wider than this, either.
_WIDEST = 100_000


def read_array(
    folder: Path,
    name: str,
    again: str = "Train the model again.",
    *,
    kind: type[np.generic] | None = None,
    dimensions: int | None = None,
) -> NDArray[Any]:
    """Read ``name.npy``; its numbers must be finite. ``again`` says what to do if they are not.

    ``kind`` and ``dimensions`` are what the array has to have, if anything. No memory is taken
    for more numbers than the file holds.
    """
    path = folder / f"{name}.npy"
    try:
        with open_regular(path) as file:
            array = _parsed(file)
        if kind is not None and array.dtype != kind:
            raise ValueError(f"it holds numbers of kind {array.dtype}, not {np.dtype(kind)}")
        if dimensions is not None and array.ndim != dimensions:
            raise ValueError(f"it has {array.ndim} dimensions, not {dimensions}")
    except FileNotFoundError:
        raise BadStore(f"{path} is missing. {again}") from None
    except (ValueError, OSError) as error:
        raise BadStore(f"{path} cannot be read ({error}). {again}") from error
    if array.dtype.kind == "f" and not (np.abs(array) <= LARGEST).all():
        which = "above 10^12" if np.isfinite(array).all() else "that are not finite"
        raise BadStore(f"{path} holds numbers {which}. {again}")
    return array


def _parsed(file: BinaryIO) -> NDArray[Any]:
    """An array in the form in which numpy writes it."""
    start = file.read(len(_MAGIC) + 2)
    header = _HEADER.fullmatch(file.read(int.from_bytes(start[len(_MAGIC) :], "little")))
    if not start.startswith(_MAGIC) or header is None:
        raise ValueError("it is not an array of numbers")
    dtype = np.dtype(header[1].decode())
    shape = tuple(int(part) for part in header[3].split(b",") if part.strip())
    count, size = math.prod(shape), os.fstat(file.fileno()).st_size - file.tell()
    if count * dtype.itemsize != size or max(shape, default=0) > max(size, _WIDEST):
        raise ValueError(f"it holds {size:,} bytes for a shape of {shape}")
    numbers = np.fromfile(file, dtype, count)
    if len(numbers) != count:
        raise ValueError("it was cut while it was read")
    order: Literal["F", "C"] = "F" if header[2] == b"True" else "C"
    return np.ascontiguousarray(numbers.reshape(shape, order=order)).reshape(shape)


def hash_of(*arrays: NDArray[Any]) -> str:
    """Tells arrays from others by their numbers. Saved models hold it: it has to stay as it is."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()


def hash_of_named(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Tells arrays by name from others. Saved models hold it: it has to stay as it is."""
    digest = hashlib.blake2b(digest_size=20)
    for name, array in sorted(arrays.items()):
        digest.update(name.encode() + array.tobytes())
    return digest.hexdigest()
