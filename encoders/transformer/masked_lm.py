"""Masked words: to predict the words of a description that are hidden (Devlin et al., 2018).

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.hidden_states import Chunk, by_size, chunks_of, hidden_states
from kgpath.encoders.transformer.training import Objective
from kgpath.encoders.transformer.training_facts import introductions_of
from kgpath.lexicon.text import sentence_spans

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: So many tokens of a text are read, from the beginning of one of its sentences.
LENGTH = 64
_MASKED, _HIDDEN, _OTHER = 0.15, 0.8, 0.9
_VALIDATION, _AT_ONCE = 200, 32
_IGNORED = -100


class MaskedExample(NamedTuple):
    """A chunk some of whose tokens are hidden, and what each of those is."""

    chunk: Chunk
    true: list[int]  # -100 for what is not masked


Read = Callable[[int, str], Chunk]


class MaskedLM(Objective):
    """15 % of a text's tokens are to be predicted: 80 % masked, 10 % others, 10 % as they are.

    ``read`` makes a chunk of an entity's text; without it, the text is read as it is.
    """

    def __init__(self, base: Base, graph: Graph, seed: int, read: Read | None = None) -> None:
        super().__init__(base)
        self.read = read or (lambda entity, text: chunks_of(base, text)[0])
        texts = list(introductions_of(graph).items())
        rng = np.random.default_rng(seed)
        order = [texts[at] for at in rng.permutation(len(texts)).tolist()]
        validation = min(_VALIDATION, len(order) // 10)
        self.validation, self.texts = order[:validation], order[validation:]
        table = base.model.get_input_embeddings().weight
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.dense = nn.Linear(base.size, table.shape[1])
        self.norm = nn.LayerNorm(table.shape[1])
        self.bias = nn.Parameter(self._frequencies(len(table)))

    def sample(self, rng: np.random.Generator, size: int) -> list[MaskedExample]:
        drawn = [self.texts[at] for at in rng.integers(len(self.texts), size=size).tolist()]
        return [self._masked(rng, entity, text) for entity, text in drawn]

    def losses(self, examples: Sequence[MaskedExample]) -> dict[str, Tensor]:
        logits, true = self._logits(examples)
        nats = functional.cross_entropy(logits, true, reduction="sum")
        return {"masked words": nats / max(1, len(true))}  # a text may be of no words

    def figures(self) -> dict[str, float]:
        return self.measured(self.read, "masked-word")

    def measured(self, read: Read, name: str) -> dict[str, float]:
        """Loss and accuracy on the validation texts, the same words hidden each time."""
        rng = np.random.default_rng(0)
        examples = [self._masked(rng, entity, text, read) for entity, text in self.validation]
        nats, right, count = 0.0, 0, 0
        for places in by_size([one.chunk for one in examples], _AT_ONCE):
            logits, true = self._logits([examples[at] for at in places])
            nats += float(functional.cross_entropy(logits, true, reduction="sum"))
            right += int((logits.argmax(dim=1) == true).sum())
            count += len(true)
        if not count:
            return {}
        return {f"{name} loss": nats / count, f"{name} accuracy": right / count}

    def about(self, examples: int) -> str:
        return f"{examples:,} spans of the {len(self.texts):,} descriptions, words masked"

    def _logits(self, examples: Sequence[MaskedExample]) -> tuple[Tensor, Tensor]:
        """For every hidden token a number for each word, and which it is."""
        states = hidden_states(self.base, [one.chunk for one in examples])
        true = torch.full(states.shape[:2], _IGNORED)
        for row, one in zip(true, examples, strict=True):
            row[: len(one.true)] = torch.tensor(one.true)
        masked = true != _IGNORED
        guessed = self.norm(functional.gelu(self.dense(states[masked])))
        table = self.base.model.get_input_embeddings().weight
        return functional.linear(guessed, table, self.bias), true[masked]

    def _masked(
        self, rng: np.random.Generator, entity: int, text: str, read: Read | None = None
    ) -> MaskedExample:
        starts = [start for start, _ in sentence_spans(text)] or [0]
        start = starts[int(rng.integers(len(starts)))]
        chunk = (read or self.read)(entity, self._cut(text[start:]))
        words = np.flatnonzero(chunk.places[:, 0] >= 0)
        # Drawn for every word: which are hidden does not depend on what else is in the chunk.
        hidden, how = rng.random(len(words)), rng.random(len(words))
        other = rng.integers(len(self.bias), size=len(words))
        if len(words):
            hidden[int(rng.integers(len(words)))] = 0  # at least one
        ids, true = list(chunk.ids), [_IGNORED] * len(chunk.ids)
        for number, at in enumerate(words.tolist()):
            if hidden[number] < _MASKED:
                true[at] = ids[at]
                if how[number] < _HIDDEN:
                    ids[at] = self.base.tokenizer.mask_token_id
                elif how[number] < _OTHER:
                    ids[at] = int(other[number])
        return MaskedExample(chunk._replace(ids=ids), true)

    def _cut(self, text: str) -> str:
        """The beginning of a text, such that it has not too many tokens."""
        longest = min(LENGTH, self.base.longest - 2)
        found = self.base.tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=True,
            max_length=longest,
        )["offset_mapping"]  # fmt: skip
        return text[: found[-1][1]] if found else text

    def _frequencies(self, words: int) -> Tensor:
        """How often each word occurs, as logarithms: what can be guessed without reading."""
        counts = np.ones(words)
        for at in range(0, len(self.texts), 1000):
            some = [text for _, text in self.texts[at : at + 1000]]
            ids = self.base.tokenizer(some, add_special_tokens=False, verbose=False)["input_ids"]
            for row in ids:
                np.add.at(counts, row, 1)
        return torch.tensor(np.log(counts / counts.sum()), dtype=torch.float32)


class MaskedTrees(MaskedLM):
    """The same over sentence trees; the figures show what the branches are good for."""

    def figures(self) -> dict[str, float]:
        bare = self.measured(
            lambda entity, text: chunks_of(self.base, text)[0], "masked-word without facts"
        )
        return {**super().figures(), **bare}
