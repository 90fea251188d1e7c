"""The titles of a turn as nodes of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.dialogue.records import Turn
from kgpath.dialogue.titles import title_key

SOURCE = 0


@dataclass(frozen=True)
class Nodes:
    """The different titles of a turn: the source first, then in the order of the candidates.

    ``of_candidate`` holds the node of each candidate. Titles that differ only in case, accents or
    punctuation are one node.
    """

    turn: Turn
    titles: tuple[str, ...]
    of_candidate: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.titles)

    @cached_property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The candidate sentences of each title."""
        found: list[list[str]] = [[] for _ in self.titles]
        for node, candidate in zip(self.of_candidate.tolist(), self.turn.candidates, strict=True):
            found[node].append(candidate.sentence)
        return tuple(map(tuple, found))


def nodes_of(turn: Turn, source: str) -> Nodes:
    """The nodes of a turn whose dialogue is at ``source``."""
    titles = [source]
    number = {title_key(source): SOURCE}
    by_title: dict[str, int] = {}
    of_candidate = []
    for title, _ in turn.candidates:
        node = by_title.get(title)
        if node is None:
            node = by_title[title] = number.setdefault(title_key(title), len(titles))
            if node == len(titles):
                titles.append(title)
        of_candidate.append(node)
    return Nodes(turn, tuple(titles), np.array(of_candidate, dtype=np.int64))
