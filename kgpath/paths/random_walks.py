"""Random walks from anywhere that stop by chance: Algorithm 2 of Lo & Lim (2023), section 7.2.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.paths.path_arrays import PathArrays
from kgpath.storage.index import Index

#: A walk ends after any hop with this probability.
STOP = 0.2


class Ends(NamedTuple):
    """How walks ended: ``steps`` is how often one could go on, ``stopped`` how often it did not.

    ``dead_ends`` had nowhere new to go, ``limited`` reached the longest length.
    """

    walks: int
    steps: int
    stopped: int
    dead_ends: int
    limited: int

    def __add__(self, other: object) -> Ends:
        assert isinstance(other, Ends)
        return Ends(*(one + two for one, two in zip(self, other, strict=True)))


@dataclass(frozen=True)
class WalkGraph:
    """The neighbours that walks may go to; ``places`` says where in the index each pair lies."""

    index: Index
    offsets: NDArray[np.int64]
    neighbours: NDArray[np.int32]
    places: NDArray[np.int64]
    keys: NDArray[np.int64]  # start · entities + neighbour, ascending

    @classmethod
    def of(cls, index: Index, allowed: NDArray[np.bool_] | None = None) -> WalkGraph:
        """All of a graph, or what lies between the allowed entities; nothing leads to itself."""
        starts = np.repeat(np.arange(index.entities), np.diff(index.offsets))
        kept = starts != index.neighbours
        if allowed is not None:
            kept &= allowed[starts] & allowed[index.neighbours]
        places = np.flatnonzero(kept)
        starts, neighbours = starts[places], index.neighbours[places]
        offsets = np.searchsorted(starts, np.arange(index.entities + 1)).astype(np.int64)
        return cls(index, offsets, neighbours, places, starts * index.entities + neighbours)

    @property
    def starts(self) -> NDArray[np.int64]:
        """The entities that a walk can leave."""
        return np.flatnonzero(np.diff(self.offsets))


def walk(
    graph: WalkGraph,
    starts: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    hops: int = 6,
    stop: float = STOP,
    repeat: bool = False,
) -> tuple[PathArrays, Ends]:
    """A walk from every start: a uniform neighbour, one of the relations to it, stop by chance.

    No entity twice in a walk unless ``repeat``; a walk with nowhere new to go ends there.
    """
    vertices = np.full((len(starts), hops + 1), -1, dtype=np.int32)
    codes = np.full((len(starts), hops), -1, dtype=np.int32)
    lengths = np.zeros(len(starts), dtype=np.int32)
    vertices[:, 0] = starts
    going = np.arange(len(starts))
    steps = stopped = dead_ends = 0
    for hop in range(hops):
        met = vertices[going, : hop + 1]
        seen = _seen(graph, met) if not repeat else np.full_like(met, -1, dtype=np.int64)
        here = met[:, hop]
        first = graph.offsets[here]
        new = graph.offsets[here + 1] - first - (seen >= 0).sum(axis=1)
        onward = new > 0
        dead_ends += int((~onward).sum())
        if hop:
            # Only a walk that could go on can be stopped by chance.
            stops = onward & (rng.random(len(going)) < stop)
            steps += int(onward.sum())
            stopped += int(stops.sum())
            onward &= ~stops
        going, first, new, seen = going[onward], first[onward], new[onward], seen[onward]
        place = first + (rng.random(len(going)) * new).astype(np.int64)
        # The choice counts new neighbours only: step over those met before, lowest place first.
        for column in np.sort(np.where(seen < 0, np.iinfo(np.int64).max, seen), axis=1).T:
            place += column <= place
        pair = graph.places[place]
        of_pair = graph.index.hop_offsets[pair]
        choices = graph.index.hop_offsets[pair + 1] - of_pair
        chosen = of_pair + (rng.random(len(going)) * choices).astype(np.int64)
        vertices[going, hop + 1] = graph.neighbours[place]
        codes[going, hop] = graph.index.hop_codes[chosen]
        lengths[going] = hop + 1
    ends = Ends(len(starts), steps, stopped, dead_ends, len(going))
    return PathArrays(vertices, lengths, codes), ends


def _seen(graph: WalkGraph, met: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where among the neighbours of the last vertex each one met before lies; -1 if it is none."""
    if not len(graph.keys):
        return np.full(met.shape, -1, dtype=np.int64)
    wanted = met[:, -1:].astype(np.int64) * graph.index.entities + met
    places = np.searchsorted(graph.keys, wanted)
    found = graph.keys.take(places, mode="clip") == wanted
    return np.where(found, places, -1)
