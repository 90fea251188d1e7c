"""Which hop codes mean the same: found by what a graph says, and kept in groups.

*child* walked forwards is *parent* walked backwards, hence hop codes rather than relations. Neither
shared facts nor names are enough alone: people die where they were born, and films are written by
their directors; *partners* are those of people or of companies. So there are two steps:

- Relations whose names differ in no more than case, number, spaces and words such as "name" are
  the same if at one end they have entities of like types, or none has a type, or if they agree;
  not if they disagree where both have facts.
- Their facts are taken together. Then two hop codes mean the same if they agree where both have
  facts, and their names are near in meaning. Names that share a word and have each one of their
  own ("arrival craft", "departure craft") were set apart on purpose: walked in one direction they
  have to join the same entities nearly everywhere. So were those with different numbers.

Groups are joined only where all of their pairs mean the same, the surest pair first, so that no
chain leads from one meaning to another; ties are broken by IRI, never by id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.relation_names import (
    RelationName,
    Spellings,
    form,
    near,
    numbered_apart,
    same_form,
    set_apart,
)
from kgpath.storage.hop_codes import code_of, inverse, is_backward, relation_of
from kgpath.storage.ontology import closure, group
from kgpath.storage.relation_overlap import MOST_PARALLEL, Agreement, Codes, Hops
from kgpath.storage.type_profiles import TypeProfiles

#: Of each relation, those above it in the ontology.
Parents: TypeAlias = Mapping[int, Sequence[int]]

#: Fewer facts in common tell nothing, nor do fewer to compare.
FEWEST = 5
#: How often two codes agree, at the least.
AGREE = 0.65
#: The share of all their facts that two codes have nearly everywhere in common.
NEARLY_ALL = 0.85
#: How near their names are, at the least, where they have at least such a share in common.
NEAR = ((NEARLY_ALL, 0.4), (0.1, 0.6), (0.0, 0.8))
#: How alike the types are at one end of relations of one name.
ALIKE = 0.3
#: Relations of one name do not disagree in more of their facts.
OPPOSED = 0.1


def same_hops(
    db: sqlite3.Connection, offsets: NDArray[np.int64], hop_offsets: NDArray[np.int64], codes: Codes
) -> Codes:
    """The groups of the hop codes of a graph file, from its arrays and what it says of relations.

    Each code has the smallest of its group: itself where it is alone.
    """
    rows = db.execute("SELECT label, iri FROM relation ORDER BY id").fetchall()
    iris = [iri for _, iri in rows]
    names = [RelationName.of(label, iri) for label, iri in rows]
    hops = Hops(offsets, hop_offsets, codes, most=2 * len(rows))
    types = TypeProfiles(db, len(offsets) - 1, hops.starts)
    parents = group(db.execute("SELECT child, parent FROM relation_parent"))
    called = grouped(called_the_same(names, hops, types, parents), iris)
    kinds = relation_of(called[::2]).tolist()
    members = group((kind, relation) for relation, kind in enumerate(kinds))
    spellings = {
        kind: tuple({spelling for each in relations for spelling in names[each].spellings})
        for kind, relations in members.items()
    }
    firsts = [min(iris[each] for each in members.get(kind, [kind])) for kind in range(len(iris))]
    parents = group(
        (kind, kinds[above])
        for kind, relations in members.items()
        for each in relations
        for above in parents.get(each, ())
    )
    return grouped(agreeing(spellings, hops.pooled(called), parents), firsts)[called]


class SamePair(NamedTuple):
    """Two hop codes that mean the same, and how surely; the first is walked forwards."""

    one: int
    other: int
    agreement: Agreement


def called_the_same(
    names: Sequence[RelationName], hops: Hops, types: TypeProfiles, parents: Parents
) -> Iterator[SamePair]:
    """Relations whose names say the same, as far as the graph bears it out."""
    called: dict[str, list[int]] = {}
    for relation, name in enumerate(names):
        if hops.facts[code_of(relation, False)]:
            for spelling in set(map(form, name.spellings)):
                called.setdefault(spelling, []).append(relation)
    few = (relations for relations in called.values() if len(relations) <= MOST_PARALLEL)
    pairs = {pair for relations in few for pair in combinations(relations, 2)}
    for one, other in sorted(pairs):
        if same_form(names[one], names[other]) and not _nested(one, other, parents):
            codes = code_of(one, False), code_of(other, False)
            agreement = hops.agreement(*codes)
            if _borne_out(agreement, hops.shared.get(codes, 0), types, codes):
                yield SamePair(*codes, agreement)


def _borne_out(
    agreement: Agreement, shared: int, types: TypeProfiles, codes: tuple[int, int]
) -> bool:
    if agreement.compared >= FEWEST and agreement.share < OPPOSED:
        return False
    if shared >= FEWEST:
        return True
    ends = types.likeness(*codes), types.likeness(*map(inverse, codes))
    known = [likeness for likeness in ends if likeness is not None]
    return not known or max(known) >= ALIKE


def agreeing(spellings: dict[int, Spellings], hops: Hops, parents: Parents) -> Iterator[SamePair]:
    """Hop codes that agree and are named alike; ``spellings`` are those of relations by id."""
    for (one, other), shared in sorted(hops.shared.items()):
        relations = relation_of(one), relation_of(other)
        if shared < FEWEST or is_backward(one):
            continue
        names = spellings[relations[0]], spellings[relations[1]]
        common = shared / (hops.facts[one] + hops.facts[other] - shared)
        apart = not is_backward(other) and set_apart(*names) and common < NEARLY_ALL
        if apart or numbered_apart(*names):
            continue
        # Names before facts: a relation of millions of facts has many others beside it.
        enough = next(nearness for share, nearness in NEAR if common >= share)
        if near(*names) >= enough and not _nested(*relations, parents):
            agreement = hops.agreement(one, other)
            if agreement.share >= AGREE:
                yield SamePair(one, other, agreement)


def _nested(one: int, other: int, parents: Parents) -> bool:
    """Whether one relation lies below the other, which then says less."""
    return one != other and (other in closure([one], parents) or one in closure([other], parents))


def grouped(pairs: Iterable[SamePair], iris: Sequence[str]) -> Codes:
    """The smallest code of the group of every hop code: itself where it is alone.

    A group is joined with another only if all codes of both mean the same, and what holds for two
    codes holds for their inverses.
    """

    def name(code: int) -> tuple[str, bool]:
        return iris[relation_of(code)], bool(is_backward(code))

    def names(pair: SamePair) -> list[tuple[str, bool]]:
        there = sorted([name(pair.one), name(pair.other)])
        return min(there, sorted([name(inverse(pair.one)), name(inverse(pair.other))]))

    pairs = sorted(pairs, key=lambda pair: (-pair.agreement.sureness, names(pair)))
    same = {
        frozenset(codes)
        for one, other, _ in pairs
        for codes in ((one, other), (inverse(one), inverse(other)))
    }
    groups = {code: frozenset({code}) for code in range(2 * len(iris))}
    for one, other, _ in pairs:
        joined = groups[one] | groups[other]
        turned = frozenset(map(inverse, joined))
        if joined & turned:
            joined, turned = joined | turned, joined | turned
        if all(frozenset(two) in same for two in combinations(joined, 2)):
            for codes in (joined, turned):
                groups.update(dict.fromkeys(codes, codes))
    return np.array([min(groups[code]) for code in range(2 * len(iris))], dtype=np.int32)
