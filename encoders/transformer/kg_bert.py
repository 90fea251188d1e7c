"""KG-BERT (Yao et al., 2020) as a context encoder: a language model that was taught facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgpath.encoders.transformer.contextual import Contextual

if TYPE_CHECKING:
    from kgpath.encoders.transformer.training import Objective
    from kgpath.graph import Graph

#: Facts to test on, for the report.
_TEST = 300


@dataclass(eq=False)
class KgBert(Contextual):
    """A language model tuned on names and facts of the graph; needs no descriptions.

    It learns to tell true facts from ones with an end exchanged ([CLS] head [SEP] relation [SEP]
    tail [SEP]), and which relation holds between two entities. Half of the wrong ends are any
    entities, half such that have the relation elsewhere. See :class:`Contextual` for the options.
    """

    name = "kg-bert"
    full_steps = 1000
    reads_descriptions = False

    def objectives(self) -> tuple[type[Objective], ...]:
        from kgpath.encoders.transformer.joint_objective import Joint
        from kgpath.encoders.transformer.kg_bert_objectives import Relations, TrueFacts
        from kgpath.encoders.transformer.masked_lm import MaskedLM

        return Joint, TrueFacts, Relations, *([MaskedLM] if self.configuration else [])

    def objective(self, graph: Graph) -> Objective:
        from kgpath.encoders.transformer.joint_objective import Joint
        from kgpath.encoders.transformer.kg_bert_objectives import Names, Relations, TrueFacts
        from kgpath.encoders.transformer.masked_lm import MaskedLM
        from kgpath.encoders.transformer.training_facts import GraphFacts, descriptions_of

        facts = GraphFacts(graph, _TEST, self.seed)
        names = Names(self.network, facts)
        kinds = TrueFacts, Relations
        parts: list[Objective] = [kind(self.network, facts, names, self.seed) for kind in kinds]
        if self.configuration and descriptions_of(graph):  # from scratch it knows no words yet
            parts += [MaskedLM(self.network, graph, self.seed)]
        return Joint(*parts)
