"""How a text expresses a hop: where its two ends stand closest, and words of its relation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.features.closest_ends import closest_ends
from kgpath.features.facts import Facts
from kgpath.features.relation_matches import relation_matches
from kgpath.linking.context import Context
from kgpath.linking.occurrences import Occurrences

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


class Evidence(NamedTuple):
    """How a text expresses facts, an array over the facts each.

    ``gap`` tokens lie between the closest occurrences of the two ends, which stand within the
    tokens ``first`` to ``last`` (the whole text if an end is not ``seen``); ``words`` is the share
    of the relation's words that the text has anywhere, ``near`` the share close to the two ends.
    """

    seen: NDArray[np.bool_]
    gap: Places
    same_sentence: NDArray[np.bool_]
    first: Places
    last: Places
    words: Numbers
    near: Numbers


def evidence(context: Context, facts: Facts, occurrences: Occurrences) -> Evidence:
    """How the text expresses facts whose ends are among the occurrences."""
    ends = closest_ends(context, facts, occurrences)
    words, near = relation_matches(context, facts.relations, ends.first, ends.last)
    return Evidence(*ends, words, near)
