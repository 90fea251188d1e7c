"""What a selector chose for a turn, and everything that led to it: the audit trail."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.dialogue.records import Candidate, Turn
from kgpath.dialogue.turn_graph import FAR, Chain, TurnGraph

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Selection:
    """The candidate chosen for a turn. Of equal scores the first candidate wins.

    ``relevance`` is what the text gives each candidate, ``bonus`` what the dialogue adds to it;
    ``need`` is the detector's probability that the turn needs evidence, None if it was not asked.
    ``skipped`` says that the detector decided for no evidence.
    """

    turn: Turn
    selector: str
    source: str
    chosen: int
    relevance: Numbers = field(repr=False)
    bonus: Numbers = field(repr=False)
    graph: TurnGraph | None = field(default=None, repr=False)
    need: float | None = None
    skipped: bool = False

    @property
    def candidate(self) -> Candidate:
        return self.turn.candidates[self.chosen]

    @property
    def title(self) -> str:
        return self.candidate.title

    @property
    def sentence(self) -> str:
        return self.candidate.sentence

    @property
    def scores(self) -> Numbers:
        """What the candidates were ranked by."""
        return self.relevance + self.bonus

    @cached_property
    def chain(self) -> Chain | None:
        """How the dialogue gets from its source to the chosen title; None: not at all."""
        if self.graph is None:
            return None
        return self.graph.chain(int(self.graph.nodes.of_candidate[self.chosen]))

    @property
    def path_length(self) -> int | None:
        """The number of steps of the chain; 0 for staying, None without a chain."""
        return None if self.chain is None else len(self.chain)

    def to_json(self) -> dict[str, Any]:
        """The whole audit trail as plain data."""
        data: dict[str, Any] = {
            "turn": self.turn.id,
            "selector": self.selector,
            "query": self.turn.query,
            "source": self.source,
            "chosen": self.chosen,
            "title": self.title,
            "sentence": self.sentence,
            "need": self.need,
            "chain": None,
            "candidates": self._candidates(),
            "graph": None,
        }
        if self.chain is not None:
            data["chain"] = {
                "text": str(self.chain),
                "source": self.chain.source,
                "steps": [
                    {"title": step.title, "reason": str(step.reason)} for step in self.chain.steps
                ],
            }
        if self.graph is not None:
            titles = self.graph.nodes.titles
            data["graph"] = {
                "nodes": list(titles),
                "edges": [
                    {
                        "one": titles[edge.one],
                        "other": titles[edge.other],
                        "length": edge.length,
                        "reason": str(edge.reason),
                    }
                    for edge in self.graph.edges
                ],
            }
        return data

    def _candidates(self) -> list[dict[str, Any]]:
        rows = []
        for at, candidate in enumerate(self.turn.candidates):
            row: dict[str, Any] = {
                "title": candidate.title,
                "sentence": candidate.sentence,
                "relevance": float(self.relevance[at]),
                "bonus": float(self.bonus[at]),
                "score": float(self.relevance[at] + self.bonus[at]),
            }
            if self.graph is not None:
                far = self.graph.distances[int(self.graph.nodes.of_candidate[at])]
                row["distance"] = None if far == FAR else far
            rows.append(row)
        return rows
