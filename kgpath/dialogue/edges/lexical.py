"""Titles that share a word: "Abyssinian cat" and "Cat"."""

from __future__ import annotations

from collections.abc import Iterator

from kgpath.dialogue.edges.edge import Edge
from kgpath.dialogue.nodes import Nodes
from kgpath.dialogue.words import title_words


class SharedWords(tuple[str, ...]):
    """The words two titles share; printed as a reason."""

    __slots__ = ()

    def __str__(self) -> str:
        return "share " + ", ".join(f"“{word}”" for word in self)


def lexical(nodes: Nodes) -> Iterator[Edge]:
    """An edge where two titles share a word that is no stop word; by word, not by all pairs."""
    having: dict[str, list[int]] = {}
    for node, title in enumerate(nodes.titles):
        for word in title_words(title):
            having.setdefault(word, []).append(node)
    shared: dict[tuple[int, int], list[str]] = {}
    for word, holders in having.items():
        for at, one in enumerate(holders):
            for other in holders[at + 1 :]:
                shared.setdefault((one, other), []).append(word)
    for (one, other), words in shared.items():
        yield Edge(one, other, SharedWords(words))
