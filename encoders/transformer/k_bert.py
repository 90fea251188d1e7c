"""K-BERT (Liu et al., 2020) as a context encoder: the facts of a text's entities are read along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from kgpath.encoders.transformer.contextual import Contextual, Named
from kgpath.errors import BadOption

if TYPE_CHECKING:
    from kgpath.encoders.transformer.hidden_states import Chunk
    from kgpath.encoders.transformer.sentence_tree import FactsOf
    from kgpath.encoders.transformer.training import Objective
    from kgpath.graph import Graph


@dataclass(eq=False)
class KBert(Contextual):
    """A language model that reads, with each entity of the text, some facts of the graph.

    Up to ``facts`` hang on each entity as branches of a sentence tree, with soft positions and a
    visible matrix; only the entity's own words see them. The vector is the mean over the words of
    the text, not of the branches. Tuned by masked words of the descriptions, read in the same way.
    See :class:`Contextual` for the other options.
    """

    name = "k-bert"
    LIMITS: ClassVar[dict[str, int]] = {"facts": 1000}
    reads_entities = True

    batch: int = 16
    facts: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.facts, int) or self.facts < 0:
            raise BadOption(f"facts is {self.facts!r}; it can be 0 or more.")
        self._facts_of: WeakKeyDictionary[Graph, FactsOf] = WeakKeyDictionary()

    @property
    def reading_options(self) -> str:
        return f" with {self.facts} facts"

    def objectives(self) -> tuple[type[Objective], ...]:
        from kgpath.encoders.transformer.masked_lm import MaskedTrees

        return (MaskedTrees,)

    def objective(self, graph: Graph) -> Objective:
        from kgpath.encoders.transformer.masked_lm import MaskedTrees

        def read(entity: int, text: str) -> Chunk:
            return self.chunks(graph, text, self.named(graph, text, [entity]))[0]

        return MaskedTrees(self.network, graph, self.seed, read)

    def chunks(self, graph: Graph, text: str, named: Sequence[Named]) -> list[Chunk]:
        from kgpath.encoders.transformer.sentence_tree import FactsOf, tree_chunks

        if graph not in self._facts_of:
            self._facts_of[graph] = FactsOf(graph, self.facts)
        return tree_chunks(self.network, text, named, self._facts_of[graph])
