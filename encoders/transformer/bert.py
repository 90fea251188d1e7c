"""Contextualised words (Lo & Lim 2023, section 4.4.1): a language model that reads the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgpath.encoders.transformer.contextual import Contextual

if TYPE_CHECKING:
    from kgpath.encoders.transformer.training import Objective
    from kgpath.graph import Graph


@dataclass(eq=False)
class Bert(Contextual):
    """A transformers model as it is; knows no graph, needs no training.

    Only ``configuration=paper`` learns: 3 layers of 512 dimensions start from scratch, and read
    the descriptions of the graph with words masked. See :class:`Contextual` for the options.
    """

    name = "bert"
    full_steps = 600

    layers: int = field(default=0, init=False)  # from scratch, all of them

    @property
    def learns(self) -> bool:
        return bool(self.configuration)

    def objectives(self) -> tuple[type[Objective], ...]:
        from kgpath.encoders.transformer.masked_lm import MaskedLM

        return (MaskedLM,)

    def objective(self, graph: Graph) -> Objective:
        from kgpath.encoders.transformer.masked_lm import MaskedLM

        return MaskedLM(self.network, graph, self.seed)
