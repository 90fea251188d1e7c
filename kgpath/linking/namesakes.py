"""Where a text means the namesake of what a name stands for: "the film", "the remake of 1976".

A song and a film may be called the same, and a text about both says the name once. What brackets
say of one and not of the other tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import fold, folded_words, without_qualifier

if TYPE_CHECKING:
    from kgpath.linking.context import Context

#: What a kind has before it where one of its things is meant: "the film", not "a film".
_DEFINITE = frozenset({"the", "this", "that"})

Span = tuple[int, int]


def told_apart(
    context: Context, names: Iterable[str], others: Iterable[str]
) -> tuple[list[Span], float]:
    """Where words stand that only the names of one namesake have in brackets, and their share."""
    telling = _in_brackets(names) - _in_brackets(others)
    places = {word: _meant_at(context, word) for word in sorted(telling)}
    spans = sorted((place, place + 1) for found in places.values() for place in found)
    return spans, sum(map(bool, places.values())) / len(places) if places else 0.0


def _in_brackets(names: Iterable[str]) -> set[str]:
    words = (folded_words(fold(name[len(without_qualifier(name)) :])) for name in names)
    return {word for some in words for word in some if word not in STOP_WORDS}


def _meant_at(context: Context, word: str) -> list[int]:
    """Where a word of brackets stands for a thing: a year or name anywhere, a kind with "the"."""
    places = context.places.get(word, [])
    if word.isdecimal():
        return places
    return [place for place in places if _is_definite(context, place)]


def _is_definite(context: Context, place: int) -> bool:
    """Whether "the" or "the new" stands before, and no name behind: not "the film Rocky"."""
    tokens = context.tokens
    if _DEFINITE.isdisjoint(tokens.words[max(place - 2, 0) : place]):
        return False
    if place + 1 == len(tokens):
        return True
    between = context.text[tokens.ends[place] : tokens.starts[place + 1]]
    return bool(between.strip()) or not context.text[tokens.starts[place + 1]].isupper()
