"""Sets of queries that differ in how hard they are (section 10): by id, or by their figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

#: Fewer queries than this say nothing: the bounds are widened.
FEW = 20
#: PED of candidates, two by two: below the first they are alike, above the second apart.
ALIKE, APART = 0.3, 0.5
LONG, SHORT = 5, 3


class Stratum(NamedTuple):
    """The places of its queries among all that were measured, and how they were chosen."""

    places: list[int]
    said: str


def stratum(
    name: str,
    ids: Sequence[str],
    known: Mapping[str, frozenset[str]],
    statistics: Mapping[str, Any],
) -> Stratum:
    """A set of queries by name: that of the dataset, or one chosen by the paper's bounds."""
    wanted = known.get(name, frozenset())
    places = [at for at, one in enumerate(ids) if one in wanted]
    if len(places) >= FEW:
        said = "" if len(places) == len(wanted) else f" of {len(wanted):,}"
        return Stratum(places, f"strata/{name}{said}")
    return _CHOSEN[name](statistics)


def _by_spread(statistics: Mapping[str, Any], apart: bool) -> Stratum:
    known = [
        (spread, at)
        for at, spread in enumerate(statistics["spread"])
        if spread is not None and statistics["candidates"][at] >= 5
    ]
    within = [at for spread, at in known if (spread > APART if apart else spread < ALIKE)]
    if len(within) >= FEW:
        return Stratum(
            within, f"PED of candidates {f'above {APART}' if apart else f'below {ALIKE}'}"
        )
    # The mean PED of n vectors two by two cannot exceed 0.5 + 1 / (2 (n - 1)): few lie above.
    fifth = sorted(known, reverse=apart)[: max(len(known) // 5, 1)]
    which = "largest" if apart else "smallest"
    return Stratum(sorted(at for _, at in fifth), f"the fifth with the {which} PED of candidates")


def _by_number(statistics: Mapping[str, Any], many: bool) -> Stratum:
    known = sorted((n, at) for at, n in enumerate(statistics["candidates"]) if n > 1)
    third = max(len(known) // 3, 1)
    share = known[-third:] if many else known[:third]
    which = "most" if many else "fewest"
    return Stratum(sorted(at for _, at in share), f"the third with the {which} candidates")


def _long(statistics: Mapping[str, Any]) -> tuple[list[int], int]:
    """The long ones, and from how many hops on a path counts as long here."""
    hops = np.array(statistics["hops"])
    bound = LONG
    while bound > 2 and (hops >= bound).sum() < FEW:
        bound -= 1
    return np.flatnonzero(hops >= bound).tolist(), bound


def _is_long(statistics: Mapping[str, Any]) -> Stratum:
    places, bound = _long(statistics)
    return Stratum(places, f"true path of {bound} hops or more")


def _is_short(statistics: Mapping[str, Any]) -> Stratum:
    bound = min(SHORT, _long(statistics)[1] - 1)
    places = np.flatnonzero(np.array(statistics["hops"]) <= bound).tolist()
    return Stratum(places, f"true path of {bound} hops or fewer")


def _unnamed(statistics: Mapping[str, Any]) -> Stratum:
    places, bound = _long(statistics)
    unnamed = [at for at in places if not statistics["named"][at]]
    return Stratum(unnamed, f"{bound} hops or more, not all named in the text")


_CHOSEN: dict[str, Callable[[Mapping[str, Any]], Stratum]] = {
    "alike": lambda statistics: _by_spread(statistics, apart=False),
    "apart": lambda statistics: _by_spread(statistics, apart=True),
    "many-candidates": lambda statistics: _by_number(statistics, many=True),
    "few-candidates": lambda statistics: _by_number(statistics, many=False),
    "long": _is_long,
    "short": _is_short,
    "long-unnamed": _unnamed,
}
