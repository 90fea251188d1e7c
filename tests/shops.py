"""A small world of people and shops, and texts about it that say the same thing in a few ways.

Everybody is joined to a shop by two relations. Half of the texts say one of them in its own word
and in an odd one ("kicked off and founded"); so the odd word can be learned.
"""

from __future__ import annotations

from pathlib import Path

import kgpath
from kgpath.io.queries import Query
from kgpath.io.texts import GivenText

PEOPLE = "Adam Bera Cato Dora Emil Fynn Gerd Hedy Ivor Jana Kurt Lore Mats Nele Otto Petr".split()
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


def said(number: int, words: str) -> str:
    """That a person did something to the own shop."""
    name = PEOPLE[number]
    return f"{name} {name}sen {words} {name}mart Stores in spring."


def texts(count: int = len(PEOPLE)) -> list[GivenText]:
    """Texts that put two words for one thing beside each other."""
    words = ("kicked off as founder of", "pays bills as owner of")
    return [GivenText(f"t{n}", said(n, words[n % 2])) for n in range(count)]


def question(number: int, words: str, relation: str) -> Query:
    """Which relation a person has to the own shop."""
    path = (f"{EX}{PEOPLE[number]}", f"{EX}{relation}", f"{EX}shop{number}")
    return Query(f"q{number}", path[0], path[-1], said(number, words), (path,))
