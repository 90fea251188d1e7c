"""Zero-shot with a reader: does a sentence of the text say what a hop says?"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features import PathFeatures
from kgpath.rankers.ranker import Numbers, Scores
from kgpath.rankers.zero_shot import ZeroShot
from kgpath.registry import TEXT_ENCODERS, TextEncoder
from kgpath.verbalise import fact_in_words

#: Set by hand, as those of zero-shot.
WEIGHTS = {"hop read": 6.0, "weakest hop read": 4.0, "relation read": 8.0}
#: At most so many sentences are read, those with the most evidence first.
MOST_SENTENCES = 60


class ZeroShotText(ZeroShot):
    """The best paths of zero-shot, read again: cosine of each hop with its closest sentence.

    ``best`` paths are read; all others come after them.
    """

    def __init__(self, encoder: str | TextEncoder = "minilm", best: int = 40) -> None:
        if not isinstance(best, int) or best < 1:
            raise BadOption(f"best is {best!r}; it can be 1 or more.")
        self.chosen = encoder
        self.best = best

    @cached_property
    def encoder(self) -> TextEncoder:
        encoder: TextEncoder = TEXT_ENCODERS.make(self.chosen)
        return encoder

    def score(self, features: PathFeatures) -> Scores:
        scores = super().score(features)
        if not len(scores.total):
            return scores
        read = scores.total >= np.sort(scores.total)[-self.best :][0]  # ties are all read
        parts = self._read(features, read)
        # What is not read gets no credit, and stays behind the least of what is.
        parts["not read"] = np.where(read, 0.0, -sum(WEIGHTS.values()))
        return Scores.sum_of({**scores.parts, **parts})

    def _read(self, features: PathFeatures, read: NDArray[np.bool_]) -> dict[str, Numbers]:
        facts, context = features.facts, features.context
        used = np.unique(facts.of[read])
        used = used[used >= 0]
        sentences = _unit(self.encoder.encode(_sentences(features, used)))
        relations, relation_at = np.unique(facts.relations[used], return_inverse=True)
        by_id = context.graph.relations_by_id
        names = [by_id[number].label for number in relations.tolist()]
        rows = _unit(self.encoder.encode([*_in_words(features, used), *names]))
        # The closest sentence to each fact and to each relation.
        closest = (rows @ sentences.T).max(axis=1, initial=-1)
        hops, told = np.zeros(len(facts.heads)), np.zeros(len(facts.heads))
        hops[used], told[used] = closest[: len(used)], closest[len(used) :][relation_at]
        return {
            "hop read": np.where(read, WEIGHTS["hop read"] * features.mean(hops), 0),
            "weakest hop read": np.where(
                read, WEIGHTS["weakest hop read"] * -features.most(-hops), 0
            ),
            "relation read": np.where(read, WEIGHTS["relation read"] * features.mean(told), 0),
        }


def _unit(rows: NDArray[np.float32]) -> Numbers:
    """Rows of length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _in_words(features: PathFeatures, used: NDArray[np.int64]) -> list[str]:
    facts, graph = features.facts, features.context.graph
    heads, tails = facts.heads[used].tolist(), facts.tails[used].tolist()
    labels = graph.store.entities({*heads, *tails})
    return [
        fact_in_words(labels[head].label, graph.relations_by_id[relation].label, labels[tail].label)
        for head, relation, tail in zip(heads, facts.relations[used].tolist(), tails, strict=True)
    ]


def _sentences(features: PathFeatures, used: NDArray[np.int64]) -> list[str]:
    """The sentences of the text; of a long text those that show most of the facts."""
    context = features.context
    chosen = range(len(context.sentences))
    if len(chosen) > MOST_SENTENCES:
        seen = used[features.evidence.seen[used]]
        places = np.concatenate([features.evidence.first[seen], features.evidence.last[seen] - 1])
        counts = np.bincount(context.sentence_of[places], minlength=len(chosen))
        chosen = np.sort(np.argsort(-counts, kind="stable")[:MOST_SENTENCES]).tolist()
    return [context.text[slice(*context.sentences[number])] for number in chosen]
