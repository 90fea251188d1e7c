"""The neighbourhood of some things at an endpoint: every fact on a walk of so many hops from them.

Walks go both ways. A thing with more facts than the hub cap is left out with all of them, unless
it is one of those that the walk started from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from kgpath.kg_build.filters import Filters
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.pages import Pages
from kgpath.kg_build.sparql.presets import Preset
from kgpath.storage import statements as st

Edge = tuple[str, str, str]


class Neighbourhood:
    """Walks from things to their neighbours, a hop at a time."""

    def __init__(
        self, pages: Pages, preset: Preset, filters: Filters, report: Report, hub_cap: int
    ) -> None:
        self._pages = pages
        self._preset = preset
        self._ways = (preset.edges_from(filters), preset.edges_to(filters))
        self._report = report
        self._cap = hub_cap
        self._facts: dict[str, int] = {}  # of the things that were counted
        self._exempt: set[str] = set()
        self.hubs: set[str] = set()

    def edges(self, seeds: Iterable[str], hops: int, *, count_last: bool = True) -> Iterator[Edge]:
        """The edges around the seeds. ``count_last`` looks for hubs among the outermost too."""
        seeds = list(dict.fromkeys(seeds))
        self._exempt.update(seeds)
        reached = set(seeds)
        ring = seeds
        for hop in range(hops):
            edges = list(self._edges_of(ring))
            ends = dict.fromkeys(end for edge in edges for end in edge[::2])
            new = [end for end in ends if end not in reached]
            if count_last or hop < hops - 1:
                self.find_hubs(new)
            reached.update(new)
            yield from (edge for edge in edges if self.hubs.isdisjoint(edge[::2]))
            ring = [end for end in new if end not in self.hubs]

    def between(self, head: str, tail: str, hops: int) -> list[Edge]:
        """The edges of two neighbourhoods that meet half way, and so of all paths of ``hops``."""
        few, many = sorted((head, tail), key=lambda end: (self.facts_of([end])[end], end != head))
        self._exempt.update((head, tail))
        edges = list(self.edges([few], (hops + 1) // 2, count_last=False))
        edges += self.edges([many], hops // 2, count_last=False)
        self.find_hubs(sorted(things_on_paths(edges, head, tail, hops)))
        return [edge for edge in edges if self.hubs.isdisjoint(edge[::2])]

    def find_hubs(self, things: list[str]) -> None:
        """Note those with more facts than the cap."""
        if self._cap:
            counted = self.facts_of([thing for thing in things if thing not in self._exempt])
            self.hubs.update(thing for thing, facts in counted.items() if facts > self._cap)

    def facts_of(self, things: list[str]) -> dict[str, int]:
        """How many edges touch each of the things."""
        new = [thing for thing in things if thing not in self._facts]
        for way in self._ways if new else ():
            for thing, count in self._pages.degrees(new, way).items():
                self._facts[thing] = self._facts.get(thing, 0) + count
        return {thing: self._facts[thing] for thing in things}

    def _edges_of(self, ring: list[str]) -> Iterator[Edge]:
        for way in self._ways:
            for page in self._pages.facts(ring, way):
                self._report.statements += len(page.quads)
                for kind, head, relation, tail in self._preset.interpret(page.quads, self._report):
                    if kind == st.EDGE:
                        yield head, relation, tail


def things_on_paths(edges: Iterable[Edge], head: str, tail: str, hops: int) -> set[str]:
    """The things on any walk of at most so many hops between two."""
    neighbours: dict[str, set[str]] = {}
    for one, _, other in edges:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    from_head, from_tail = (_distances(neighbours, end, hops) for end in (head, tail))
    return {
        thing
        for thing, distance in from_head.items()
        if distance + from_tail.get(thing, hops + 1) <= hops
    }


def _distances(neighbours: dict[str, set[str]], start: str, most: int) -> dict[str, int]:
    distances = {start: 0}
    waiting = deque([start])
    while waiting:
        thing = waiting.popleft()
        if distances[thing] < most:
            for other in neighbours.get(thing, ()):
                if other not in distances:
                    distances[other] = distances[thing] + 1
                    waiting.append(other)
    return distances
