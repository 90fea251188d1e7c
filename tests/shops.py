"""A small world of people and shops, and texts about it that say the same thing in a few ways.

Everybody is joined to a shop by two relations. Half of the texts say one of them in its own word
and in odd ones ("kicked off … as founder of"); so the odd words can be learned.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import kgpath
from kgpath.io.queries import Query
from kgpath.io.texts import GivenText

#: Odd words for what a founder and an owner does.
FOUNDING, OWNING = (
    "kicked off, set up and got going",
    "pays bills, keeps books and signs cheques in",
)
_FIRST = "Ad Be Ca Do Em Fy Ge He Iv Ja Ku Lo".split()
_LAST = "ram rok rin rus ralf rina roda rek".split()
PEOPLE = [one + other for one, other in product(_FIRST, _LAST)]
EX = "http://example.org/"
FACTS = "".join(
    f'ex:{name} rdfs:label "{name} {name}sen"@en ; ex:founder_of ex:shop{number} ;'
    f" ex:owner_of ex:shop{number} .\n"
    f'ex:shop{number} rdfs:label "{name}mart Stores"@en .\n'
    for number, name in enumerate(PEOPLE)
)
GRAPH = f"""
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ex: <{EX}> .
ex:founder_of rdfs:label "founder of"@en .
ex:owner_of rdfs:label "owner of"@en .
{FACTS}"""


def built(folder: Path) -> Path:
    """The graph as a file in a folder."""
    (folder / "shops.ttl").write_text(GRAPH, encoding="utf-8")
    kgpath.build([folder / "shops.ttl"], folder / "shops.kg")
    return folder / "shops.kg"


def person(number: int) -> str:
    """The name of a person."""
    return f"{PEOPLE[number]} {PEOPLE[number]}sen"


def shop(number: int) -> str:
    """The name of the own shop of a person."""
    return f"{PEOPLE[number]}mart Stores"


def said(number: int, words: str) -> str:
    """That a person did something to the own shop."""
    return f"{person(number)} {words} {shop(number)} in spring."


def texts(count: int = len(PEOPLE)) -> list[GivenText]:
    """Texts that put two words for one thing beside each other."""
    words = (f"{FOUNDING} as founder of", f"{OWNING} as owner of")
    return [GivenText(f"t{n}", said(n, words[n % 2])) for n in range(count)]


def question(number: int, words: str, relation: str) -> Query:
    """Which relation a person has to the own shop."""
    path = (f"{EX}{PEOPLE[number]}", f"{EX}{relation}", f"{EX}shop{number}")
    return Query(f"q{number}", path[0], path[-1], said(number, words), (path,))


def preference(kg: kgpath.Graph, words: str, ranker: object, number: int = 0) -> float:
    """How much rather a text says that somebody founded the own shop than that they own it."""
    asked = question(number, words, "")
    answers = kg.query(asked.head, asked.tail, asked.document, ranker=ranker, k=2)
    score = {answer.path.hops[0].relation.iri: answer.score for answer in answers}
    return score[f"{EX}founder_of"] - score[f"{EX}owner_of"]
