"""Parts that learn: the constructor stores parameters, ``fit`` learns, ``save`` writes a folder.

A folder holds JSON, ``.npy``, safetensors and LightGBM text; nothing in it can run code.
"""

from __future__ import annotations

import inspect
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore

if TYPE_CHECKING:
    from kgpath.graph import Graph


class Part:
    """Something with parameters that may learn, and can write and read what it learned."""

    def options(self) -> dict[str, Any]:
        """What the constructor was given; it keeps every parameter under its own name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def needs(self, graph: Graph) -> dict[str, str]:
        """What its results depend on that is not saved with it: a name, and which one it is."""
        return {}

    def report(self) -> dict[str, Any]:
        """What is worth knowing of what it learned, as plain data."""
        return {}

    def save(self, folder: Path) -> None:
        """Write what was learned, not the parameters; nothing for a part that does not learn."""

    def load(self, folder: Path) -> None:
        """Read what :meth:`save` wrote, into a part with the same parameters."""


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


def write_whole(path: Path, content: bytes) -> None:
    """Under another name first: whoever is interrupted leaves the old file, or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
