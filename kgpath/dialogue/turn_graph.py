"""The graph of one turn: its titles, the edges of a rule, and the chains from the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from kgpath.dialogue.edges.edge import Arrow, Edge
from kgpath.dialogue.nodes import SOURCE, Nodes

FAR = float("inf")
#: Chains longer than this do not count, as in the paper.
DEPTH = 6


class Step(NamedTuple):
    """One step of a chain: the title it leads to, why, and how it is drawn."""

    title: str
    reason: object
    arrow: str


@dataclass(frozen=True)
class Chain:
    """How a dialogue gets from its source to a title."""

    source: str
    steps: tuple[Step, ...] = ()

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        return self.source + "".join(f" {step.arrow} {step.title}" for step in self.steps)


class TurnGraph:
    """The titles of a turn and what connects them.

    Of several edges between two titles the first one that the rule yields counts, unless a later
    one is shorter. Among chains of one length, that through the earliest titles is taken.
    """

    def __init__(self, nodes: Nodes, edges: Iterable[Edge], depth: float = DEPTH) -> None:
        self.nodes = nodes
        self.depth = depth
        between: dict[tuple[int, int], Edge] = {}
        for edge in edges:
            key = (edge[0], edge[1]) if edge[0] < edge[1] else (edge[1], edge[0])
            known = between.get(key)
            if known is None or edge.length < known.length:
                between[key] = edge
        self._between = between

    @property
    def edges(self) -> list[Edge]:
        """All edges, by their nodes."""
        return [edge for _, edge in sorted(self._between.items(), key=lambda item: item[0])]

    @cached_property
    def _reach(self) -> tuple[list[float], list[int]]:
        """The length of the shortest chain to each node, and the node before it."""
        near: dict[int, list[tuple[int, float]]] = {}
        for (one, other), edge in self._between.items():
            near.setdefault(one, []).append((other, edge.length))
            near.setdefault(other, []).append((one, edge.length))
        far = [FAR] * len(self.nodes)
        before = [-1] * len(self.nodes)
        far[SOURCE] = 0.0
        waiting = [(0.0, SOURCE)]
        while waiting:
            reached, node = heappop(waiting)
            if reached > far[node]:
                continue
            for other, length in near.get(node, ()):
                total = reached + length
                if total > self.depth:
                    continue
                if total < far[other]:
                    far[other] = total
                    before[other] = node
                    heappush(waiting, (total, other))
        return far, before

    @property
    def distances(self) -> list[float]:
        """How far each node is from the source; infinite where there is no chain."""
        return self._reach[0]

    def chain(self, node: int) -> Chain | None:
        """The shortest chain from the source to a node; None where there is none."""
        if self.distances[node] == FAR:
            return None
        way = [node]
        while way[-1] != SOURCE:
            way.append(self._reach[1][way[-1]])
        way.reverse()
        return Chain(self.nodes.titles[SOURCE], tuple(self._steps(way)))

    def _steps(self, way: list[int]) -> Iterator[Step]:
        for one, other in pairwise(way):
            edge = self._between[min(one, other), max(one, other)]
            backwards = edge.one != one
            title = self.nodes.titles[other]
            if isinstance(edge.reason, Arrow):
                reason = edge.reason.towards(backwards)
                yield Step(title, reason, edge.reason.arrow(backwards))
            else:
                yield Step(title, edge.reason, "→")
