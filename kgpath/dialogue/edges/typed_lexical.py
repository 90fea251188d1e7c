"""Typed edges, and shared words for the titles that the graph does not know."""

from __future__ import annotations

from collections.abc import Iterator

from kgpath.dialogue.edges.edge import Edge
from kgpath.dialogue.edges.lexical import lexical
from kgpath.dialogue.edges.typed import Typed
from kgpath.dialogue.nodes import Nodes


class TypedLexical(Typed):
    """The edges of ``typed``, and those of ``lexical`` between titles that it leaves apart."""

    def __call__(self, nodes: Nodes) -> Iterator[Edge]:
        typed = list(super().__call__(nodes))
        yield from typed
        known = {frozenset((edge.one, edge.other)) for edge in typed}
        # Where the graph explains a pair, its reason is the better one, also if it is longer.
        yield from (e for e in lexical(nodes) if frozenset((e.one, e.other)) not in known)
