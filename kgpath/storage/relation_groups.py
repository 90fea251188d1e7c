"""Which hop codes mean the same: found by what a graph says, and kept in groups.

*child* walked forwards is *parent* walked backwards, hence hop codes rather than relations. Neither
shared facts nor names are enough alone: people die where they were born, and films are written by
their directors; a *family* is one of species or of languages. Two codes mean the same where

- their names say the same but for number, case and words such as "name", and they lead from and to
  entities of like types, and do not disagree where both have facts; or
- they agree where both have facts, and their names are near in meaning. Names that share a word
  and have each one of their own ("arrival craft", "departure craft") were set apart on purpose: as
  relations of one direction they have to join the same entities nearly everywhere.

Groups are joined only where all of their pairs mean the same, the surest pair first, so that no
chain leads from one meaning to another; ties are broken by IRI, never by id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.relation_names import RelationName, form, near, same_form, set_apart
from kgpath.storage.hop_codes import code_of, inverse, is_backward, relation_of
from kgpath.storage.relation_overlap import Agreement, HopEnds, shared_pairs

Codes = NDArray[np.int32]

#: Fewer facts in common tell nothing.
FEWEST = 5
#: How often two codes agree, at the least, whose names are near; and how near these are.
AGREE, NEAR = 0.6, 0.5
#: How many of all their facts codes of names that are set apart have in common.
NEARLY_ALL = 0.85
#: Where codes of one name have so many facts to compare, they agree on so many at least.
COMPARED, OPPOSED = 10, 0.1


def same_hops(
    db: sqlite3.Connection,
    offsets: NDArray[np.int64],
    hop_offsets: NDArray[np.int64],
    hop_codes: Codes,
) -> Codes:
    """The groups of the hop codes of a graph file, from its arrays and the names of relations."""
    rows = db.execute("SELECT label, iri FROM relation ORDER BY id").fetchall()
    names = [RelationName.of(label, iri) for label, iri in rows]
    pairs = RelationPairs(names, offsets, hop_offsets, hop_codes).found()
    return grouped(pairs, [iri for _, iri in rows])


class SamePair(NamedTuple):
    """Two hop codes that mean the same, why, and how surely."""

    one: int
    other: int
    why: str
    agreement: float
    shared: int


class RelationPairs:
    """Judges pairs of hop codes of one graph. ``names`` are those of its relations, by id."""

    def __init__(
        self,
        names: Sequence[RelationName],
        offsets: NDArray[np.int64],
        hop_offsets: NDArray[np.int64],
        hop_codes: NDArray[np.int32],
    ) -> None:
        self._names = names
        self._codes = 2 * len(names)
        self._ends = HopEnds.of(offsets, hop_offsets, hop_codes, self._codes)
        self._agreement = Agreement(self._ends, len(offsets) - 1)
        keys, counts = shared_pairs(hop_offsets, hop_codes, self._codes)
        self._shared = dict(zip(keys.tolist(), counts.tolist(), strict=True))

    def found(self) -> Iterator[SamePair]:
        """Every pair that means the same; each once, with its first code forwards."""
        for one, other in sorted(self._candidates()):
            judged = self.judged(one, other)
            if judged is not None:
                yield judged

    def _candidates(self) -> set[tuple[int, int]]:
        joined = {
            divmod(key, self._codes) for key, shared in self._shared.items() if shared >= FEWEST
        }
        forward = {(one, other) for one, other in joined if not is_backward(one)}
        return forward | set(self._namesakes())

    def _namesakes(self) -> Iterator[tuple[int, int]]:
        """Pairs of relations with facts that may be called the same."""
        facts = self._ends.facts
        called: dict[str, list[int]] = {}
        for relation, name in enumerate(self._names):
            if facts[code_of(relation, False)]:
                for spelling in set(map(form, name.spellings)):
                    called.setdefault(spelling, []).append(relation)
        for relations in called.values():
            for at, one in enumerate(relations):
                for other in relations[at + 1 :]:
                    yield code_of(one, False), code_of(other, False)

    def judged(self, one: int, other: int) -> SamePair | None:
        """Whether two codes mean the same, and why."""
        shared = self._shared.get(one * self._codes + other, 0)
        agreement, compared = self._agreement.of(one, other, shared)
        names = self._names[relation_of(one)], self._names[relation_of(other)]
        straight = bool(is_backward(one) == is_backward(other))
        if straight and same_form(*names) and (compared < COMPARED or agreement >= OPPOSED):
            return SamePair(one, other, "name", agreement, shared)
        if shared < FEWEST or agreement < AGREE or near(*names) < NEAR:
            return None
        if straight and set_apart(*names) and self._in_common(one, other, shared) < NEARLY_ALL:
            return None
        return SamePair(one, other, "facts", agreement, shared)

    def _in_common(self, one: int, other: int, shared: int) -> float:
        facts = self._ends.facts
        return float(shared / (facts[one] + facts[other] - shared))


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

    pairs = sorted(pairs, key=lambda pair: (-pair.agreement, -pair.shared, names(pair)))
    same = {
        frozenset(codes)
        for pair in pairs
        for codes in ((pair.one, pair.other), (inverse(pair.one), inverse(pair.other)))
    }
    groups = {code: frozenset({code}) for code in range(2 * len(iris))}
    for pair in pairs:
        joined = groups[pair.one] | groups[pair.other]
        turned = frozenset(map(inverse, joined))
        if joined & turned:
            joined |= turned
        if all(
            frozenset({one, other}) in same for one in joined for other in joined if one < other
        ):
            for group in (joined, frozenset(map(inverse, joined))):
                groups.update(dict.fromkeys(group, group))
    return np.array([min(groups[code]) for code in range(2 * len(iris))], dtype=np.int32)
