"""Which entity of a graph a page title means: by label, alias, redirect, and the titles around it.

A title is the name of a page, so an entity with exactly that label is taken for it. Where only a
shorter form fits, it counts only with proof, as another page has the short name: "Orphan Black" is
the entity "Orphan Black (TV series)" if one of its sentences says so ("Orphan Black is a …
series"), "Rocky (film)" the entity "Rocky" if that is of type film. Homonyms are settled by how
many of the other titles they are near in the graph, then by the text, then by their facts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from kgpath.dialogue.nodes import Nodes
from kgpath.dialogue.records import NO_PASSAGE
from kgpath.dialogue.titles import clean_title
from kgpath.dialogue.words import title_words, words
from kgpath.graph import Graph
from kgpath.lexicon.text import fold, local_name, tokenize, without_qualifier
from kgpath.linking.name_hits import name_hits
from kgpath.paths.finder import PathFinder, PathOptions

#: How a name fits a title, the better first.
LABEL, ALIAS, SHORT = 0, 1, 2
_REDIRECTS = frozenset({"wikiPageRedirects", "redirect", "redirects"})
_CHOICES = frozenset({"wikiPageDisambiguates"})
_CACHED = 1 << 16  # titles
_MOST = 20  # homonyms looked at
_OPENING = 15  # words in which a sentence says what a thing is
_NEAR = PathOptions(max_hops=2, hub_cap=1000)
# A word of a qualifier that says nothing: "2006 film" and "film" are one.
_YEAR = re.compile(r"\d+\Z")
_LOST_APOSTROPHE = re.compile(r" (?=(?:s|t|re|ll|ve|d|m)\b)")


class Meaning(NamedTuple):
    """An entity that a title may mean, how its name fits, and what a text must say for it."""

    entity: int
    fit: int
    qualifiers: tuple[str, ...] = ()


class TitleLinker:
    """Links the titles of turns to the entities of one graph; what it looked up is cached."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._known: dict[str, tuple[Meaning, ...]] = {}

    def link(self, nodes: Nodes) -> list[int]:
        """The entity of each title of a turn; -1 where the graph has none that fits."""
        meanings = [self.meanings(title) for title in nodes.titles]
        sure = [
            found[0].entity if len(found) == 1 and not found[0].qualifiers else -1
            for found in meanings
        ]
        for node, found in enumerate(meanings):
            if found and sure[node] < 0:
                others = [m for at, m in enumerate(meanings) if at != node]
                sure[node] = self._settled(nodes, node, found, others)
        return sure

    def meanings(self, title: str) -> tuple[Meaning, ...]:
        """The entities that a title may mean, the best fit first; empty if there are none."""
        found = self._known.get(title)
        if found is None:
            if len(self._known) >= _CACHED:
                self._known.clear()
            found = self._known[title] = tuple(self._look_up(clean_title(title)))
        return found

    # By name

    def _look_up(self, title: str) -> list[Meaning]:
        if title == NO_PASSAGE:
            return []
        folded = fold(title)
        named = self._named(folded, title)
        if not named:
            mended = _LOST_APOSTROPHE.sub("", folded)
            named = self._named(mended, title) if mended != folded else []
        exact = [m for m in named if m.fit == named[0].fit]
        same = [m for m in exact if self.graph.entity(m.entity).label == title]
        return (same or exact or self._short(title))[:_MOST]

    def _named(self, folded: str, title: str) -> list[Meaning]:
        """Entities with this full name, labels before aliases, the best known first.

        Case tells pages apart ("Free will" is not the record label "Free-Will"), unless the title
        is written all small or all large.
        """
        rows = self.graph.store.db.execute(
            "SELECT n.entity, n.label, n.text FROM name n JOIN entity e ON e.id = n.entity"
            " WHERE n.folded = ? ORDER BY n.label DESC, e.degree DESC, e.iri",
            (folded,),
        ).fetchall()
        cased = not (title.islower() or title.isupper())
        found: dict[int, Meaning] = {}
        for entity, label, name in rows:
            if not cased or _capitals(name) == _capitals(title):
                found.setdefault(entity, Meaning(entity, LABEL if label else ALIAS))
        return list(dict.fromkeys(chain.from_iterable(map(self._followed, found.values()))))

    def _short(self, title: str) -> list[Meaning]:
        """Entities whose name, or the title's, fits only without its qualifier."""
        found: dict[int, Meaning] = {}
        plain, qualifier = _parted(title)
        if qualifier:
            qualifiers = _kind_words(qualifier)
            for meaning in self._named(fold(plain), plain):
                if qualifiers and set(qualifiers) <= self._kinds(meaning.entity):
                    found[meaning.entity] = Meaning(meaning.entity, SHORT)
        else:
            tokens = tokenize(title)
            for hit in name_hits(self.graph, tokens):
                if (hit.first, hit.last) == (0, len(tokens)):
                    for entity in self.graph.index.name_entities[hit.low : hit.high].tolist():
                        label = self.graph.entity(entity).label
                        bare = without_qualifier(label)
                        qualifiers = _kind_words(label[len(bare) :])
                        if qualifiers and fold(bare) == fold(title):
                            found[entity] = Meaning(entity, SHORT, qualifiers)
        known = self.graph.store.entities(found)
        return sorted(found.values(), key=lambda m: (-known[m.entity].degree, known[m.entity].iri))

    def _followed(self, meaning: Meaning) -> list[Meaning]:
        """Where a redirect or a page of choices leads; else the entity itself."""
        if not self._leading:
            return [meaning]
        ids = ",".join(map(str, self._leading))
        rows = self.graph.store.db.execute(
            f"SELECT tail FROM edge WHERE head = ? AND relation IN ({ids}) ORDER BY tail",
            (meaning.entity,),
        ).fetchall()
        return [Meaning(tail, ALIAS) for (tail,) in rows] or [meaning]

    @cached_property
    def _leading(self) -> list[int]:
        """The relations that lead from a name to the thing itself."""
        wanted = _REDIRECTS | _CHOICES
        return [r.id for r in self.graph.store.relations if local_name(r.iri) in wanted]

    # By what is around it

    def _settled(
        self,
        nodes: Nodes,
        node: int,
        found: Sequence[Meaning],
        others: Sequence[Sequence[Meaning]],
    ) -> int:
        """The meaning that the other titles and the text speak for; -1 if proof is missing."""
        possible = [m for m in found if not m.qualifiers or _defined(nodes, node, m.qualifiers)]
        if len(possible) < 2:
            return possible[0].entity if possible else -1
        # A title without sentences of its own is settled by what was said.
        said = nodes.sentences[node] or (nodes.turn.query, *nodes.turn.history)
        text = set(words(" ".join(said)))
        near = self._neighbours(possible, others)
        shared = [len(text & self._said_of(m.entity)) for m in possible]
        best = max(range(len(possible)), key=lambda at: (near[at], shared[at], -at))
        return possible[best].entity

    def _neighbours(
        self, possible: Sequence[Meaning], others: Sequence[Sequence[Meaning]]
    ) -> list[float]:
        """How many of the other titles each meaning is near: a neighbour counts 1, two hops ½."""
        entities = list(dict.fromkeys(m.entity for m in chain(possible, *others)))
        place = {entity: at for at, entity in enumerate(entities)}
        hops = self.graph.derived(PathFinder).hops_between(entities, _NEAR).astype(np.float64)
        worth = np.divide(1.0, hops, out=np.zeros_like(hops), where=hops > 0)
        return [
            sum(
                max((worth[place[m.entity], place[o.entity]] for o in other), default=0.0)
                for other in others
            )
            for m in possible
        ]

    def _said_of(self, entity: int) -> set[str]:
        """The words of an entity's name, types and description."""
        known = self.graph.entity(entity)
        return self._kinds(entity) | set(title_words(f"{known.label} {known.description}"))

    def _kinds(self, entity: int) -> set[str]:
        """The words of an entity's types."""
        types = (class_.label for class_ in self.graph.types(entity))
        return set(_kind_words(" ".join(types)))


