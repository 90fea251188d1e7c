"""Shared words and mentions together."""

from __future__ import annotations

from collections.abc import Iterator

from kgpath.dialogue.edges.edge import Edge
from kgpath.dialogue.edges.lexical import lexical
from kgpath.dialogue.edges.mention import mention
from kgpath.dialogue.nodes import Nodes


def full(nodes: Nodes) -> Iterator[Edge]:
    """The edges of ``lexical``, then those of ``mention``; between a pair the first one counts."""
    yield from lexical(nodes)
    yield from mention(nodes)
