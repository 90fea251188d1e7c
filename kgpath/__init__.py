"""kgpath answers: why are these two things related, here?

Open a graph file with :func:`kgpath.open`, make one with :func:`kgpath.build`; then ask it:
``kg.query("Roger Moore", "Daniel Craig", context=article)``.

Everything a user needs is named here; what else lies in the package serves these names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgpath import errors as errors
    from kgpath.answer import Answer as Answer
    from kgpath.answer import Answers as Answers
    from kgpath.graph import Graph as Graph
    from kgpath.graph import open_graph as open
    from kgpath.io.limits import limited as limited
    from kgpath.kg_build.build import add as add
    from kgpath.kg_build.build import build as build
    from kgpath.kg_build.build import remove as remove
    from kgpath.kg_build.filters import Filters as Filters
    from kgpath.learning.evaluate import evaluate as evaluate
    from kgpath.learning.models import load_model as load_model
    from kgpath.learning.train import train as train
    from kgpath.types import Entity as Entity
    from kgpath.types import Path as Path

__version__ = "0.1.0"
__all__ = [
    "Answer", "Answers", "Entity", "Filters", "Graph", "Path", "add", "build", "errors",
    "evaluate", "limited", "load_model", "open", "remove", "train",
]  # fmt: skip

# Imported on first use: `import kgpath` and `kgpath --help` stay quick.
_PLACES = {
    "Answer": "kgpath.answer:Answer",
    "Answers": "kgpath.answer:Answers",
    "Entity": "kgpath.types:Entity",
    "Filters": "kgpath.kg_build.filters:Filters",
    "Graph": "kgpath.graph:Graph",
    "Path": "kgpath.types:Path",
    "add": "kgpath.kg_build.build:add",
    "build": "kgpath.kg_build.build:build",
    "errors": "kgpath.errors:",
    "evaluate": "kgpath.learning.evaluate:evaluate",
    "limited": "kgpath.io.limits:limited",
    "load_model": "kgpath.learning.models:load_model",
    "open": "kgpath.graph:open_graph",
    "remove": "kgpath.kg_build.build:remove",
    "train": "kgpath.learning.train:train",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'kgpath' has no attribute {name!r}")
    import importlib

    module, _, attribute = _PLACES[name].partition(":")
    found = importlib.import_module(module)
    globals()[name] = getattr(found, attribute) if attribute else found
    return globals()[name]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
