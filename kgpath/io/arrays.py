"""Arrays as ``.npy`` files, written and read with care, and hashes that tell arrays apart."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore


def write_array(folder: Path, name: str, array: NDArray[Any]) -> None:
    """Write ``name.npy``."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not by name: numpy's own writing loses the reason why it failed (disk full).
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    (folder / f"{name}.npy").write_bytes(buffer.getbuffer())


def read_array(folder: Path, name: str, again: str = "Train the model again.") -> NDArray[Any]:
    """Read ``name.npy``; its numbers must be finite. ``again`` says what to do if they are not."""
    path = folder / f"{name}.npy"
    try:
        array: NDArray[Any] = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise BadStore(f"{path} is missing. {again}") from None
    except (ValueError, EOFError, OSError) as error:
        raise BadStore(f"{path} cannot be read ({error}). {again}") from error
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise BadStore(f"{path} holds numbers that are not finite. {again}")
    return array


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
