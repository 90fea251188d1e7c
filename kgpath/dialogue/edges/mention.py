"""Titles that a sentence of the other page names, in place of a hyperlink."""

from __future__ import annotations

from collections.abc import Iterator

from kgpath.dialogue.edges.edge import Edge
from kgpath.dialogue.nodes import Nodes


def mention(nodes: Nodes) -> Iterator[Edge]:
    """An edge where a title stands, in any case, in a candidate sentence of the other title.

    As in the paper a title may be part of a longer word.
    """
    pages = ["\n".join(sentences).lower() for sentences in nodes.sentences]
    small = [title.lower() for title in nodes.titles]
    for one in range(len(nodes)):
        for other in range(one + 1, len(nodes)):
            for named, page in ((other, one), (one, other)):
                if small[named] in pages[page]:
                    reason = f"a sentence of {nodes.titles[page]} names {nodes.titles[named]}"
                    yield Edge(one, other, reason)
                    break
