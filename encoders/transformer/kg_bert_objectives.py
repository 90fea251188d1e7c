"""What KG-BERT learns (Yao et al., 2020): which facts are true, and which relation holds.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.hidden_states import Chunk, by_size, framed, hidden_states
from kgpath.encoders.transformer.training import Objective
from kgpath.encoders.transformer.training_facts import GraphFacts
from kgpath.encoders.vectors.triple_split import Facts

#: A name is read up to so many tokens.
_NAME = 24
_AT_ONCE = 64


class TripleExample(NamedTuple):
    """A fact in words and whether it is true; or its two ends, and the relation between them."""

    chunk: Chunk
    target: int


class Names:
    """Facts and pairs of a graph as chunks, from names."""

    def __init__(self, base: Base, facts: GraphFacts) -> None:
        self.base = base
        rows = facts.graph.store.db.execute("SELECT label FROM entity ORDER BY id")
        self.entities = [label for (label,) in rows]
        self.relations = [relation.label for relation in facts.graph.store.relations]

    def fact(self, head: int, relation: int, tail: int) -> Chunk:
        """[CLS] head [SEP] relation [SEP] tail [SEP]."""
        return framed(
            self.base, *map(self._tokens, (
                self.entities[head], self.relations[relation], self.entities[tail],
            ))
        )  # fmt: skip

    def pair(self, head: int, tail: int) -> Chunk:
        """[CLS] head [SEP] tail [SEP]."""
        return framed(self.base, *map(self._tokens, (self.entities[head], self.entities[tail])))

    def _tokens(self, name: str) -> list[int]:
        # Small models have few places, and a fact has three names.
        longest = min(_NAME, (self.base.longest - 4) // 3)
        found = self.base.tokenizer(
            name, add_special_tokens=False, truncation=True, max_length=longest
        )
        return list(found["input_ids"])


class TrueFacts(Objective):
    """Triple classification: a fact, or one of its ends exchanged; by [CLS]."""

    def __init__(self, base: Base, facts: GraphFacts, names: Names, seed: int) -> None:
        super().__init__(base)
        self.facts, self.names = facts, names
        self.classify = _head(base.size, 2, seed)

    def sample(self, rng: np.random.Generator, size: int) -> list[TripleExample]:
        true = self.facts.drawn(rng, (size + 1) // 2)
        false = self.facts.corrupted(rng, true)
        both = [
            one
            for pair in zip(self._examples(true, 1), self._examples(false, 0), strict=True)
            for one in pair
        ]
        return both[:size]

    def losses(self, examples: Sequence[TripleExample]) -> dict[str, Tensor]:
        return {"true facts": _loss(self.base, self.classify, examples)}

    def figures(self) -> dict[str, float]:
        """Accuracy on test facts and as many false ones, of two kinds."""
        test, found = self.facts.test, {}
        for name, alike in (("any entity", 0.0), ("a like entity", 1.0)):
            false = self.facts.corrupted(np.random.default_rng(0), test, alike)
            examples = [*self._examples(test, 1), *self._examples(false, 0)]
            logits = _logits(self.base, self.classify, examples)
            if len(examples):
                right = logits.argmax(dim=1) == torch.tensor([one.target for one in examples])
                share = float(right.float().mean())
                found[f"true facts distinguished from those with {name}"] = share
        return found

    def about(self, examples: int) -> str:
        return f"{examples:,} true and false facts from {len(self.facts.train):,}"

    def _examples(self, facts: Facts, target: int) -> list[TripleExample]:
        return [TripleExample(self.names.fact(*fact), target) for fact in facts.tolist()]


class Relations(Objective):
    """Relation prediction: two ends, and which of all relations holds; by [CLS]."""

    def __init__(self, base: Base, facts: GraphFacts, names: Names, seed: int) -> None:
        super().__init__(base)
        self.facts, self.names = facts, names
        self.choose = _head(base.size, facts.relations, seed)

    def sample(self, rng: np.random.Generator, size: int) -> list[TripleExample]:
        return self._examples(self.facts.drawn(rng, size))

    def losses(self, examples: Sequence[TripleExample]) -> dict[str, Tensor]:
        return {"relations": _loss(self.base, self.choose, examples)}

    def figures(self) -> dict[str, float]:
        """On test facts; beside it, what the most frequent relation would reach."""
        examples = self._examples(self.facts.test)
        if not examples:
            return {}
        logits = _logits(self.base, self.choose, examples)
        true = torch.tensor([one.target for one in examples])
        own = logits.gather(1, true[:, None])
        ranks = 1 + (logits > own).sum(dim=1) + ((logits == own).sum(dim=1) - 1) / 2
        usual = int(np.bincount(self.facts.train[:, 1]).argmax())
        return {
            "relation accuracy": float((logits.argmax(dim=1) == true).float().mean()),
            "relation MRR": float((1 / ranks).mean()),
            "relation accuracy of always the most frequent": float(true.eq(usual).float().mean()),
        }

    def about(self, examples: int) -> str:
        return f"{examples:,} pairs of entities with one of {self.facts.relations:,} relations"

    def _examples(self, facts: Facts) -> list[TripleExample]:
        return [TripleExample(self.names.pair(h, t), r) for h, r, t in facts.tolist()]


def _head(size: int, answers: int, seed: int) -> nn.Linear:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Linear(size, answers)


def _loss(base: Base, head: nn.Linear, examples: Sequence[TripleExample]) -> Tensor:
    logits = head(hidden_states(base, [one.chunk for one in examples])[:, 0])
    return functional.cross_entropy(logits, torch.tensor([one.target for one in examples]))


def _logits(base: Base, head: nn.Linear, examples: Sequence[TripleExample]) -> Tensor:
    """The answers to many examples."""
    rows = torch.zeros(len(examples), head.out_features)
    for places in by_size([one.chunk for one in examples], _AT_ONCE):
        rows[places] = head(hidden_states(base, [examples[at].chunk for at in places])[:, 0])
    return rows
