"""Components: the constructor stores parameters, ``fit`` learns, ``save`` writes a folder.

A folder holds JSON, ``.npy``, safetensors and LightGBM text; nothing in it can run code.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kgpath.graph import Graph


class Versioned(Protocol):
    """Something whose results are cached."""

    version: ClassVar[int]


def versions_of(*kinds: type[Versioned]) -> str:
    """The versions of classes, as a part of the key of what they made: ``PathVAE 1, Tuning 2``."""
    return ", ".join(f"{_name(kind)} {kind.version}" for kind in dict.fromkeys(kinds))


def kinds_of(part: object) -> Iterator[type[Versioned]]:
    """The class of an object, if it has a version, and those of what the object is made of."""
    kind: Any = type(part)
    if hasattr(kind, "version"):
        yield kind
    if hasattr(part, "made_of"):
        yield from part.made_of()


def _name(kind: type) -> str:
    """Another package may call a class as we do: its own has the module before it."""
    own = kind.__module__.startswith("kgpath.")
    return kind.__name__ if own else f"{kind.__module__}.{kind.__qualname__}"


class Component:
    """Something with parameters that may learn, and can write and read what it learned.

    ``version`` is part of the key of all that is cached of a component. Raise it whenever the same
    options and the same input give other numbers than before: what the former code made is then no
    longer loaded. tests/test_component_versions.py notices when that was forgotten.
    """

    version: ClassVar[int] = 1

    def made_of(self) -> Iterable[type[Versioned]]:
        """Other classes on whose versions its results depend: its encoders, what trains it."""
        return ()

    def versions(self) -> str:
        """Its version, and the versions of all it is made of."""
        return versions_of(type(self), *self.made_of())

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
        """Write what was learned, not the parameters; nothing if it does not learn."""

    def load(self, folder: Path) -> None:
        """Read what :meth:`save` wrote, into a component with the same parameters.

        A stranger may have written it. What is wrong is a BadStore; nothing of it is run, and no
        number of it used as a place before it was looked at. The folder is gone afterwards.
        """


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
