"""How are two entities connected? Typed paths, found as arrays and shown one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from kgpath import chance, names
from kgpath.cheapest import cheapest
from kgpath.costs import HOP, UNIT, total_cost
from kgpath.counting import count
from kgpath.errors import BadOption, MissingExtra, SameEntity, UnknownName
from kgpath.ontology import closure, group
from kgpath.types import Entity, Hop, Path
from kgpath.walks import MOST_HOPS, Found, Search, Walker, hop_places, labellings, sort_found

if TYPE_CHECKING:
    import networkx
    import pandas

    from kgpath.graph import Graph

STRATEGIES = {
    "shortest": "the shortest paths first",
    "all": "every path, within the budget of search steps",
    "sample": "paths drawn uniformly",
    "top": "the cheapest paths, by --cost",
    "random-walk": "what random walks meet, as in the paper",
}
_BLOCK = 1024


@dataclass(frozen=True)
class PathOptions:
    """What to look for. Filters concern the entities between the two ends, and all relations.

    ``keep`` and ``drop`` name relations, ``types`` classes (with their subclasses); ``hub_cap``
    avoids entities with more facts; ``exclude`` and ``through`` name entities. ``budget`` is the
    number of search steps after which a search stops and says so.
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
    hub_cap: int = 0
    exclude: Sequence[str | int | Entity] = ()
    through: Sequence[str | int | Entity] = ()
    budget: int | None = None

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
        if self.limit is None and self.strategy in ("sample", "top", "random-walk"):
            raise BadOption(f"The strategy {self.strategy!r} needs a limit: how many paths?")
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
        """The paths between two entities, as options say."""
        walker, search = self.search(head, tail, options)
        with search:
            found = self._run(search, options)
        if found.costs is None:
            found = sort_found(found)
        return Paths(self, walker, head, tail, options, found, search.start == head.id)

    def stream(self, head: Entity, tail: Entity, options: PathOptions) -> Iterator[Path]:
        """The same paths one by one in constant memory, in the walker's own order."""
        if options.strategy not in ("shortest", "all"):
            yield from self.find(head, tail, options)
            return
        walker, search = self.search(head, tail, options)
        wanted = self._through(options)
        left = options.limit
        # Nothing is kept, so there is no need for a budget unless one is asked for.
        budget = 1 << 62 if options.budget is None else options.budget
        with search:
            for length in range(search.shortest, options.max_hops + 1):
                for block in search.blocks(length, _BLOCK, budget):
                    rows = block if wanted is None else block[wanted(block)]
                    found = Found(rows.copy(), np.full(len(rows), length, dtype=np.int32))
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
        walker = self._walker(options)
        mask = self._blocked(walker, options, head, tail)
        return walker, walker.search(head.id, tail.id, options.max_hops, mask)

    def _run(self, search: Search, options: PathOptions) -> Found:
        budget = self._budget(search, options)
        limit = options.limit
        if options.strategy in ("shortest", "all"):
            return search.enumerate(limit, budget, self._through(options))
        assert limit is not None
        if options.strategy == "sample":
            return chance.sample(search, limit, options.seed, budget)
        if options.strategy == "random-walk":
            return chance.random_walks(search, limit, options.seed)
        key = options.cost, options.text
        if key not in self._costs:
            self._costs.clear()
            self._costs[key] = total_cost(self.graph, options.cost, options.text)
        return cheapest(search, limit, *self._costs[key], round(HOP * UNIT), budget)

    def _budget(self, search: Search, options: PathOptions) -> int:
        return search.walker.budget if options.budget is None else options.budget

    def _walker(self, options: PathOptions) -> Walker:
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

    def _blocked(
        self, walker: Walker, options: PathOptions, head: Entity, tail: Entity
    ) -> NDArray[np.bool_]:
        excluded = [self.graph.entity(name).id for name in options.exclude]
        for end in (head, tail):
            if end.id in excluded:
                raise BadOption(f"{end.label} is an end of the path and cannot be excluded.")
        if not (excluded or options.types or options.hub_cap):
            return np.zeros(0, dtype=np.bool_)
        key = (tuple(excluded), tuple(options.types), options.hub_cap)
        if key not in self._masks:
            blocked = np.zeros(self.graph.index.entities, dtype=np.bool_)
            blocked[excluded] = True
            if options.hub_cap:
                blocked |= self.graph.index.degrees() > options.hub_cap
            if options.types:
                blocked |= ~self._of_types(options.types)
            self._masks.clear()
            self._masks[key] = blocked
        return self._masks[key]

    def _of_types(self, types: Iterable[str]) -> NDArray[np.bool_]:
        store = self.graph.store
        children = group(store.db.execute("SELECT parent, child FROM class_parent"))
        below = closure((names.resolve_class(store, name).id for name in types), children)
        rows = store.db.execute("SELECT entity, class FROM entity_type")
        has = np.zeros(self.graph.index.entities, dtype=np.bool_)
        has[[entity for entity, class_ in rows if class_ in below]] = True
        return has

    def _through(self, options: PathOptions) -> Any:
        required = [self.graph.entity(name).id for name in options.through]
        if not required:
            return None
        return lambda block: np.all([(block == r).any(axis=1) for r in required], axis=0)


