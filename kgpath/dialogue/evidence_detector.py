"""Does a turn need evidence at all? A small classifier over how things were said.

Logistic regression over a dozen features of the query and of what the answering side said
before (a wizard who chats goes on chatting). The words themselves were tried and only overfit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgpath.dialogue.records import Dialogue, Turn
from kgpath.dialogue.words import words
from kgpath.errors import BadOption, BadSource, BadStore
from kgpath.io.atomic import replacing
from kgpath.io.saved_json import finite, read_json

Numbers = NDArray[np.float64]

FEATURES = (
    "always", "query length", "very short query", "question", "exclamation", "first turn",
    "turns so far", "length of answers", "length of last answer", "I in answers",
    "length of words in answers", "number in last answer", "question in last answer",
)  # fmt: skip
_PERSONAL = frozenset({"i", "me", "my", "m", "mine", "we", "our"})
_ROUNDS = 30
_FOLDS = 5
_KIND = "kgpath need detector"  # in files, and there to stay
_MOST_BYTES = 2**20
#: The numbers of a turn are at most about 2: more than this is as sure as can be.
_HEAVIEST = 10_000


class EvidenceDetector:
    """Says how probable it is that a turn needs evidence; below ``threshold`` it needs none.

    ``l2`` keeps weights small. :meth:`fit` also chooses the threshold: the one with the best F1 on
    turns of dialogues that the weights were not fitted on.
    """

    def __init__(self, l2: float = 1.0) -> None:
        if l2 <= 0:
            raise BadOption(f"l2 is {l2}; it must be more than 0.")
        self.l2 = l2
        self.threshold = 0.0
        self._weights: Numbers | None = None

    def fit(self, dialogues: Sequence[Dialogue]) -> EvidenceDetector:
        """Learn from all turns that say whether they used evidence."""
        known = [
            (at, turn)
            for at, dialogue in enumerate(dialogues)
            for turn in dialogue.turns
            if turn.grounded is not None
        ]
        without = np.array([not turn.grounded for _, turn in known], dtype=np.float64)
        if not 0 < without.sum() < len(without):
            raise BadSource(
                "A detector learns from turns with evidence and turns without: there are "
                f"{int(len(without) - without.sum()):,} and {int(without.sum()):,}."
            )
        table = _table([turn for _, turn in known])
        fold = np.array([at for at, _ in known]) % _FOLDS
        validated = np.zeros(len(known))
        for number in range(_FOLDS):
            rest = fold != number
            weights = _fitted(table[rest], without[rest], self.l2)
            validated[~rest] = _probability(table[~rest], weights)
        self.threshold = 1 - _best_cut(validated, without)
        self._weights = _fitted(table, without, self.l2)
        return self

    def need(self, turns: Sequence[Turn]) -> Numbers:
        """How probable it is that each turn needs evidence."""
        if self._weights is None:
            raise BadOption("The detector is not trained: fit it, or load one that is.")
        return 1 - _probability(_table(turns), self._weights)

    def weights(self) -> dict[str, float]:
        """What speaks for needing no evidence, by feature."""
        if self._weights is None:
            return {}
        return dict(zip(FEATURES, self._weights.tolist(), strict=True))

    def save(self, path: str | Path) -> None:
        """Write the detector as one JSON file, which appears whole or not at all."""
        if self._weights is None:
            raise BadOption("The detector is not trained: there is nothing to save.")
        about = {
            "kind": _KIND, "l2": self.l2, "threshold": self.threshold, "weights": self.weights()
        }  # fmt: skip
        with replacing(Path(path)) as temporary:
            temporary.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> EvidenceDetector:
        """Read what :meth:`save` wrote."""
        try:
            about = read_json(Path(path), dict, _MOST_BYTES)
            detector = cls(finite(about["l2"], "l2"))
            detector.threshold = finite(about["threshold"], "threshold")
            weights = [finite(about["weights"][name], name) for name in FEATURES]
            if about.get("kind") != _KIND or max(map(abs, weights)) > _HEAVIEST:
                raise ValueError("it holds something else")
            detector._weights = np.array(weights)
        except FileNotFoundError:
            raise BadStore(
                f"There is no detector {path}. Train one: kgpath dialogue train FILE -o {path}"
            ) from None
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise BadStore(
                f"{path} is no detector of this version ({error}). Train it again."
            ) from error
        return detector


def _table(turns: Sequence[Turn]) -> Numbers:
    return np.array([_features(turn) for turn in turns], dtype=np.float64).reshape(
        -1, len(FEATURES)
    )


def _features(turn: Turn) -> tuple[float, ...]:
    """The numbers of a turn, each about 0 to 2."""
    said = words(turn.query)
    # Utterances alternate, and the last of the history is the answering side's.
    answers = [words(text) for text in reversed(turn.history)][::2]
    last = answers[0] if answers else []
    number = max(len(answers), 1)
    spoken = [word for answer in answers for word in answer]
    personal = sum(not _PERSONAL.isdisjoint(answer) for answer in answers)
    return (
        1.0,
        min(len(said), 40) / 20,
        float(len(said) < 5),
        float("?" in turn.query),
        float("!" in turn.query),
        float(not answers),
        min(len(answers), 5) / 2.5,
        min(len(spoken) / number, 40) / 20,
        min(len(last), 40) / 20,
        personal / number,
        sum(map(len, spoken)) / max(len(spoken), 1) / 5,
        float(any(word.isdigit() for word in last)),
        float(bool(turn.history) and "?" in turn.history[-1]),
    )


def _probability(table: Numbers, weights: Numbers) -> Numbers:
    # Not by matrix product: its sums may depend on the number of threads.
    with np.errstate(over="ignore"):  # as sure as can be
        believed: Numbers = 1 / (1 + np.exp(-(table * weights).sum(axis=1)))
    return believed


def _fitted(table: Numbers, targets: Numbers, l2: float) -> Numbers:
    """Weights by Newton's method."""
    weights = np.zeros(table.shape[1])
    for _ in range(_ROUNDS):
        believed = _probability(table, weights)
        slope = np.einsum("ij,i->j", table, believed - targets) + l2 * weights
        bend = np.einsum("ij,i,ik->jk", table, believed * (1 - believed), table)
        weights = weights - np.linalg.solve(bend + l2 * np.eye(len(weights)), slope)
    return weights


def _best_cut(probability: Numbers, targets: Numbers) -> float:
    """The probability from which on a positive is believed, for the best F1."""
    order = np.argsort(-probability, kind="stable")
    right = np.cumsum(targets[order])
    f1 = 2 * right / (np.arange(1, len(order) + 1) + targets.sum())
    return float(probability[order][int(np.argmax(f1))])
