"""Parts that learn: the constructor stores parameters, ``fit`` learns, ``save`` writes a folder.

A folder holds JSON, ``.npy``, safetensors and LightGBM text; nothing in it can run code.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kgpath.graph import Graph


class Component:
    """Something with parameters that may learn, and can write and read what it learned."""

    def options(self) -> dict[str, Any]:
        """What the constructor was given; it keeps every parameter under its own name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        """What its results depend on that is not saved with it: a name, and which one it is."""
        return {}

    def report(self) -> dict[str, Any]:
        """What is worth knowing of what it learned, as plain data."""
        return {}

    def save(self, folder: Path) -> None:
        """Write what was learned, not the parameters; nothing for a part that does not learn."""

    def load(self, folder: Path) -> None:
        """Read what :meth:`save` wrote, into a part with the same parameters."""


class TextEncoder(Protocol):
    """Turns texts into vectors. ``identity`` names all that its vectors depend on."""

    @property
    def identity(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""


@runtime_checkable
class GraphReader(TextEncoder, Protocol):
    """A text encoder that has to know the graph whose texts it reads."""

    def of(self, graph: Graph) -> TextEncoder:
        """The encoder of the texts of a graph."""
