"""How alike two texts are: token F1, ROUGE-L and BLEU-4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kgpath.dialogue.words import words
from kgpath.extras import require


def token_f1(one: str, other: str) -> float:
    """The F1 of the words two texts have in common, counted as often as both have them.

    >>> token_f1("the cat sat", "The cat!")
    0.8
    """
    first, second = words(one), words(other)
    common = (Counter(first) & Counter(second)).total()
    return 2 * common / (len(first) + len(second)) if common else 0.0


def rouge_l(one: str, other: str) -> float:
    """The F1 (beta 1) of the longest common subsequence of words; no stemming.

    >>> rouge_l("the cat sat", "the big cat")
    0.6666666666666666
    """
    first, second = words(one), words(other)
    common = _longest_common(first, second)
    return 2 * common / (len(first) + len(second)) if common else 0.0


def _longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence, a row of the table as the bits of a number."""
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    row = whole = (1 << len(one)) - 1
    for word in other:
        hits = row & places.get(word, 0)
        row = (row + hits | row - hits) & whole
    return len(one) - row.bit_count()


class Bleu(NamedTuple):
    """BLEU-4 of all turns, from 0 to 1, and how exactly it was computed."""

    value: float
    signature: str


def bleu4(made: Sequence[str], true: Sequence[str]) -> Bleu:
    """Corpus BLEU-4 by sacrebleu."""
    metric = require("sacrebleu.metrics.bleu", "dialogue", "BLEU-4").BLEU(lowercase=True)
    score = metric.corpus_score(list(made), [list(true)]).score / 100
    return Bleu(float(score), str(metric.get_signature()))
