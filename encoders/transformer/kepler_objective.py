"""What KEPLER learns of a graph (Wang et al., 2021): TransE over encoded descriptions.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.hidden_states import Chunk, by_size, framed, hidden_states, means
from kgpath.encoders.transformer.training import Objective
from kgpath.encoders.transformer.training_facts import GraphFacts, descriptions_of

#: A description is read up to so many tokens.
_LENGTH = 40
#: Two entities taken at random are so far apart at first; true facts are to be within the margin.
_APART, _MARGIN = 12.0, 9.0
#: Ends of test facts are looked for among so many entities.
_AMONG, _AT_ONCE = 500, 64
Fact = tuple[int, int, int]


class DescribedFacts(Objective):
    """Head + relation is to be close to tail; entities are what the model makes of descriptions.

    Relations have vectors of their own. The wrong ends of a fact are the other entities of its
    batch, unless they are true: each description is encoded once. ``entity`` is how: the ``mean``
    over its tokens, or ``cls``. Both ends of a fact are described; or one, and the other has its
    name, where there are no such facts.
    """

    def __init__(self, base: Base, facts: GraphFacts, entity: str, seed: int) -> None:
        super().__init__(base)
        self.facts, self.entity = facts, entity
        self.texts = descriptions_of(facts.graph)
        facts.between(np.array(list(self.texts)))
        self.relations = nn.Parameter(torch.zeros(facts.relations, base.size))
        rng = np.random.default_rng(seed)
        known = np.array(list(self.texts))
        needed = facts.test[:, [0, 2]].ravel()
        others = np.setdiff1d(known, needed)
        more = rng.choice(others, min(len(others), max(0, _AMONG - len(np.unique(needed)))), False)
        self.among = np.union1d(needed, more)
        self.scale = self._scale(rng.choice(known, min(len(known), 64), False).tolist())

    def sample(self, rng: np.random.Generator, size: int) -> list[Fact]:
        return [tuple(fact) for fact in self.facts.drawn(rng, size).tolist()]

    def losses(self, examples: Sequence[Fact]) -> dict[str, Tensor]:
        facts = np.array(examples)
        named = np.unique(facts[:, [0, 2]])
        vectors = self._encoded(named.tolist())
        heads, tails = (
            vectors[torch.from_numpy(np.searchsorted(named, facts[:, end]))] for end in (0, 2)
        )
        relations = self.relations[torch.from_numpy(facts[:, 1])]
        close = self._apart(heads + relations - tails)
        loss = -functional.logsigmoid(_MARGIN - close).mean()
        for place, given, sought in (
            (2, heads + relations, vectors),
            (0, tails - relations, vectors),
        ):
            apart = self._apart(given[:, None] - sought[None])
            loss = (
                loss
                - _mean(functional.logsigmoid(apart - _MARGIN), self._wrong(facts, named, place))
                / 2
            )
        return {"TransE": loss}

    def figures(self) -> dict[str, float]:
        """Where the true end of test facts comes among entities; other true ones left out."""
        test = self.facts.test
        if not len(test):
            return {}
        vectors = self._encoded(self.among.tolist())
        ranks = []
        for place, other, sign in ((2, 0, 1), (0, 2, -1)):
            given = vectors[torch.from_numpy(np.searchsorted(self.among, test[:, other]))]
            given = given + sign * self.relations[torch.from_numpy(test[:, 1].astype(np.int64))]
            # Row by row: all at once would need much memory.
            apart = torch.stack([self._apart(row[None] - vectors) for row in given])
            own = apart.gather(
                1, torch.from_numpy(np.searchsorted(self.among, test[:, place]))[:, None]
            )
            wrong = self._wrong(test, self.among, place)
            closer = ((apart < own) & wrong).sum(dim=1)
            level = ((apart == own) & wrong).sum(dim=1)
            ranks.append(1 + closer + level / 2)
        every = torch.cat(ranks)
        return {
            f"link MRR among {len(self.among)}": float((1 / every).mean()),
            "link Hits@10": float((every <= 10).float().mean()),
        }

    def about(self, examples: int) -> str:
        return f"{examples:,} of {len(self.facts.train):,} facts of described entities"

    def _wrong(self, facts: np.ndarray, entities: np.ndarray, place: int) -> Tensor:
        """Whether a fact with another entity at that place is not true."""
        wide = [np.broadcast_to(column[:, None], (len(facts), len(entities))) for column in facts.T]
        wide[place] = np.broadcast_to(entities[None], wide[place].shape)
        true = self.facts.are_true(*(part.ravel() for part in wide))
        return torch.from_numpy(~true.reshape(wide[place].shape))

    def _encoded(self, entities: list[int]) -> Tensor:
        """The vectors of entities, from their descriptions."""
        chunks = [self._chunk(entity) for entity in entities]
        rows: list[Tensor] = []
        order: list[int] = []
        for places in by_size(chunks, _AT_ONCE):
            some = [chunks[at] for at in places]
            rows.append(
                means(self.base, some)
                if self.entity == "mean"
                else hidden_states(self.base, some)[:, 0]
            )
            order += places
        return torch.cat(rows)[torch.from_numpy(np.argsort(order))]

    def _chunk(self, entity: int) -> Chunk:
        longest = min(_LENGTH, self.base.longest - 2)
        found = self.base.tokenizer(
            self._text(entity), add_special_tokens=False, truncation=True, max_length=longest
        )
        return framed(self.base, found["input_ids"])

    def _text(self, entity: int) -> str:
        """The description of an entity; of one that has none, its name."""
        if entity not in self.texts:
            self.texts[entity] = self.facts.graph.entity(entity).label
        return self.texts[entity]

    def _apart(self, difference: Tensor) -> Tensor:
        """Distance by the sum of absolute differences, as in the paper."""
        return difference.abs().mean(dim=-1) * self.scale

    def _scale(self, entities: list[int]) -> float:
        """Such that entities are apart by what is usual for margins, whatever model it is."""
        self.scale = 1.0
        with torch.inference_mode():
            vectors = self._encoded(entities)
            apart = self._apart(vectors[:, None] - vectors[None])
        pairs = max(1, len(entities) * (len(entities) - 1))
        return _APART / max(float(apart.sum()) / pairs, 1e-6)


def _mean(values: Tensor, chosen: Tensor) -> Tensor:
    """The mean of the chosen ones in each row, then over rows."""
    counts = chosen.sum(dim=1).clamp(min=1)
    return ((values * chosen).sum(dim=1) / counts).mean()
