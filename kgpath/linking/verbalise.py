"""Facts in plain words, for encoders that read sentences and for people."""

from __future__ import annotations

from kgpath.lexicon.text import without_qualifier
from kgpath.types import Path


def fact_in_words(head: str, relation: str, tail: str) -> str:
    """A fact as a short sentence, from the labels of its parts.

    >>> fact_in_words("Casino Royale (2006 film)", "starring", "Daniel Craig")
    'Casino Royale starring Daniel Craig'
    """
    return f"{without_qualifier(head)} {relation} {without_qualifier(tail)}"


def path_in_words(path: Path) -> str:
    """The facts of a path as short sentences, each in the direction in which it is stated."""
    facts = []
    for at, hop in enumerate(path.hops):
        ends = path.nodes[at : at + 2] if hop.forward else path.nodes[at : at + 2][::-1]
        facts.append(fact_in_words(ends[0].label, hop.relation.label, ends[1].label))
    return ". ".join(facts) + "." if facts else without_qualifier(path.nodes[0].label)
