"""The words by which a text may express a relation: those of its name, and a few others by hand.

A graph says ``birthPlace`` and a text "was born in". Forms of a word are met by their first
letters ("director", "directed"); the table below, written by hand from general English, has words
that share none. It is no more than a help: a relation it does not know goes by its name alone.
"""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from kgpath.lexicon.stop_words import LITTLE_WORDS
from kgpath.lexicon.text import fold, relation_label

if TYPE_CHECKING:
    from kgpath.graph import Graph

# Within the label of a relation ("is the name of a") these say nothing of what it relates.
_LITTLE = LITTLE_WORDS | frozenset("an at by from has is name on or to with".split())

_SYNONYMS = """
affiliation: member joined
alma: graduated attended studied student degree education
architect: designed
artist: singer musician performer recorded
author: wrote written writer
award: won prize
band: member
birth: born native
broadcasted: aired channel
builder: built constructed
child: son daughter father mother parent
citizenship: national
club: played plays player team
coach: manager managed
commander: led
composer: music wrote
country: nation national
crew: astronaut member
death: died dead killed
demonym: called known inhabitants people
derivative: derives
designer: design
distributor: released
editing: edited editor
education: graduated attended studied school college university
employer: works worked
family: species
founder: established started created
ground: stadium home plays
headquarter: based located
headquarters: based located
hometown: home grew
ingredient: made contains include includes including
label: signed
language: spoken speak speaks
launch: launched
leader: led lead head president mayor king queen governor
location: situated based lies found
manager: coach coached
manufacturer: made built produced maker
mater: graduated attended studied student degree education
member: belongs part
nationality: citizen
network: aired broadcast channel
occupation: worked works profession career job
operator: run runs
origin: comes native
owner: own
owning: owner
parent: father mother son daughter child
part: within
party: politician
performer: sings sang singer recorded
portrayer: played plays role
predecessor: before succeeded replaced
president: led head
publisher: released
region: area
relative: brother sister cousin family
religion: faith
residence: lives lived home
sibling: brother sister
spouse: married wife husband
stadium: ground home plays
starring: cast acted actor actress role played
state: province
successor: followed after replaced
team: played plays player club
tenant: home
training: trained
writer: wrote author
"""
SYNONYMS = {
    word: tuple(others.split())
    for word, others in (line.split(":") for line in _SYNONYMS.strip().splitlines())
}


class RelationWords:
    """The words of every relation's names, and how rare each word is among all relations."""

    def __init__(self, graph: Graph) -> None:
        self.spellings = [
            _spellings(relation.label, relation.iri) for relation in graph.store.relations
        ]
        counts = Counter(
            word
            for spellings in self.spellings
            for word in {word for spelling in spellings for word in spelling}
        )
        self.rarity = {
            word: log((len(self.spellings) + 1) / count) for word, count in counts.items()
        }


def _spellings(label: str, iri: str) -> tuple[tuple[str, ...], ...]:
    """The words of a relation's label and of its IRI, each without little words."""
    names = dict.fromkeys((fold(label), fold(relation_label(iri))))
    spellings = []
    for name in names:
        words = [word for word in dict.fromkeys(name.split()) if not word.isdigit()]
        spellings.append(tuple(word for word in words if word not in _LITTLE) or tuple(words))
    return tuple(dict.fromkeys(filter(None, spellings)))
