"""WikiPath: retrieval with a bonus for titles that a chain connects to where the dialogue is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kgpath.dialogue.bm25 import BM25, Numbers
from kgpath.dialogue.edges.edge import EdgeRule, edge_rule
from kgpath.dialogue.nodes import nodes_of
from kgpath.dialogue.records import Turn
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.selector import Selector, first_best, relevance, source_of
from kgpath.dialogue.titles import title_key
from kgpath.dialogue.turn_graph import DEPTH, TurnGraph
from kgpath.errors import BadOption

if TYPE_CHECKING:
    from kgpath.graph import Graph


class WikiPath(Selector):
    """BM25 + alpha / (d + 1), with d the length of the chain from the source to the title.

    ``edges`` is an edge rule: a name (``kgpath ls edge_rules``), a class or a function. ``beta`` is
    added for titles not chosen yet in the dialogue. Without a chain there is no bonus. Equal
    scores: the first candidate; equally short chains: the one through the earliest titles.

    >>> WikiPath(edges="typed", graph=kg).select(turn).chain  # doctest: +SKIP
    """

    name = "wikipath"

    def __init__(
        self,
        edges: str | type | EdgeRule = "lexical",
        graph: Graph | None = None,
        alpha: float = 0.2,
        beta: float = 0.0,
        depth: float = DEPTH,
        k1: float = 1.2,
        b: float = 0.75,
        idf: str = "lucene",
        scaled: bool = True,
        scored: str = "sentence",
    ) -> None:
        if depth < 0:
            raise BadOption(f"depth is {depth}; it can be 0 or more.")
        self.edges, self.graph = edges, graph
        self.alpha, self.beta, self.depth = alpha, beta, depth
        self.k1, self.b, self.idf, self.scaled, self.scored = k1, b, idf, scaled, scored
        self.bm25 = BM25(k1, b, idf, scaled)
        self.rule = edge_rule(edges, graph)

    def select(self, turn: Turn, before: Sequence[Selection] = ()) -> Selection:
        scores = relevance(self.bm25, turn, self.scored)
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
