"""Options and filters of a path search, and the finder that runs one over a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption, SameEntity, UnknownName
from kgpath.paths import sampling
from kgpath.paths.best_first import cheapest
from kgpath.paths.costs import HOP, UNIT, total_cost
from kgpath.paths.counting import Count, count
from kgpath.paths.hops_between import hops_between
from kgpath.paths.information import Information
from kgpath.paths.path_arrays import PathArrays
from kgpath.paths.paths import Paths
from kgpath.paths.scratch import MOST_HOPS
from kgpath.paths.walks import Search, Vertices, Walker
from kgpath.storage import names
from kgpath.storage.ontology import closure, group
from kgpath.types import Entity, Path

if TYPE_CHECKING:
    from kgpath.graph import Graph

STRATEGIES = {
    "shortest": "the shortest paths first",
    "all": "every path, within the budget of search steps",
    "sample": "paths drawn uniformly",
    "top": "the cheapest paths, by --cost",
    "random-walk": "what random walks meet, as in the paper",
}
_BLOCK = 1024  # paths made at a time by a stream


#: More paths than these nobody can rank, draw or look at: room for them is reserved beforehand.
MOST_PATHS = 10_000_000


@dataclass(frozen=True)
class PathOptions:
    """What to look for. Filters concern the entities between the two ends, and all relations.

    ``keep`` and ``drop`` name relations, ``types`` classes (with their subclasses); ``hub_cap``
    avoids entities with more facts; ``exclude`` and ``through`` name entities. ``budget`` is the
    number of search steps after which a search stops and says so. With ``merged``, paths over the
    same entities are one, and ``limit`` counts them so.
    """

    max_hops: int = 4
    strategy: str = "shortest"
    limit: int | None = 100
    seed: int = 0
    cost: str = "degree"
    text: str = ""
    keep: Sequence[str] = ()
    drop: Sequence[str] = ()
    types: Sequence[str] = ()
    hub_cap: int | None = None
    exclude: Sequence[str | int | Entity] = ()
    through: Sequence[str | int | Entity] = ()
    budget: int | None = None
    merged: bool = False

    def __post_init__(self) -> None:
        whole = isinstance(self.max_hops, int | np.integer) and not isinstance(self.max_hops, bool)
        if not whole or not 1 <= self.max_hops <= MOST_HOPS:
            raise BadOption(f"max_hops is {self.max_hops!r}; it can be 1 to {MOST_HOPS}.")
        if self.strategy not in STRATEGIES:
            raise UnknownName(f"No strategy {self.strategy!r}. Known: {', '.join(STRATEGIES)}.")
        for name in ("limit", "hub_cap", "budget"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int | np.integer) or value < 0):
                raise BadOption(f"{name} is {value!r}; it can be 0 or more.")
        if self.strategy in ("sample", "top", "random-walk"):
            if self.limit is None:
                raise BadOption(f"The strategy {self.strategy!r} needs a limit: how many paths?")
            if self.limit > MOST_PATHS:
                raise BadOption(f"limit is {self.limit:,}; it can be 0 to {MOST_PATHS:,}.")
        if not isinstance(self.seed, int | np.integer) or self.seed < 0:
            raise BadOption(f"seed is {self.seed!r}; it can be 0 or more.")
        if self.through and self.strategy not in ("shortest", "all"):
            raise BadOption(f"'through' works with shortest and all, not with {self.strategy}.")

    def filters(self) -> str:
        """The filters in force, in words; empty if there are none."""
        said = []
        for name in ("keep", "drop", "types", "exclude", "through"):
            if getattr(self, name):
                said.append(f"{name} {', '.join(map(str, getattr(self, name)))}")
        if self.hub_cap:
            said.append(f"hub cap {self.hub_cap:,}")
        return "; ".join(said)


class PathFinder:
    """Searches one graph; keeps the arrays of recent filters."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._walkers: dict[tuple[Any, ...], Walker] = {(): Walker(graph.index)}
        self._masks: dict[tuple[Any, ...], NDArray[np.bool_]] = {}
        self._costs: dict[tuple[str, str], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def find(self, head: Entity, tail: Entity, options: PathOptions) -> Paths:
        """The paths between two entities, as options say: those that tell most by themselves.

        Of the strategies that have no order of their own, see :mod:`kgpath.paths.information`.
        """
        walker, search = self.search(head, tail, options)
        information = self.graph.derived(Information)
        with search:
            found = self._run(search, options, whole=True)
        if options.merged and found.typed:
            found = found.take(found.entity_rows())
        if found.costs is None:
            found = found.take(information.first(walker, found, options.limit))
        forward = search.start == head.id
        return Paths(self, walker, head, tail, options, found, forward, information.ranks)

    def find_by_id(self, head: Entity, tail: Entity, options: PathOptions) -> Paths:
        """The paths that the walker meets first, by length and then by ids: what datasets keep."""
        walker, search = self.search(head, tail, options)
        with search:
            found = self._run(search, options)
        if found.costs is None:
            found = found.sorted()
        return Paths(self, walker, head, tail, options, found, search.start == head.id)

    def stream(self, head: Entity, tail: Entity, options: PathOptions) -> Iterator[Path]:
        """The same paths one by one in constant memory, in the walker's own order."""
        if options.strategy not in ("shortest", "all"):
            yield from self.find(head, tail, options)
            return
        walker, search = self.search(head, tail, options)
        wanted = self.wanted(options)
        left = options.limit
        # Nothing is kept, so there is no need for a budget unless one is asked for.
        budget = 1 << 62 if options.budget is None else options.budget
        with search:
            for length in range(search.shortest, options.max_hops + 1):
                for block in search.blocks(length, _BLOCK, budget):
                    rows = block if wanted is None else block[wanted(block)]
                    lengths = np.full(len(rows), length, dtype=np.int32)
                    found = PathArrays.untyped(rows.copy(), lengths)
                    paths = Paths(self, walker, head, tail, options, found, search.start == head.id)
                    for path in paths:
                        if left == 0:
                            return
                        yield path
                        left = left if left is None else left - 1

    def search(self, head: Entity, tail: Entity, options: PathOptions) -> tuple[Walker, Search]:
        """The walker for these filters and a search begun between the two."""
        if head.id == tail.id:
            raise SameEntity(f"Both ends are {head.label} ({head.iri}). Name two different ones.")
        walker = self.walker(options)
        mask = self._blocked(options, head, tail)
        return walker, walker.search(head.id, tail.id, options.max_hops, mask)

    def hops_between(self, entities: Sequence[int], options: PathOptions) -> NDArray[np.int8]:
        """How many hops apart each two entities are; 0 where it is more than ``max_hops``."""
        mask = self._mask(options, [])
        return hops_between(self.walker(options), entities, options.max_hops, mask)

    def count(self, head: Entity, tail: Entity, options: PathOptions) -> Count:
        """How many paths there are, listed or not: a tenth of the budget, then an estimate."""
        _, search = self.search(head, tail, options)
        with search:
            return count(search, self._budget(search, options) // 10)

    def _run(self, search: Search, options: PathOptions, whole: bool = False) -> PathArrays:
        budget = self._budget(search, options)
        limit = options.limit
        if options.strategy in ("shortest", "all"):
            return search.enumerate(limit, budget, self.wanted(options), whole)
        assert limit is not None
        if options.strategy == "sample":
            return sampling.sample(search, limit, options.seed, budget)
        if options.strategy == "random-walk":
            return sampling.random_walks_between(search, limit, options.seed)
        return self._cheapest(search, options, limit, budget)

    def _cheapest(
        self, search: Search, options: PathOptions, limit: int, budget: int
    ) -> PathArrays:
        key = options.cost, options.text
        if key not in self._costs:
            self._costs.clear()
            self._costs[key] = total_cost(self.graph, options.cost, options.text)
        most = limit
        while True:
            found = cheapest(search, most, *self._costs[key], round(HOP * UNIT), budget)
            if not options.merged:
                return found
            rows = found.entity_rows()
            if len(rows) >= limit or found.truncated != "limit":
                more = found.truncated or ("limit" if len(rows) > limit else "")
                return replace(found.take(rows[:limit]), truncated=more)
            most *= 4  # parallel relations took the places

    def _budget(self, search: Search, options: PathOptions) -> int:
        return search.walker.budget if options.budget is None else options.budget

    def walker(self, options: PathOptions) -> Walker:
        """The walker over the relations that the options keep."""
        key = (
            (*sorted(options.keep), None, *sorted(options.drop))
            if (options.keep or options.drop)
            else ()
        )
        if key not in self._walkers:
            store = self.graph.store
            wanted = np.ones(store.one("SELECT count(*) FROM relation")[0], dtype=np.bool_)
            if options.keep:
                wanted[:] = False
            for patterns, value in ((options.keep, True), (options.drop, False)):
                for pattern in patterns:
                    wanted[[r.id for r in names.matching_relations(store, pattern)]] = value
            if len(self._walkers) > 4:
                self._walkers = {(): self._walkers[()]}
            self._walkers[key] = Walker(self.graph.index.only(wanted))
        return self._walkers[key]

    def _blocked(self, options: PathOptions, head: Entity, tail: Entity) -> NDArray[np.bool_]:
        excluded = [self.graph.entity(name).id for name in options.exclude]
        for end in (head, tail):
            if end.id in excluded:
                raise BadOption(f"{end.label} is an end of the path and cannot be excluded.")
        return self._mask(options, excluded)

    def _mask(self, options: PathOptions, excluded: list[int]) -> NDArray[np.bool_]:
        """The entities that no path may lead through; empty if it may lead through all."""
        if not (excluded or options.types or options.hub_cap):
            return np.zeros(0, dtype=np.bool_)
        key = (tuple(excluded), tuple(options.types), options.hub_cap)
        if key not in self._masks:
            blocked = np.zeros(self.graph.index.entities, dtype=np.bool_)
            blocked[excluded] = True
            if options.hub_cap:
                blocked |= self.graph.index.degrees() > options.hub_cap
            if options.types:
                blocked |= ~self.of_types(options.types)
            self._masks.clear()
            self._masks[key] = blocked
        return self._masks[key]

    def of_types(self, types: Iterable[str]) -> NDArray[np.bool_]:
        """Whether each entity has one of these classes, or a subclass of one."""
        store = self.graph.store
        children = group(store.db.execute("SELECT parent, child FROM class_parent"))
        below = closure((names.resolve_class(store, name).id for name in types), children)
        rows = store.db.execute("SELECT entity, class FROM entity_type")
        has = np.zeros(self.graph.index.entities, dtype=np.bool_)
        has[[entity for entity, class_ in rows if class_ in below]] = True
        return has

    def wanted(self, options: PathOptions) -> Callable[[Vertices], NDArray[np.bool_]] | None:
        """Which rows of a block lead through all that ``through`` names; None if it names none."""
        required = [self.graph.entity(name).id for name in options.through]
        if not required:
            return None
        return lambda block: np.all([(block == r).any(axis=1) for r in required], axis=0)
