"""kgpath answers: why are these two things related, here?

Open a graph file with :func:`kgpath.open`, make one with :func:`kgpath.build`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgpath.graph import Graph as Graph
    from kgpath.graph import open_graph as open
    from kgpath.kg_build.build import add as add
    from kgpath.kg_build.build import build as build
    from kgpath.kg_build.build import remove as remove
    from kgpath.kg_build.filters import Filters as Filters

__version__ = "0.1.0"
__all__ = ["Filters", "Graph", "add", "build", "open", "remove"]

# Imported on first use: `import kgpath` and `kgpath --help` stay quick.
_PLACES = {
    "Filters": ("kgpath.kg_build.filters", "Filters"),
    "Graph": ("kgpath.graph", "Graph"),
    "add": ("kgpath.kg_build.build", "add"),
    "build": ("kgpath.kg_build.build", "build"),
    "open": ("kgpath.graph", "open_graph"),
    "remove": ("kgpath.kg_build.build", "remove"),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'kgpath' has no attribute {name!r}")
    import importlib

    module, attribute = _PLACES[name]
    return getattr(importlib.import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
