"""What is worked out once for an open graph, on first use, and lives as long as the graph does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from kgpath.graph import Graph

T = TypeVar("T")

# One for all: what is derived may itself ask for something else that is.
_LOCK = threading.RLock()


def once_per_graph(make: Callable[[Graph], T]) -> Callable[[Graph], T]:
    """A function of a graph that is called once for each; later calls give the same object."""

    @wraps(make)
    def derived(graph: Graph) -> T:
        # On the graph itself, not in a weak dictionary: what is made may refer to the graph.
        known = vars(graph).setdefault("_derived", {})
        if make not in known:
            with _LOCK:
                if make not in known:
                    known[make] = make(graph)
        made: T = known[make]
        return made

    return derived
