"""What a sentence encoder makes of facts: how close a sentence of the text comes to each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.component import GraphReader, TextEncoder
from kgpath.features.path_features import PathFeatures
from kgpath.linking.verbalise import fact_in_words
from kgpath.rankers.ranker import Numbers

#: At most so many sentences are read, those with the most evidence first.
MOST_SENTENCES = 60


def read_facts(
    features: PathFeatures, used: NDArray[np.int64], encoder: TextEncoder
) -> tuple[Numbers, Numbers]:
    """For every fact the cosine of it, and of its relation alone, with the closest sentence.

    Only the facts at the places ``used`` are read; the others have 0.
    """
    facts = features.facts
    if isinstance(encoder, GraphReader):
        encoder = encoder.of(features.context.graph)
    sentences = _unit(encoder.encode(_sentences(features, used)))
    relations, relation_at = np.unique(facts.relations[used], return_inverse=True)
    by_id = features.context.graph.store.relations
    names = [by_id[number].label for number in relations.tolist()]
    rows = _unit(encoder.encode([*_in_words(features, used), *names]))
    closest = (rows @ sentences.T).max(axis=1, initial=-1)
    of_facts, of_relations = np.zeros(len(facts.heads)), np.zeros(len(facts.heads))
    of_facts[used], of_relations[used] = closest[: len(used)], closest[len(used) :][relation_at]
    return of_facts, of_relations


def _unit(rows: NDArray[np.float32]) -> Numbers:
    """Rows of length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _in_words(features: PathFeatures, used: NDArray[np.int64]) -> list[str]:
    facts, graph = features.facts, features.context.graph
    heads, tails = facts.heads[used].tolist(), facts.tails[used].tolist()
    labels = graph.store.entities({*heads, *tails})
    return [
        fact_in_words(labels[head].label, graph.store.relations[relation].label, labels[tail].label)
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