def _defined(nodes: Nodes, node: int, qualifiers: Sequence[str]) -> bool:
    """Whether a sentence that begins with the title says soon that it is of this kind."""
    begins = title_words(nodes.titles[node])
    for sentence in nodes.sentences[node]:
        opening = _kind_words(sentence)[:_OPENING]
        if opening[: len(begins)] == begins and set(qualifiers) <= set(opening):
            return True
    return False


def _capitals(name: str) -> list[bool]:
    """Which letters of a name are large, but for the first: pages begin with a capital anyway."""
    return [letter.isupper() for letter in name if letter.isalpha()][1:]


def _parted(title: str) -> tuple[str, str]:
    """A title and its qualifier, in brackets or after the two spaces that brackets leave.

    >>> _parted("Athletics  physical culture"), _parted("Kiss (band)"), _parted("Cat")
    (('Athletics', 'physical culture'), ('Kiss', 'band'), ('Cat', ''))
    """
    plain = without_qualifier(title)
    if plain != title:
        return plain, title[len(plain) :].strip(" ()")
    plain, _, qualifier = title.partition("  ")
    return plain, qualifier.strip()


def _kind_words(qualifier: str) -> tuple[str, ...]:
    """The words of a qualifier that say what kind of thing it is."""
    plain = (word for word in title_words(qualifier) if not _YEAR.match(word))
    return tuple("television" if word == "tv" else word for word in plain)
