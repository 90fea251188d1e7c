"""Do two names of relations say the same? "leader" and "leader name", "author" and "writer"."""

from __future__ import annotations

from typing import NamedTuple

from kgpath.lexicon.near_words import nearness, parts_of
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import fold, local_name, relation_label

#: They say nothing of what a relation is, at the begin of its name or within; at its end, "of" and
#: "by" say from which side it is read ("capital of", "influenced by").
_EMPTY = frozenset("a an and are has have is name names of or the was were with".split())
#: The shortest word of which a last "s" may be a plural's.
_PLURAL = 4


class RelationName(NamedTuple):
    """What a relation is called: the words of its label and, if it has any, of its IRI."""

    label: tuple[str, ...]
    iri: tuple[str, ...]

    @classmethod
    def of(cls, label: str, iri: str) -> RelationName:
        """From a label and an IRI; one with a number, such as ``P131``, says nothing."""
        said = "" if any(map(str.isdigit, local_name(iri))) else relation_label(iri)
        return cls(tuple(fold(label).split()), tuple(fold(said).split()))

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """The names it has, each once."""
        return tuple(dict.fromkeys(filter(None, self)))


def form(words: tuple[str, ...]) -> str:
    """A name less its number, its spaces and words that say nothing; "x of y" as "y x".

    >>> form(("place", "of", "birth")), form(("leader", "names")), form(("capital", "of"))
    ('birthplace', 'leader', 'capital of')
    """
    if "of" in words[1:-1]:
        at = words.index("of", 1)
        words = words[at + 1 :] + words[:at]
    last = words[-1] if words[-1:] in (("of",), ("by",)) else ""
    kept = [_singular(word) for word in words if word not in _EMPTY | {last}]
    return f"{''.join(kept) or ''.join(words)} {last}".rstrip()


def _singular(word: str) -> str:
    plural = len(word) >= _PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def same_form(one: RelationName, other: RelationName) -> bool:
    """Whether two names differ in no more than case, number, spaces and words that say nothing.

    What an IRI says goes before a label: two may share one that is too short for both.
    """
    if one.iri and other.iri:
        return form(one.iri) == form(other.iri)
    return bool(one.label and other.label) and form(one.label) == form(other.label)


def near(one: RelationName, other: RelationName) -> float:
    """How near in meaning two names are, from 0 to 1: each word to the nearest of the other name.

    Of several spellings, the nearest two.
    """
    return max(
        (_near(a, b) for a in map(_saying, one.spellings) for b in map(_saying, other.spellings)),
        default=0.0,
    )


def _saying(words: tuple[str, ...]) -> list[str]:
    """The words of a name that say something; all if none does."""
    parts = [part for word in words for part in parts_of(word)]
    return [part for part in parts if part not in _EMPTY and part not in STOP_WORDS] or parts


def _near(one: list[str], other: list[str]) -> float:
    cells = nearness(one, other)
    return float(cells.max(axis=0).mean() + cells.max(axis=1).mean()) / 2


def set_apart(one: RelationName, other: RelationName) -> bool:
    """Whether two names share a word and have each one of their own, as "birth place" and "death
    place": whoever made them wanted two relations.
    """
    return any(
        set(a) & set(b) and set(a) - set(b) and set(b) - set(a)
        for a in map(_distinct, one.spellings)
        for b in map(_distinct, other.spellings)
    )


def _distinct(words: tuple[str, ...]) -> list[str]:
    return [_singular(word) for word in words if word not in _EMPTY]
