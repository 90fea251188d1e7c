"""Facts with marked sentences as examples of which sentences tell a fact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.features.fact_sentences import SentenceRows, sentence_table
from kgpath.features.path_features import PathFeatures
from kgpath.learning.marked_sentences import MarkedSentences, same_sentences


def sentence_examples(
    features: PathFeatures, marked: MarkedSentences
) -> tuple[SentenceRows, NDArray[np.int8]]:
    """The sentences that may tell each marked fact among ``features.facts``; 1 for those that do.

    A sentence does where it shows any of those that people marked.
    """
    facts = features.facts
    keys = list(
        zip(facts.heads.tolist(), facts.relations.tolist(), facts.tails.tolist(), strict=True)
    )
    known = np.array([at for at, key in enumerate(keys) if key in marked.facts], dtype=np.int64)
    rows = sentence_table(features, known)
    spans = features.context.sentences
    theirs = {
        number: same_sentences(spans, marked.starts, [number])
        for number in np.unique(rows.sentence).tolist()
    }
    told = [
        not theirs[sentence].isdisjoint(marked.facts[keys[fact]])
        for fact, sentence in zip(rows.fact.tolist(), rows.sentence.tolist(), strict=True)
    ]
    return rows, np.array(told, dtype=np.int8)
