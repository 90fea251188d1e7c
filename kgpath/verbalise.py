"""Facts in plain words, for encoders that read sentences and for people."""

from __future__ import annotations

from kgpath.name_table import without_qualifier


def fact_in_words(head: str, relation: str, tail: str) -> str:
    """A fact as a short sentence, from the labels of its parts.

    >>> fact_in_words("Casino Royale (2006 film)", "starring", "Daniel Craig")
    'Casino Royale starring Daniel Craig'
    """
    return f"{without_qualifier(head)} {relation} {without_qualifier(tail)}"
