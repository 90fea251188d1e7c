"""Do the names of two relations say the same? "leader" and "leader name", "author" and "writer"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from kgpath.lexicon.near_words import nearness, parts_of, word_vectors
from kgpath.lexicon.text import fold, local_name, relation_label

#: The words of a name, and the names that a relation has.
Words: TypeAlias = tuple[str, ...]
Spellings: TypeAlias = tuple[Words, ...]

#: What more relations are called tells none from another.
MOST_NAMESAKES = 5
#: They say nothing of what a relation is, at the begin of its name or within; at its end, "of" and
#: "by" say from which side it is read ("capital of", "influenced by").
_EMPTY = frozenset("and are has have is name names of or the was were with".split())
#: Nor do these, where the words of two names are compared one by one.
_LITTLE = _EMPTY | frozenset("a an at by for from in into on to".split())
_SIDES = (("of",), ("by",))
_INVERSE = ("~", "^", "-")
#: The shortest word of which a last "s" may be a plural's.
_PLURAL = 5


class RelationName(NamedTuple):
    """What a relation is called: the words of its label and, if it has any, of its IRI."""

    label: Words
    iri: Words

    @classmethod
    def of(cls, label: str, iri: str) -> RelationName:
        """From a label and an IRI; one with a number, such as ``P131``, says nothing.

        >>> RelationName.of("auteur", "http://dbpedia.org/ontology/writer").spellings
        (('auteur',), ('writer',))
        """
        said = "" if re.search(r"\d", local_name(iri)) else relation_label(iri)
        return cls(_words(label), _words(said))

    @property
    def spellings(self) -> Spellings:
        """The names it has, each once."""
        return tuple(dict.fromkeys(filter(None, self)))


def _words(name: str) -> Words:
    """The words of a name; some graphs mark the inverse of a relation: ``~written_by``."""
    return (*(("inverse",) if name.startswith(_INVERSE) else ()), *fold(name).split())


def form(words: Words) -> str:
    """A name less its number, its spaces and words that say nothing; "x of y" as "y x".

    >>> form(("place", "of", "birth")), form(("leader", "names")), form(("capital", "of"))
    ('birthplace', 'leader', 'capital of')
    """
    side = words[-1] if words[-1:] in _SIDES else ""
    if "of" in words[1:-1]:
        at = words.index("of", 1)
        words = words[at + 1 :] + words[:at]
    kept = [_singular(word) for word in words if word not in _EMPTY and word != side]
    return f"{''.join(kept) or ''.join(words)} {side}".rstrip()


def _singular(word: str) -> str:
    if len(word) < _PLURAL or not word.endswith("s") or word.endswith("ss"):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


def same_form(one: RelationName, other: RelationName) -> bool:
    """Whether two names differ in no more than case, number, spaces and words that say nothing.

    What an IRI says goes before a label: two may share one that is too short for both.
    """
    if one.iri and other.iri:
        return form(one.iri) == form(other.iri)
    return bool(one.label and other.label) and form(one.label) == form(other.label)


def distinctive(names: Sequence[RelationName]) -> list[RelationName]:
    """The names of all relations of a graph, less those that more than a few of them have."""
    having = Counter(called for name in names for called in set(map(form, name.spellings)))

    def kept(words: Words) -> Words:
        return words if having[form(words)] <= MOST_NAMESAKES else ()

    return [RelationName(kept(name.label), kept(name.iri)) for name in names]


def near(one: Spellings, other: Spellings) -> float:
    """How near in meaning two names are, from 0 to 1: each word to the nearest of the other name.

    Of several spellings, the nearest two.
    """
    return max(
        (_near(a, b) for a in map(_saying, one) for b in map(_saying, other)),
        default=0.0,
    )


def _near(one: list[str], other: list[str]) -> float:
    cells = nearness(one, other)
    # Words that are not known may be anything: their first letters do not make them forms of one.
    known = np.outer(word_vectors(one).any(axis=1), word_vectors(other).any(axis=1))
    cells = np.where(known | (cells == 1), cells, 0)
    return float(cells.max(axis=0).mean() + cells.max(axis=1).mean()) / 2


def _saying(words: Words) -> list[str]:
    """The words of a name that say something; all if none does."""
    parts = [part for word in words for part in parts_of(word)]
    return [part for part in parts if part not in _LITTLE] or parts


def set_apart(one: Spellings, other: Spellings, *, inverse: bool = False) -> bool:
    """Whether two names share a word and one has another, too: they were to be two relations.

    So are "president" and "vice president". Of an inverse, both have one: "next album" and
    "last album" are the same fact from its two ends, "arrival craft" and "departure craft" are not.
    """
    return any(
        a & b and a != b and (not inverse or a < b or b < a)
        for a in _distinct(one)
        for b in _distinct(other)
    )


def _distinct(name: Spellings) -> list[set[str]]:
    return [{_singular(word) for word in words} - _LITTLE for words in name]


def numbered_apart(one: Spellings, other: Spellings) -> bool:
    """Whether two names have different numbers in them, as "crew 1" and "crew 2"."""
    return _numbers(one) != _numbers(other)


def _numbers(name: Iterable[Words]) -> set[str]:
    return {number for words in name for number in re.findall(r"\d+", " ".join(words))}
