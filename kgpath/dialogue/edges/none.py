"""No edges: the bonus is for staying at the source."""

from __future__ import annotations

from collections.abc import Iterable

from kgpath.dialogue.edges.edge import Edge
from kgpath.dialogue.nodes import Nodes


def none(nodes: Nodes) -> Iterable[Edge]:
    """Nothing is connected."""
    return ()
