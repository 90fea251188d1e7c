"""The paths of a synthetic dataset: drawn once, none twice, with pairs and splits dealt out.

One pass in one process, since what is drawn depends on all that was drawn before; it takes
seconds for a hundred thousand paths. Documents are then made from them in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.datasets.synthetic.recipe import Recipe
from kgpath.errors import BadOption
from kgpath.graph import Graph
from kgpath.paths.finder import PathFinder
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.random_walks import Ends, WalkGraph, walk

#: What is drawn from each seed: streams that do not disturb each other.
PATHS, PAIRS, SPLITS, DOCUMENTS, STRATA = range(5)
#: Rounds of walks that may bring (nearly) nothing new before giving up.
_PATIENCE = 200


class Slot(NamedTuple):
    """A place for a document: its number, its split and how many pairs it should give."""

    number: int
    split: str
    pairs: int


@dataclass(frozen=True)
class DocumentPlan:
    """A document to be made: its slot, which attempt at it this is, and its path.

    With fewer pairs than ``least`` it does not count.
    """

    slot: Slot
    attempt: int
    least: int
    vertices: tuple[int, ...]
    hop_codes: tuple[int, ...]


class PathSampler:
    """Different paths, one after the other; ``ends`` counts how walks ended, ``twice`` repeats."""

    def __init__(self, graph: Graph, recipe: Recipe) -> None:
        self.recipe = recipe
        self.ends = Ends(0, 0, 0, 0, 0)
        self.twice = self.short = 0
        self._rng = np.random.default_rng([recipe.seed, PATHS])
        self._walk_graph = walk_graph_of(graph, recipe)
        self._starts = self._walk_graph.starts
        if not len(self._starts):
            raise BadOption(
                "No path can be drawn: nothing is left of the graph under the recipe's keep, drop, "
                "types, hub_cap and text."
            )
        weights = np.diff(self._walk_graph.offsets)[self._starts]
        self._weights = weights / weights.sum() if recipe.start == "degree" else None
        self._seen: set[bytes] = set()
        self._taken = 0
        self._stream = self._paths()

    def take(self, count: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The next ``count`` paths as vertices and hop codes; BadOption if there are fewer."""
        self._wanted = self._taken + count
        paths = [next(self._stream) for _ in range(count)]
        self._taken += count
        return paths

    def _paths(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        recipe, stale = self.recipe, 0
        # Always rounds of one size: what is drawn does not depend on how it is asked for.
        size = max(1024, recipe.documents + recipe.documents // 8)
        while True:
            starts = self._rng.choice(self._starts, size, p=self._weights)
            rows, ends = walk(
                self._walk_graph, starts, self._rng, hops=recipe.max_hops, stop=recipe.stop,
                repeat=recipe.repeat,
            )  # fmt: skip
            self.ends += ends
            known = len(self._seen)
            yield from self._new(rows)
            stale = stale + 1 if len(self._seen) - known < size // 100 else 0
            if stale == 1 or stale == _PATIENCE:
                self._refuse_if_spent(stale)

    def _new(self, rows: PathArrays) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        same = rows.from_lower_end()
        keys = np.hstack([same.vertices, same.hop_codes])
        for row, length in enumerate(rows.lengths.tolist()):
            if length < self.recipe.min_hops:
                self.short += 1
                continue
            key = keys[row].tobytes()
            if key in self._seen:
                self.twice += 1
                continue
            self._seen.add(key)
            yield (
                tuple(rows.vertices[row, : length + 1].tolist()),
                tuple(rows.hop_codes[row, :length].tolist()),
            )

    def _refuse_if_spent(self, stale: int) -> None:
        """Walks hardly meet anything new: are there as many paths as asked for?"""
        recipe, asked = self.recipe, self._wanted
        there = count_paths(self._walk_graph, recipe, asked)
        hops = f"{recipe.min_hops} to {recipe.max_hops} hops"
        if there < asked:
            raise BadOption(
                f"The recipe asks for {asked:,} documents, each with a path of its own, but the "
                f"graph has {there:,} different paths of {hops}. Ask for at most {there:,}."
            )
        if stale == _PATIENCE:
            raise BadOption(
                f"Walks found {len(self._seen):,} of at least {asked:,} paths of {hops} and hardly "
                f"meet others. Ask for at most {len(self._seen):,} documents."
            )


def walk_graph_of(graph: Graph, recipe: Recipe) -> WalkGraph:
    """What of a graph a recipe walks on."""
    finder = PathFinder(graph)
    options = recipe.path_options()
    allowed = np.ones(graph.index.entities, dtype=np.bool_)
    if recipe.types:
        allowed &= finder.of_types(recipe.types)
    if recipe.hub_cap:
        allowed &= graph.index.degrees() <= recipe.hub_cap
    if recipe.text == "required":
        described = np.zeros_like(allowed)
        rows = graph.store.db.execute("SELECT DISTINCT entity FROM passage WHERE section >= 0")
        described[[entity for (entity,) in rows]] = True
        if not described.any():
            raise BadOption(
                f'{graph.path.name} has no texts, and the recipe says text = "required". Add '
                'articles to the graph, or say text = "auto" for facts in plain words.'
            )
        allowed &= described
    return WalkGraph.of(finder.walker(options).index, None if allowed.all() else allowed)


def count_paths(walk_graph: WalkGraph, recipe: Recipe, enough: int) -> int:
    """How many different paths there are, read from either end; counting stops at ``enough``."""
    if recipe.repeat:
        return min(_count_walks(walk_graph, recipe), enough)
    index, found = walk_graph.index, 0
    for start in walk_graph.starts.tolist():
        # Depth first with the number of typed paths so far; each path is met from both ends.
        waiting: list[tuple[tuple[int, ...], int]] = [((start,), 1)]
        while waiting:
            path, ways = waiting.pop()
            at = path[-1]
            for place in range(int(walk_graph.offsets[at]), int(walk_graph.offsets[at + 1])):
                other = int(walk_graph.neighbours[place])
                if other in path:
                    continue
                pair = walk_graph.places[place]
                more = ways * int(index.hop_offsets[pair + 1] - index.hop_offsets[pair])
                if len(path) >= recipe.min_hops and start < other:
                    found += more
                    if found >= enough:
                        return enough
                if len(path) < recipe.max_hops:
                    waiting.append(((*path, other), more))
    return found


def _count_walks(walk_graph: WalkGraph, recipe: Recipe) -> int:
    """Walks that may repeat entities; one that reads the same from both ends counts once."""
    index, pairs = walk_graph.index, walk_graph.places
    ways = (index.hop_offsets[pairs + 1] - index.hop_offsets[pairs]).astype(np.float64)
    starts = np.repeat(np.arange(index.entities), np.diff(walk_graph.offsets))
    reached: NDArray[np.float64] = np.ones(index.entities)
    totals = [float(index.entities)]
    for _ in range(recipe.max_hops):
        reached = np.bincount(
            starts, weights=ways * reached[walk_graph.neighbours], minlength=index.entities
        ).astype(np.float64)
        totals.append(float(reached.sum()))
    both = sum(totals[recipe.min_hops : recipe.max_hops + 1])
    # A walk there and back by the same facts is its own reverse.
    own = sum(totals[n // 2] for n in range(recipe.min_hops, recipe.max_hops + 1) if n % 2 == 0)
    return round((both + own) / 2)


def sub_paths(vertices: tuple[int, ...]) -> list[tuple[int, int]]:
    """The parts (first and last place) of a path that make a pair: different ends, no pair twice.

    The whole path comes first, if its ends differ.
    """
    made: dict[frozenset[int], tuple[int, int]] = {}
    last = len(vertices) - 1
    for first, final in ((0, last), *combinations(range(last + 1), 2)):
        ends = frozenset((vertices[first], vertices[final]))
        if len(ends) == 2:
            made.setdefault(ends, (first, final))
    return list(made.values())


def slots_of(recipe: Recipe, paths: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[Slot]:
    """A slot for each document: pairs dealt evenly among those that have them, splits by lot."""
    room = np.array([len(sub_paths(vertices)) for vertices, _ in paths])
    pairs = deal(recipe.pairs, room, np.random.default_rng([recipe.seed, PAIRS]))
    order = np.random.default_rng([recipe.seed, SPLITS]).permutation(len(paths))
    bounds = np.rint(np.cumsum(list(recipe.splits.values())) * len(paths)).astype(int)
    split = np.empty(len(paths), dtype=np.int64)
    split[order] = np.searchsorted(bounds, np.arange(len(paths)), side="right")
    names = list(recipe.splits)
    return [
        Slot(number, names[int(split[number])], int(pairs[number])) for number in range(len(paths))
    ]


def deal(pairs: int, room: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """So many pairs over documents, as evenly as their room allows; what is left over by lot.

    >>> deal(7, np.array([1, 3, 6]), np.random.default_rng(0)).tolist()
    [1, 3, 3]
    """
    if pairs > room.sum():
        raise BadOption(
            f"The recipe asks for {pairs:,} pairs, but its {len(room):,} documents have only "
            f"{room.sum():,}, one for each part of a path. Ask for fewer pairs or more documents."
        )
    dealt = np.zeros_like(room)
    left = pairs
    while left:
        able = np.flatnonzero(dealt < room)
        chosen = able if len(able) <= left else rng.choice(able, left, replace=False)
        dealt[chosen] += 1
        left -= len(chosen)
    return dealt
