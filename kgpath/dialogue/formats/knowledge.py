"""Candidates written as one string: ``TITLE __knowledge__ SENTENCE``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kgpath.dialogue.records import Candidate, Turn
from kgpath.dialogue.titles import clean_title

SEPARATOR = "__knowledge__"


def candidates_of(knowledge: Any) -> tuple[Candidate, ...]:
    """The candidates of a turn; ValueError says which one cannot be read."""
    if not isinstance(knowledge, list):
        raise ValueError("knowledge is not a list of candidates")
    return tuple(candidate_of(text, at) for at, text in enumerate(knowledge))


def candidate_of(text: Any, at: int = 0) -> Candidate:
    """One candidate from its string."""
    if not isinstance(text, str):
        raise ValueError(f"candidate {at} is not a text")
    title, separator, sentence = text.partition(SEPARATOR)
    if not separator:
        raise ValueError(
            f"candidate {at} has no {SEPARATOR} between title and sentence: {text[:60]!r}"
        )
    if not title.strip():
        raise ValueError(f"candidate {at} has no title")
    return Candidate(clean_title(title), sentence.strip())


def with_gold(turn: Turn, label: Any) -> Turn:
    """A turn with its true candidate, the ``label`` of the file; -1: it is not among them.

    A candidate of which there are copies is true in any of them: the first one counts.
    """
    if isinstance(label, list) and len(label) == 1:
        (label,) = label
    if label is None or label == -1:
        return turn
    if not isinstance(label, int) or isinstance(label, bool):
        raise ValueError(f"the label {label!r} is not a whole number")
    if not 0 <= label < len(turn.candidates):
        raise ValueError(
            f"the label is {label}, but there are {len(turn.candidates)} candidates; "
            "-1 says that the true one is not among them"
        )
    true = turn.candidates[label]
    sentence = true.sentence if true.is_evidence else ""
    return replace(
        turn, gold=turn.candidates.index(true), gold_sentence=sentence, grounded=true.is_evidence
    )


def text_of(data: dict[str, Any], name: str) -> str:
    """A field that may be missing but must be a text."""
    return plain_text(data.get(name), name)


def plain_text(value: Any, name: str) -> str:
    """A text without blanks at its ends; nothing is an empty one."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a text")
    return value.strip()


def texts_of(data: dict[str, Any], name: str) -> Sequence[str]:
    """A field that may be missing but must be a list of texts."""
    value = data.get(name) or []
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{name} is not a list of texts")
    return value
