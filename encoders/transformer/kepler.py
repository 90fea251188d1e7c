"""KEPLER (Wang et al., 2021) as a context encoder: one model for words and for the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgpath.encoders.transformer.contextual import Contextual
from kgpath.errors import BadOption

if TYPE_CHECKING:
    from kgpath.encoders.transformer.training import Objective
    from kgpath.graph import Graph

#: Facts to test on, for the report: of those, some are between entities that are described.
_TEST = 4000
ENTITIES = ("mean", "cls")


@dataclass(eq=False)
class Kepler(Contextual):
    """A language model tuned on descriptions and on the facts between what they describe.

    Two losses at once: masked words of the descriptions, and TransE over entities as the model
    encodes their descriptions. ``entity`` is how: ``mean`` over the tokens, for which MiniLM was
    made, or ``cls``, which KEPLER takes. See :class:`Contextual` for the other options.
    """

    name = "kepler"

    entity: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.entity not in ENTITIES:
            raise BadOption(f"entity is {self.entity!r}; it can be {' or '.join(ENTITIES)}.")

    def objectives(self) -> tuple[type[Objective], ...]:
        from kgpath.encoders.transformer.joint_objective import Joint
        from kgpath.encoders.transformer.kepler_objective import DescribedFacts
        from kgpath.encoders.transformer.masked_lm import MaskedLM

        return Joint, DescribedFacts, MaskedLM

    def objective(self, graph: Graph) -> Objective:
        from kgpath.encoders.transformer.joint_objective import Joint
        from kgpath.encoders.transformer.kepler_objective import DescribedFacts
        from kgpath.encoders.transformer.masked_lm import MaskedLM
        from kgpath.encoders.transformer.training_facts import GraphFacts

        words = MaskedLM(self.network, graph, self.seed)
        facts = GraphFacts(graph, _TEST, self.seed)
        return Joint(DescribedFacts(self.network, facts, self.entity, self.seed), words)
