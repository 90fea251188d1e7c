"""Which hop codes mean the same: found by what a graph says, and kept in groups.

*child* walked forwards is *parent* walked backwards, hence hop codes rather than relations. Neither
shared facts nor names are enough alone: people die where they were born, and films are written by
their directors; *partners* are those of people or of companies. So there are two steps.

Relations whose names differ in no more than case, number, spaces and words such as "name" are the
same if they have facts in common, or join entities that are alike in their types (or, without any,
in their other relations) at both ends; not if they disagree where both have facts.

Their facts are then taken together. Two hop codes mean the same if

- they agree where both have facts;
- their names are near in meaning, the nearer the fewer of all their facts they have in common; a
  relation and its own inverse have one name, so that only facts speak for them;
- neither is a part of the other: all mothers are parents;
- their names were not set apart on purpose, by numbers ("crew 1" and "crew 2") or by other words
  ("arrival craft" and "departure craft", "president" and "vice president"), unless the two join
  the same entities nearly everywhere.

In both steps, a relation below another in the ontology says more than that, and is not the same;
and what many relations are called ("currency", at the end of many a path) is the name of none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.relation_names import (
    RelationName,
    Spellings,
    distinctive,
    form,
    near,
    numbered_apart,
    same_form,
    set_apart,
)
from kgpath.storage.hop_codes import code_of, inverse, is_backward, relation_of
from kgpath.storage.hop_groups import SamePair, grouped
from kgpath.storage.hop_profiles import HopProfiles
from kgpath.storage.ontology import closure, group
from kgpath.storage.relation_overlap import Codes, Hops

#: Fewer facts tell nothing of two relations, be it that they are in common or to compare.
FEWEST = 5
#: Relations of one name agree on so many of the facts to compare, at the least.
OPPOSED = 0.1
#: How alike entities are: at both ends of relations of one name, else at one.
ALIKE = 0.25
#: How often two codes of other names agree, at the least.
AGREE = 0.65
#: The share of all their facts that two codes have nearly everywhere in common, and how much of
#: its own a code has in common with one that it is a part of.
NEARLY_ALL, A_PART = 0.85, 0.95
#: How near their names are, at the least, where they have at least such a share in common.
SOME = 0.1
NEAR = ((NEARLY_ALL, 0.4), (SOME, 0.6), (0.0, 0.8))

Places: TypeAlias = NDArray[np.int64]


def same_hops(db: sqlite3.Connection, offsets: Places, hop_offsets: Places, codes: Codes) -> Codes:
    """The groups of the hop codes of a graph file, from its arrays and what it says of relations.

    Each code has the smallest of its group: itself where it is alone.
    """
    rows = db.execute("SELECT label, iri FROM relation ORDER BY id").fetchall()
    iris = [iri for _, iri in rows]
    hops = Hops(offsets, hop_offsets, codes, most=2 * len(rows))
    kinds = Kinds(
        {number: [number] for number in range(len(rows))},
        distinctive([RelationName.of(label, iri) for label, iri in rows]),
        group(db.execute("SELECT child, parent FROM relation_parent")),
        HopProfiles(db, hops),
        hops.facts[::2],
    )
    called = grouped(called_the_same(kinds, hops), iris)
    kinds = kinds.pooled(called)
    firsts = [min(iris[each] for each in kinds.members.get(n, [n])) for n in range(len(iris))]
    return grouped(agreeing(kinds, hops.pooled(called)), firsts)[called]


@dataclass(frozen=True)
class Kinds:
    """What is known of relations beside their facts, where some are taken together as one kind.

    ``members`` are the relations of each kind; a kind has the number of one of them.
    """

    members: Mapping[int, Sequence[int]]
    names: Sequence[RelationName]
    parents: Mapping[int, Sequence[int]]
    profiles: HopProfiles
    facts: Places

    def pooled(self, called: Codes) -> Kinds:
        """Relations with codes of one group as one kind."""
        kinds = relation_of(called[::2]).tolist()
        return replace(self, members=group((kind, number) for number, kind in enumerate(kinds)))

    def spellings(self, kind: int) -> Spellings:
        """All names of a kind."""
        names = (self.names[each].spellings for each in self.members[kind])
        return tuple({spelling: None for spellings in names for spelling in spellings})

    def nested(self, one: int, other: int) -> bool:
        """Whether a relation of one kind lies below one of the other in the ontology."""
        ours, theirs = self.members[one], self.members[other]
        above, below = closure(ours, self.parents), closure(theirs, self.parents)
        return one != other and not (above.isdisjoint(theirs) and below.isdisjoint(ours))

    def alike(self, one: int, other: int) -> bool:
        """Whether all relations of two kinds lead from or to alike entities, but for those of few
        facts.
        """
        some = (
            [code_of(each, is_backward(code)) for each in self.members[relation_of(code)]
             if self.facts[each] >= FEWEST]
            for code in (one, other)
        )  # fmt: skip
        return all(max(self.profiles.ends(a, b)) >= ALIKE for a, b in product(*some))


def called_the_same(kinds: Kinds, hops: Hops) -> Iterator[SamePair]:
    """Relations whose names say the same, as far as the graph bears it out."""
    called: dict[str, list[int]] = {}
    for relation, name in enumerate(kinds.names):
        if kinds.facts[relation]:
            for spelling in set(map(form, name.spellings)):
                called.setdefault(spelling, []).append(relation)
    pairs = {two for relations in called.values() for two in combinations(relations, 2)}
    for one, other in sorted(pairs):
        if not same_form(kinds.names[one], kinds.names[other]) or kinds.nested(one, other):
            continue
        codes = code_of(one, False), code_of(other, False)
        agreement = hops.agreement(*codes)
        opposed = agreement.compared >= FEWEST and agreement.share < OPPOSED
        agreed = hops.shared(*codes) >= FEWEST
        if not opposed and (agreed or min(kinds.profiles.ends(*codes)) >= ALIKE):
            yield SamePair(*codes, agreement.sureness)


def agreeing(kinds: Kinds, hops: Hops) -> Iterator[SamePair]:
    """Hop codes that agree and whose names are near in meaning."""
    for one, other, shared in hops.sharing(FEWEST):
        if is_backward(one):
            continue  # its inverse comes, too
        facts = hops.facts[one], hops.facts[other]
        common = shared / (sum(facts) - shared)
        # Names before facts: a relation of millions of facts has many others beside it.
        if _named_alike(kinds, one, other, common) and (
            common >= NEARLY_ALL or shared < A_PART * min(facts)
        ):
            agreement = hops.agreement(one, other)
            fit = one == inverse(other) or kinds.alike(one, other)
            if agreement.share >= AGREE and fit:
                yield SamePair(one, other, agreement.sureness)


def _named_alike(kinds: Kinds, one: int, other: int, common: float) -> bool:
    """Whether the names of two codes say the same, that have such a share of facts in common."""
    relations = relation_of(one), relation_of(other)
    if relations[0] == relations[1]:
        return common >= SOME
    names = kinds.spellings(relations[0]), kinds.spellings(relations[1])
    if numbered_apart(*names):
        return False
    if common < NEARLY_ALL and set_apart(*names, inverse=is_backward(one) != is_backward(other)):
        return False
    enough = next(nearness for share, nearness in NEAR if common >= share)
    return near(*names) >= enough and not kinds.nested(*relations)
