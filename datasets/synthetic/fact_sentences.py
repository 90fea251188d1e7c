"""Facts as plain sentences, for graphs without texts: varied, and the same for one seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kgpath.lexicon.text import without_qualifier
from kgpath.types import Entity

#: {h} has the relation {r} to {t}.
_NOUN = (
    "The {r} of {h} is {t}.",
    "{t} is the {r} of {h}.",
    "{h} has {t} as {r}.",
    "For {h}, the {r} is {t}.",
    "{t} is known as the {r} of {h}.",
    "When it comes to {h}, {t} is the {r}.",
)
_NOUNS = (
    "Among the {r} of {h} is {t}.",
    "{t} is one of the {r} of {h}.",
    "{h} has {t} among the {r}.",
    "The {r} of {h} include {t}.",
)
#: For a relation that ends in a little word: "based on", "member of", "founded by".
_PHRASE = (
    "{h} is {r} {t}.",
    "It is known that {h} is {r} {t}.",
    "As records show, {h} is {r} {t}.",
)
#: For one that begins with a verb: "is part of", "shares border with".
_CLAUSE = ("{h} {r} {t}.", "It is known that {h} {r} {t}.", "As records show, {h} {r} {t}.")
_ANY = ("{h} is linked with {t}.", "There is a link between {h} and {t}.", "{t} goes with {h}.")
_BORN = ("{h} was born in {t}.", "{t} is where {h} was born.", "{h} came into the world in {t}.")
_DIED = ("{h} died in {t}.", "{t} is where {h} died.", "The life of {h} ended in {t}.")
_CAST = (
    "{h} stars {t}.",
    "{t} stars in {h}.",
    "{t} plays a part in {h}.",
    "{h} has {t} in a role.",
)
_OWN = {
    "starring": _CAST,
    "cast member": _CAST,
    "birth place": _BORN,
    "place of birth": _BORN,
    "death place": _DIED,
    "place of death": _DIED,
    "spouse": ("{h} is married to {t}.", "{h} and {t} are married.", "{t} is the spouse of {h}."),
    "genre": (
        "{h} belongs to the genre {t}.",
        "The genre of {h} is {t}.",
        "{h} is counted as {t}.",
    ),
    "influenced": ("{h} influenced {t}.", "{t} was influenced by {h}."),
    "played for": ("{h} played for {t}.", "{t} is a team that {h} played for."),
    "see also": _ANY,
    "page link": _ANY,
}
_PREPOSITIONS = frozenset("by in on of from at to with for after as under into".split())
_VERBS = frozenset("is has was are were have shares uses contains follows includes had".split())
#: Of what kind an entity is.
_KIND = ("{h} is {k}.", "{h} is known as {k}.", "There is {k} called {h}.")
_LONGEST = 6  # words of a relation's name that still make a sentence


class FactSentence(NamedTuple):
    """A sentence, and which entity it names where: (entity, first character, last)."""

    text: str
    names: tuple[tuple[int, int, int], ...]


def fact_sentence(
    head: Entity, relation: str, tail: Entity, rng: np.random.Generator
) -> FactSentence:
    """A fact as a sentence, in one of several ways.

    >>> bond, craig = Entity(0, "ex:b", "James Bond"), Entity(1, "ex:c", "Daniel Craig")
    >>> fact_sentence(bond, "portrayer", craig, np.random.default_rng(0)).text
    'When it comes to James Bond, Daniel Craig is the portrayer.'
    """
    name = plain_label(relation)
    patterns = _OWN.get(name.lower()) or label_patterns(name)
    return _filled(_pick(patterns, rng), {"h": head, "t": tail}, {"r": name})


def kind_sentence(entity: Entity, kind: str, rng: np.random.Generator) -> FactSentence:
    """Of what kind an entity is, as a sentence.

    >>> kind_sentence(Entity(1, "ex:c", "Daniel Craig"), "actor", np.random.default_rng(2)).text
    'There is an actor called Daniel Craig.'
    """
    name = plain_label(kind)
    article = "an" if name[:1].lower() in "aeiou" else "a"
    return _filled(_pick(_KIND, rng), {"h": entity}, {"k": f"{article} {name}"})


def label_patterns(relation: str) -> Sequence[str]:
    """Sentences with {h}, {t} and the label itself as {r}, by how its words are built.

    >>> label_patterns("based on")[0]
    '{h} is {r} {t}.'
    """
    words = relation.lower().split()
    if not words or len(words) > _LONGEST:
        return _ANY
    if words[0] in _VERBS:
        return _CLAUSE
    if words[-1] in _PREPOSITIONS:
        return _PHRASE
    return _NOUNS if words[-1].endswith("s") and not words[-1].endswith(("ss", "us")) else _NOUN


def plain_label(name: str) -> str:
    """A name of a relation or class without brackets and marks: "(political) office"."""
    bare = re.sub(r"\([^()]*\)\s*$", "", name) if not name.startswith("(") else name
    bare = re.sub(r"^[\w-]*#", "", bare)
    return " ".join(re.sub(r"[(){}.;:]", " ", bare).split())


def _pick(patterns: Sequence[str], rng: np.random.Generator) -> str:
    return patterns[int(rng.integers(len(patterns)))]


def _filled(pattern: str, entities: dict[str, Entity], words: dict[str, str]) -> FactSentence:
    text, names = "", []
    for part in re.split(r"(\{\w\})", pattern):
        key = part[1:-1] if part.startswith("{") else ""
        if key in entities:
            name = without_qualifier(entities[key].label)
            names.append((entities[key].id, len(text), len(text) + len(name)))
            text += name
        elif not (part == "." and text.endswith(".")):  # "… is Aston Villa F.C."
            text += words[key] if key else part
    return FactSentence(text, tuple(names))
