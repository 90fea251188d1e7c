"""Retrofitting: vectors drawn to some, pushed from others, and held by what they were.

The cost functions of Lo & Lim (2023), section 4.3.1, with their gradients, over the mentions of a
document. Three corrections: the distance is 1 - cosine (the paper says cosine, with which a margin
of 0 would repel); each term is a mean, not a sum, else a hub with 500 neighbours outweighs all
else; and what is to be preserved is preserved, see :class:`Terms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: What a term costs, and its slopes: by how much it costs more for each number that grows.
Cost = tuple[float, Floats]

#: Ideal distances: at most so far apart in a context, at least so far out of it.
GAMMA, DELTA = 0.0, 1.0
VSP = ("abs", "printed", "counterfit")
RP = ("residual", "printed", "abs")
_GROWN, _SHRUNK = {"counterfit", "residual"}, {"printed"}

# Adam as everywhere, but for its rate: a share of the numbers' own size.
_RATE, _FIRST, _SECOND, _TINY = 0.2, 0.9, 0.999, 1e-12
_STEPS, _STANDSTILL = 200, 1e-4


@dataclass(frozen=True)
class Terms:
    """Weights of the five terms, and how the two that preserve are meant.

    ``vsp``: ``abs``, a distance must not change; ``printed``, it must not shrink (equation of the
    paper); ``counterfit``, it must not grow (Mrkšić et al., 2016). ``rp``: ``residual``, head +
    relation - tail must not grow; ``printed``, it must not shrink; ``abs``, it must not change.
    """

    cna: float
    sda: float
    vsp: float
    rp: float
    ncr: float = 0.0
    how_vsp: str = "abs"
    how_rp: str = "residual"


@dataclass(frozen=True, eq=False)
class Constraints:
    """m mentions and what ties them; weights are 0 for padding, else a row of them sums to 1."""

    start: Floats  # m, size: TransE vectors
    close: Floats  # m, m: weights of the mentions in the context window
    distant: Floats  # m, m: weights of the others in the document
    outside: Floats  # m, k, size: unit vectors of neighbours that the document does not name
    outside_weights: Floats  # m, k
    near: Floats  # m, n, size: unit vectors of the nearest in the original space
    near_weights: Floats  # m, n
    targets: Floats  # m, e, size: for each edge, where the entity would fit: tail - relation
    target_weights: Floats  # m, e
    target_mentions: NDArray[np.int64]  # m, e: the mention that the tail is, or -1

    @cached_property
    def others(self) -> Floats:
        """Those outside and those near."""
        return np.concatenate([self.outside, self.near], axis=1)

    @cached_property
    def near_before(self) -> Floats:
        """Distances of the original vectors to the nearest."""
        return _distances(_units(self.start), self.near)

    @cached_property
    def residuals_before(self) -> Floats:
        """Lengths of head + relation - tail of the original vectors."""
        return _lengths(self.start[:, None] - self.targets)

    @cached_property
    def within(self) -> tuple[NDArray[np.int64], ...]:
        """The edges between mentions: head, number of the edge, tail."""
        heads, edges = np.nonzero(self.target_mentions >= 0)
        return heads, edges, self.target_mentions[heads, edges]


def retrofit(constraints: Constraints, terms: Terms, steps: int = _STEPS) -> Floats:
    """The vectors of least cost that Adam meets, until the cost stands still; no length changes."""
    vectors = best = constraints.start
    lengths = _lengths(vectors)[:, None]
    rate = _RATE * float(np.sqrt(np.mean(np.square(vectors)))) if vectors.size else 0.0
    first, second = np.zeros_like(vectors), np.zeros_like(vectors)
    before = lowest = np.inf
    for step in range(1, steps + 1):
        cost, gradient = total(constraints, vectors, terms)
        if cost < lowest:
            lowest, best = cost, vectors
        if step > 1 and abs(before - cost) <= _STANDSTILL * before:
            break
        before = cost
        first = _FIRST * first + (1 - _FIRST) * gradient
        second = _SECOND * second + (1 - _SECOND) * np.square(gradient)
        size = np.sqrt(second / (1 - _SECOND**step)) + _TINY
        vectors = vectors - rate * (first / (1 - _FIRST**step)) / size
        # Steps across a vector make it longer, of which cosines know nothing: back to its length.
        vectors = _units(vectors) * lengths
    return best


def total(constraints: Constraints, vectors: Floats, terms: Terms) -> tuple[float, Floats]:
    """The weighted sum of all terms (section 4.3.2), and its gradient."""
    lengths = np.maximum(_lengths(vectors), _TINY)[:, None]
    units = vectors / lengths
    by_text, by_unit = _among_mentions(constraints, units, terms)
    by_space, by_unit_too = _to_others(constraints, units, terms)
    by_unit += by_unit_too
    # From the unit vector to the vector: only what is across it counts.
    gradient = (by_unit - np.einsum("md,md->m", by_unit, units)[:, None] * units) / lengths
    by_facts, by_vector = _along_relations(constraints, vectors, terms)
    return by_text + by_space + by_facts, gradient + by_vector


def _among_mentions(constraints: Constraints, units: Floats, terms: Terms) -> tuple[float, Floats]:
    """CNA and SDA, which move both of two mentions."""
    weights = terms.cna * constraints.close + terms.sda * constraints.distant
    cost, slopes = attract(1 - units @ units.T, weights)
    return cost, -(slopes + slopes.T) @ units


def _to_others(constraints: Constraints, units: Floats, terms: Terms) -> tuple[float, Floats]:
    """NCR and VSP, to vectors that stay where they are."""
    distances, outside = _distances(units, constraints.others), constraints.outside.shape[1]
    slopes = np.empty_like(distances)
    repelled, slopes[:, :outside] = repel(
        distances[:, :outside], terms.ncr * constraints.outside_weights
    )
    preserved, slopes[:, outside:] = preserve(
        distances[:, outside:] - constraints.near_before,
        terms.vsp * constraints.near_weights,
        terms.how_vsp,
    )
    return repelled + preserved, -_weighted(slopes, constraints.others)


def _along_relations(
    constraints: Constraints, vectors: Floats, terms: Terms
) -> tuple[float, Floats]:
    """RP: head + relation - tail, where the tail may be a mention that has moved too."""
    heads, edges, tails = constraints.within
    residuals = vectors[:, None] - constraints.targets
    residuals[heads, edges] -= (vectors - constraints.start)[tails]
    lengths = _lengths(residuals)
    cost, slopes = preserve(
        lengths - constraints.residuals_before, terms.rp * constraints.target_weights, terms.how_rp
    )
    slopes /= np.maximum(lengths, _TINY)
    gradient = _weighted(slopes, residuals)
    np.subtract.at(gradient, tails, slopes[heads, edges, None] * residuals[heads, edges])
    return cost, gradient


def attract(distances: Floats, weights: Floats) -> Cost:
    """CNA and SDA: costs what is farther away than γ."""
    too_far = distances - GAMMA
    slopes = np.where(too_far > 0, weights, 0)
    return float(np.vdot(slopes, too_far)), slopes


def repel(distances: Floats, weights: Floats) -> Cost:
    """NCR: costs what is closer than δ, a right angle."""
    too_far = distances - DELTA
    slopes = np.where(too_far < 0, -weights, 0)
    return float(np.vdot(slopes, too_far)), slopes


def preserve(changes: Floats, weights: Floats, how: str) -> Cost:
    """VSP and RP: costs what has grown, shrunk, or both."""
    if how in _GROWN:
        slopes = np.where(changes > 0, weights, 0)
    elif how in _SHRUNK:
        slopes = np.where(changes < 0, -weights, 0)
    else:
        slopes = weights * np.sign(changes)
    return float(np.vdot(slopes, changes)), slopes


def _lengths(vectors: Floats) -> Floats:
    # Quicker than numpy's norm for the few short vectors of a text.
    return np.asarray(np.sqrt(np.einsum("...d,...d->...", vectors, vectors)))


def _units(vectors: Floats) -> Floats:
    return vectors / np.maximum(_lengths(vectors), _TINY)[..., None]


def _distances(units: Floats, others: Floats) -> Floats:
    """1 - cosine of each mention (m, size) to its own others (m, k, size)."""
    return np.asarray(1 - (others @ units[:, :, None])[..., 0])


def _weighted(weights: Floats, others: Floats) -> Floats:
    """The weighted sum of each mention's others."""
    return np.asarray((weights[:, None] @ others)[:, 0])
