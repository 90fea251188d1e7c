"""The name and options of a ranker as they stand in a model, which a stranger may have written.

A choice such as ``xendcg(context_encoder=avg-word(vectors=glove.txt))`` names a file of whoever
trained it. In a model, ``<vectors>`` stands in its place, and who loads it gives the file again.
What else a model may name are plug-ins, plain words, numbers, and models of the Hugging Face hub.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgpath.errors import BadOption, BadStore
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS, RANKERS, TEXT_ENCODERS
from kgpath.registry import parse_choice

#: What has to be given again, and what it is.
GIVEN = {"vectors": "a file of word vectors", "base": "the folder of a language model"}
_KINDS = (RANKERS, CONTEXT_ENCODERS, PATH_ENCODERS, TEXT_ENCODERS)
_WORD = re.compile(r"[\w.+-]{0,100}")
_HUB = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?")


def to_store(choice: str) -> str:
    """A choice without the places of this machine; BadOption if it cannot do without one.

    >>> to_store("score-ltr(of=avg-cosine(vectors=glove.txt), trees=5)")
    'score-ltr(of=avg-cosine(vectors=<vectors>), trees=5)'
    """

    def stored(option: str, kind: str, value: str) -> str:
        return value if kind == "base" and is_on_the_hub(value) else f"<{kind}>"

    def word(option: str, value: str) -> str:
        if not _WORD.fullmatch(value):
            raise BadOption(
                f"{option} is {value!r}: a model holds no names of files. Train with a plain word, "
                "a number or a plug-in."
            )
        return value

    return _rewritten(choice, stored, word)


def chosen_again(choice: str, model: str, given: Mapping[str, str]) -> str:
    """The choice of a stored model, with the places that are given for it here."""

    def place(option: str, kind: str, value: str) -> str:
        if kind == "base" and is_on_the_hub(value):
            return value
        if not given.get(kind):
            raise BadStore(
                f"{model} was trained with {GIVEN[kind]}, which is not part of it. Give it again: "
                f"--{kind} {kind.upper()}"
            )
        if any(letter in given[kind] for letter in "(),<>"):
            raise BadOption(f"{given[kind]!r} has brackets or commas in its name. Rename it.")
        return given[kind]

    def word(option: str, value: str) -> str:
        if not _WORD.fullmatch(value):
            raise BadStore(f"{model} names {value[:60]!r}, which no model may. Train it again.")
        return value

    return _rewritten(choice, place, word)


def is_on_the_hub(name: str) -> bool:
    """Whether a name can only be one of the Hugging Face hub: no folder here is called so."""
    return bool(_HUB.fullmatch(name)) and not Path(name).exists()


def _rewritten(choice: str, place: Any, word: Any) -> str:
    """A choice with its places and words as two functions make them, also within brackets."""
    name, options = parse_choice(choice)
    places = {
        option: kind
        for registry in _KINDS
        if name in registry
        for option, kind in registry.entry(name).places
    }
    word("name", name)
    said = []
    for option, value in options.items():
        if option in places and value != "":
            value = place(option, places[option], str(value))
        elif isinstance(value, str):
            value = _rewritten(value, place, word) if "(" in value else word(option, value)
        said.append(f"{word('option', option)}={value}")
    return f"{name}({', '.join(said)})" if said else name
