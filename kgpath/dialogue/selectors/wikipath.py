"""WikiPath: retrieval with a bonus for titles that a chain connects to where the dialogue is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgpath.dialogue.edges.edge import EdgeRule, edge_rule
from kgpath.dialogue.nodes import nodes_of
from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Numbers, Selection
from kgpath.dialogue.selectors.bm25 import BM25Choice
from kgpath.dialogue.selectors.selector import first_best, source_of
from kgpath.dialogue.titles import title_key
from kgpath.dialogue.turn_graph import DEPTH, TurnGraph
from kgpath.errors import BadOption

if TYPE_CHECKING:
    from kgpath.graph import Graph


@dataclass(kw_only=True, eq=False)
class WikiPath(BM25Choice):
    """BM25 + alpha / (d + 1), with d the length of the chain from the source to the title.

    ``edges`` is an edge rule: a name (``kgpath ls edge_rules``), a class or a function. ``beta`` is
    added for titles not chosen yet in the dialogue. Without a chain there is no bonus. Equal
    scores: the first candidate; equally short chains: the one through the earliest titles.

    >>> WikiPath(edges="typed", graph=kg).select(turn).chain  # doctest: +SKIP
    """

    name = "wikipath"
    edges: str | type | EdgeRule = "lexical"
    graph: Graph | None = None
    alpha: float = 0.2
    beta: float = 0.0
    depth: float = DEPTH

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise BadOption(f"depth is {self.depth}; it can be 0 or more.")
        super().__post_init__()
        self.rule = edge_rule(self.edges, self.graph)

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        scores = self.relevance(turn)
        source = source_of(turn, before)
        graph = self.graph_of(turn, source)
        bonus = self.bonus(graph, before)
        return Selection(turn, self.name, source, first_best(scores + bonus), scores, bonus, graph)

    def graph_of(self, turn: Turn, source: str) -> TurnGraph:
        """The titles of a turn and the edges between them."""
        nodes = nodes_of(turn, source)
        return TurnGraph(nodes, self.rule(nodes), self.depth)

    def bonus(self, graph: TurnGraph, before: Sequence[Selection]) -> Numbers:
        """What each candidate gets for its title."""
        # 1 / (infinity + 1) is 0: no chain, no bonus.
        by_node = self.alpha / (np.array(graph.distances) + 1)
        if self.beta:
            used = {title_key(selection.title) for selection in before if not selection.skipped}
            by_node += [
                0.0 if title_key(title) in used else self.beta for title in graph.nodes.titles
            ]
        return by_node[graph.nodes.of_candidate]
