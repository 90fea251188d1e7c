"""Which setting of a context encoder ranks best: tried on part of the queries learned from."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.io.progress import counted, reporting
from kgpath.metrics import JudgedRanking, evaluate
from kgpath.metrics.folds import fold_of

if TYPE_CHECKING:
    from kgpath.rankers.encoded.encoded_examples import EncodedExample, TextExample
    from kgpath.rankers.encoded.encoded_ranker import EncodedRanker

#: Settings are compared on the queries over so many texts, in so many folds.
TEXTS, FOLDS = 150, 3


def choose_setting(ranker: EncodedRanker, examples: Sequence[TextExample]) -> None:
    """Let the ranker's context encoder take the setting with the best MRR; its first if they tie.

    The path encoder has to be fitted. Where all queries are over one text, nothing can be
    compared and the first setting stays.
    """
    choices = ranker.fitted_context_encoder.choices()
    if not choices:
        return
    some = _some(examples, ranker.seed)
    texts = [one.context.text for one in some]
    folds = min(FOLDS, len(set(texts)))
    if folds < 2:
        ranker.fitted_context_encoder.choose(choices[0])
        return
    fold = np.array(fold_of(texts, folds, ranker.seed))
    encoding = counted(some, "encoding paths", "queries")
    paths = [ranker.encode_paths(one.candidates) for one in encoding]
    best, highest = choices[0], -1.0
    for setting in counted(choices, "choosing weights", "settings"):
        ranker.fitted_context_encoder.choose(setting)
        encoded = [
            ranker.encode_with(one.context, one.candidates, rows, one.true)
            for one, rows in zip(some, paths, strict=True)
        ]
        with reporting(_unheard):  # that each setting is learned in so many steps
            mrr = fmean(
                rr for own in range(folds) for rr in _reciprocals(ranker, encoded, fold, own)
            )
        if mrr > highest:
            best, highest = setting, mrr
    ranker.fitted_context_encoder.choose(best)


def _unheard(step: str, done: int, total: int) -> None:
    """The progress of a part of what is told as a whole."""


def _some(examples: Sequence[TextExample], seed: int) -> list[TextExample]:
    """The queries over some texts, drawn at random; no matter in which order they come."""
    texts = sorted({one.context.text for one in examples})
    drawn = np.random.default_rng(seed).permutation(len(texts))[:TEXTS]
    chosen = {texts[place] for place in drawn.tolist()}
    return [one for one in examples if one.context.text in chosen]


def _reciprocals(
    ranker: EncodedRanker, examples: Sequence[EncodedExample], fold: NDArray[np.int64], own: int
) -> tuple[float, ...]:
    """1 / rank of the true path for the queries of a fold, learned from the others."""
    fresh = copy.copy(ranker)
    rng = np.random.default_rng(ranker.seed)
    others = [examples[at] for at in np.flatnonzero(fold != own).tolist()]
    fresh.learn([one.take(fresh.sample_paths(len(one.paths), one.true, rng)) for one in others])
    tried = (examples[at] for at in np.flatnonzero(fold == own).tolist())
    judged = (
        JudgedRanking("", tuple(fresh.score_rows(one.rows()).tolist()), one.true) for one in tried
    )
    return evaluate(judged, ["MRR"])["MRR"]