class Paths(Sequence[Path]):
    """Paths between two entities, shortest (or cheapest) first.

    Backed by arrays: parallel relations between two entities give one path each, but a path
    becomes an object only when it is looked at. ``truncated`` says why there may be more paths
    (``limit`` or ``budget``), empty if these are all; ``total`` tells how many there are.
    """

    def __init__(
        self,
        finder: PathFinder,
        walker: Walker,
        head: Entity,
        tail: Entity,
        options: PathOptions,
        found: Found,
        forward: bool,
    ) -> None:
        self.head, self.tail, self.options = head, tail, options
        self._finder, self._walker = finder, walker
        self._found, self._forward = found, forward
        self._ends = np.cumsum(labellings(walker, found))
        total = int(self._ends[-1]) if len(self._ends) else 0
        self._length = total if options.limit is None else min(total, options.limit)
        self.truncated = found.truncated or ("limit" if self._length < total else "")

    # What is there

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Path: ...
    @overload
    def __getitem__(self, at: slice) -> list[Path]: ...
    def __getitem__(self, at: int | slice) -> Path | list[Path]:
        if isinstance(at, slice):
            return self._made(range(*at.indices(self._length)))
        if not -self._length <= at < self._length:
            raise IndexError(f"path {at} of {self._length}")
        return self._made([at % self._length])[0]

    def __iter__(self) -> Iterator[Path]:
        for at in range(0, self._length, _BLOCK):
            yield from self._made(range(at, min(at + _BLOCK, self._length)))

    @property
    def entity_paths(self) -> int:
        """How many there are if parallel relations are not told apart."""
        return int(np.searchsorted(self._ends, self._length)) + 1 if self._length else 0

    @cached_property
    def _total(self) -> tuple[int, bool]:
        options = self.options
        if not self.truncated and options.strategy in ("shortest", "all"):
            return self._length, True
        if options.through:
            return self._length, False
        _, search = self._finder.search(self.head, self.tail, options)
        with search:
            # Counting is an extra: a tenth of the search's budget, then an estimate.
            total = count(search, self._finder._budget(search, options) // 10)
        return max(total.paths, self._length), total.exact

    @property
    def total(self) -> int:
        """How many paths there are in all, listed or not."""
        return self._total[0]

    @property
    def total_exact(self) -> bool:
        """Whether ``total`` was counted rather than estimated."""
        return self._total[1]

    # Other forms

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "head": self.head.iri,
            "tail": self.tail.iri,
            "paths": [path.to_json() for path in self],
            "count": self.total,
            "count_exact": self.total_exact,
            "truncated": bool(self.truncated),
        }

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The entities and facts of all paths as one graph; nodes and edge keys are IRIs."""
        import networkx

        graph = networkx.MultiDiGraph()
        for path in self:
            graph.add_nodes_from((node.iri, {"label": node.label}) for node in path.nodes)
            for one, hop, other in zip(path.nodes, path.hops, path.nodes[1:], strict=False):
                head, tail = (one, other) if hop.forward else (other, one)
                graph.add_edge(head.iri, tail.iri, hop.relation.iri, label=hop.relation.label)
        return graph

    def to_frame(self) -> pandas.DataFrame:
        """A pandas table with a row per path."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("to_frame() needs pandas: pip install pandas") from error
        rows = [
            (str(path), path.length, path.cost, [n.iri for n in path.nodes], path.iris()[1::2])
            for path in self
        ]
        return pandas.DataFrame(rows, columns=["path", "length", "cost", "nodes", "relations"])

    def to_dot(self) -> str:
        """The union of all paths for Graphviz."""
        graph = self.to_networkx()

        def quoted(text: str) -> str:
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

        lines = ["digraph paths {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
        for iri, data in sorted(graph.nodes(data=True)):
            bold = ", penwidth=2" if iri in (self.head.iri, self.tail.iri) else ""
            lines.append(f"  {quoted(iri)} [label={quoted(data['label'])}{bold}];")
        for one, other, label in sorted(
            (one, other, data["label"]) for one, other, data in graph.edges(data=True)
        ):
            lines.append(f"  {quoted(one)} -> {quoted(other)} [label={quoted(label)}];")
        return "\n".join([*lines, "}"])

    def __repr__(self) -> str:
        title = f"<{self._length:,} paths {self.head} … {self.tail}"
        if self.truncated:
            title += f", cut by the {self.truncated}"
        lines = [title + ">", *(f"  {path}" for path in self[:5])]
        if self._length > 5:
            lines.append("  …")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{path.length}</td><td style='text-align:left'>{escape(str(path))}</td></tr>"
            for path in self[:20]
        )
        more = f"<p>… and {self._length - 20:,} more</p>" if self._length > 20 else ""
        title = escape(f"{self.head} … {self.tail}: {self._length:,} paths")
        return (
            f"<p><b>{title}</b></p><table><tr><th>hops</th><th>path</th></tr>{rows}</table>{more}"
        )

    # Details

    def _made(self, numbers: Sequence[int]) -> list[Path]:
        """Path objects for these places; entities are read in one go."""
        if not len(numbers):
            return []
        found = self._found
        rows = np.searchsorted(self._ends, np.asarray(numbers), side="right")
        ids = found.vertices[np.unique(rows)]
        entities = self._finder.graph.store.entities(ids[ids >= 0].tolist())
        relations = self._finder.graph.relations_by_id
        paths = []
        for number, row in zip(numbers, rows.tolist(), strict=True):
            length = int(found.lengths[row])
            vertices = found.vertices[row, : length + 1].tolist()
            labels = self._labels(row, length, number)
            if not self._forward:
                vertices.reverse()
                labels = [label ^ 1 for label in reversed(labels)]
            cost = None if found.costs is None else float(found.costs[row]) / UNIT
            paths.append(
                Path(
                    tuple(entities[vertex] for vertex in vertices),
                    tuple(Hop(relations[label >> 1], not label & 1) for label in labels),
                    cost,
                )
            )
        return paths

    def _labels(self, row: int, length: int, number: int) -> list[int]:
        if self._found.labels is not None:
            return [int(label) for label in self._found.labels[row, :length]]
        # The combinations of parallel relations, counted like the digits of a number.
        index = self._walker.index
        rest = number - (int(self._ends[row - 1]) if row else 0)
        one = slice(row, row + 1)
        places = hop_places(self._walker, self._found.vertices[one], self._found.lengths[one])
        labels = []
        for place in reversed(places[0, :length].tolist()):
            first, stop = int(index.label_offsets[place]), int(index.label_offsets[place + 1])
            rest, digit = divmod(rest, stop - first)
            labels.append(int(index.labels[first + digit]))
        return labels[::-1]
