"""Names and sentences as plain text: folding, names made from IRIs, first sentences."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

_ASCII_FOLD = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)} | {
    ord("'"): None,
    ord("`"): None,
}
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´")


def fold(name: str) -> str:
    """The form in which names are compared: no case, accents, punctuation or extra space.

    A name of symbols alone ("!!!", "☆") would fold to nothing; it is compared as it stands.

    >>> fold("Beyoncé Knowles-Carter")
    'beyonce knowles carter'
    >>> fold("Ocean's Eleven") == fold("oceans eleven")
    True
    """
    if name.isascii():
        return " ".join(name.translate(_ASCII_FOLD).split()) or " ".join(name.split())
    # Folding case can bring back composed letters, and composed letters can hide an apostrophe.
    letters = unicodedata.normalize("NFKD", name.translate(_APOSTROPHES)).casefold()
    letters = unicodedata.normalize("NFKD", letters).translate(_APOSTROPHES)
    kept = (
        character if character.isalnum() else " "
        for character in letters
        if not unicodedata.combining(character)
    )
    return " ".join("".join(kept).split()) or " ".join(name.split())


def local_name(iri: str) -> str:
    """The last part of an IRI, decoded: what people see of it when there is no label.

    >>> local_name("http://dbpedia.org/resource/Beyonc%C3%A9")
    'Beyoncé'
    """
    tail = re.split(r"[#/:]", iri.rstrip("#/:"))[-1]
    return unquote(tail) or iri


def entity_label(iri: str) -> str:
    """A readable name for an entity without a label.

    >>> entity_label("http://dbpedia.org/resource/Casino_Royale_(2006_film)")
    'Casino Royale (2006 film)'
    """
    match = re.match(
        r"(?:[a-z][a-z0-9+.-]*://[^/]*/(?:resource|entity|page|wiki)/|urn:kg:)(.+)", iri
    )
    # "AC/DC" and "Alien: Covenant" keep their slash and colon where the IRI's shape is known.
    tail = unquote(match.group(1)) if match else local_name(iri)
    return " ".join(tail.replace("_", " ").split()) or iri


def relation_label(iri: str) -> str:
    """A readable name for a relation or class without a label.

    >>> relation_label("http://dbpedia.org/ontology/musicComposer")
    'music composer'
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", local_name(iri).replace("_", " "))
    return " ".join(word if word.isupper() else word.lower() for word in words.split()) or iri


_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st sr jr prof gen col lt sgt capt rev hon gov sen rep vs etc no vol inc ltd co "
    "corp bros ca cf dept est fig approx feat ft eg ie al op jan feb mar apr jun jul aug sep sept "
    "oct nov dec".split()
)
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)")


def first_sentence(text: str, limit: int = 300) -> str:
    """The opening sentence of a text, cut at a word where it is longer than ``limit``.

    >>> first_sentence("Dr. No is a 1962 film. It was shot in Jamaica.")
    'Dr. No is a 1962 film.'
    """
    text = " ".join(text.split())
    end = len(text)
    for match in _SENTENCE_END.finditer(text):
        word = text[: match.start()].rsplit(" ", 1)[-1].strip("(\"'“")
        dotted = match.group().startswith(".")
        initial = len(word) == 1 or "." in word  # "J. R. R.", "U.S."
        following = text[match.end() :].lstrip()[:1]
        if dotted and (initial or word.lower() in _ABBREVIATIONS or following.islower()):
            continue
        if text[match.end() :] == " …":  # a sentence that was cut here before
            continue
        end = match.end()
        break
    if end <= limit:
        return text[:end]
    return (text[: limit - 2].rsplit(" ", 1)[0].rstrip(" ,;:") + " …").strip()
