"""How far two hop codes join the same entities.

What is counted is the same whichever end a hop is read from, and does not depend on ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.storage.hop_codes import inverse

#: No pair of entities has more relations that tell anything of each other.
MOST_PARALLEL = 64
#: Of so many facts in common, the half may be chance.
FEW = 5

Codes = NDArray[np.int32]
Places = NDArray[np.int64]


class Agreement(NamedTuple):
    """How often two codes say the same where both say anything.

    Of the facts of either code that begin where the other has a fact, too, the share that both
    have: the smaller one, at the end where it is larger. ``compared`` is of how many facts.
    """

    share: float
    compared: int

    @property
    def sureness(self) -> float:
        """The share, less where little was compared."""
        return self.share * self.compared / (self.compared + FEW)


@dataclass(frozen=True)
class Hops:
    """All hops of a graph: entity v has those of the pairs ``offsets[v]`` to ``offsets[v + 1]``.

    The codes of a pair of entities at p are ``codes[hop_offsets[p]:hop_offsets[p + 1]]``, each
    less than ``most``.
    """

    offsets: Places
    hop_offsets: Places
    codes: Codes
    most: int

    def pooled(self, kinds: Codes) -> Hops:
        """The same hops with codes taken for others, each once for a pair of entities."""
        pair = np.repeat(np.arange(len(self.hop_offsets) - 1), np.diff(self.hop_offsets))
        hops = np.sort(pair * self.most + kinds[self.codes], kind="stable")
        pair, codes = np.divmod(hops[np.diff(hops, prepend=-1) > 0], self.most)
        hop_offsets = np.searchsorted(pair, np.arange(len(self.hop_offsets)))
        return replace(self, hop_offsets=hop_offsets, codes=codes.astype(np.int32))

    @cached_property
    def facts(self) -> Places:
        """How many facts each code has."""
        return np.bincount(self.codes, minlength=self.most)

    @cached_property
    def _by_code(self) -> tuple[Codes, Places]:
        """The entities that hops lead from, those of one code after the other, and where."""
        count = np.diff(self.hop_offsets[self.offsets])
        starts = np.repeat(np.arange(len(count), dtype=np.int32), count)
        order = np.argsort(self.codes, kind="stable")
        return starts[order], np.concatenate([[0], np.cumsum(self.facts)])

    def codes_of_entities(self) -> tuple[Codes, Codes]:
        """Each entity and each code that leads from it, once, in the order of entities."""
        starts, first = self._by_code
        codes = np.repeat(np.arange(self.most), np.diff(first))
        pairs = np.sort(starts * np.int64(self.most) + codes, kind="stable")
        entity, code = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], self.most)
        return entity.astype(np.int32), code.astype(np.int32)

    def starts(self, code: int) -> Codes:
        """The entities that one code leads from, once for every fact."""
        starts, first = self._by_code
        return starts[first[code] : first[code + 1]]

    def shared(self, one: int, other: int) -> int:
        """How often two codes, the smaller first, join the same two entities in the same order."""
        pairs, counts = self._shared
        key = one * self.most + other
        place = int(np.searchsorted(pairs, key))
        return int(counts[place]) if place < len(pairs) and pairs[place] == key else 0

    def sharing(self, fewest: int) -> Iterator[tuple[int, int, int]]:
        """Pairs of codes, the smaller first, that join as many entities or more, and how many."""
        pairs, counts = self._shared
        enough = counts >= fewest
        ones, others = np.divmod(pairs[enough], self.most)
        yield from zip(ones.tolist(), others.tolist(), counts[enough].tolist(), strict=True)

    @cached_property
    def _shared(self) -> tuple[Places, Places]:
        """Pairs of codes as numbers, ascending, and how many pairs of entities they share."""
        count = np.diff(self.hop_offsets)
        pair = np.repeat(np.arange(len(count)), count)
        pair[np.repeat(count > MOST_PARALLEL, count)] = -1
        keys = [np.empty(0, np.int64)]
        for step in range(1, min(int(count.max(initial=1)), MOST_PARALLEL)):
            there = np.flatnonzero((pair[step:] == pair[:-step]) & (pair[step:] >= 0))
            keys.append(self.codes[there].astype(np.int64) * self.most + self.codes[there + step])
        return np.unique(np.concatenate(keys), return_counts=True)

    def agreement(self, one: int, other: int) -> Agreement:
        """How far two codes, the smaller first, say the same."""
        shared = self.shared(one, other)
        ends = []
        for a, b in ((one, other), (inverse(one), inverse(other))):
            asked = self._asked(a, b), self._asked(b, a)
            ends.append(Agreement(shared / max(*asked, 1), min(asked)))
        return max(ends)

    def _asked(self, one: int, other: int) -> int:
        """How many facts of one code begin where the other has a fact, too."""
        has = self._marks
        has[self.starts(other)] = True
        count = int(np.count_nonzero(has[self.starts(one)]))
        has[self.starts(other)] = False
        return count

    @cached_property
    def _marks(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.offsets) - 1, dtype=np.bool_)
