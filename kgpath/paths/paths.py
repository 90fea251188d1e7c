"""Paths between two entities as a user meets them: a sequence over arrays, and its other forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.extras import require
from kgpath.paths.costs import UNIT
from kgpath.paths.parallel_relations import all_relations, choose_relations, count_typed
from kgpath.paths.path_arrays import PathArrays, PathSequence, path_objects
from kgpath.paths.walks import Walker
from kgpath.storage.hop_codes import hops_of, inverse
from kgpath.types import Entity, Hop, Path

if TYPE_CHECKING:
    import networkx
    import pandas

    from kgpath.paths.finder import PathFinder, PathOptions

_BLOCK = 1024  # paths made at a time while iterating


class Paths(PathSequence):
    """Paths between two entities, shortest (or cheapest) first.

    Backed by arrays: parallel relations between two entities give one path each, or where paths are
    merged one path that shows them all; a path becomes an object only when it is looked at.
    ``truncated`` says why there may be more paths (``limit`` or ``budget``), empty if these are
    all; ``total`` tells how many there are.
    """

    def __init__(
        self,
        finder: PathFinder,
        walker: Walker,
        head: Entity,
        tail: Entity,
        options: PathOptions,
        found: PathArrays,
        forward: bool,
        ranks: NDArray[np.int64] | None = None,
    ) -> None:
        self.head, self.tail, self.options = head, tail, options
        self._finder, self._walker = finder, walker
        self._found, self._forward = found, forward
        self._ranks = ranks  # of hop codes: the order of parallel relations; None: as they are
        one = options.merged
        self._ends = np.arange(1, len(found) + 1) if one else np.cumsum(count_typed(walker, found))
        total = int(self._ends[-1]) if len(self._ends) else 0
        self._length = total if options.limit is None else min(total, options.limit)
        self.truncated = found.truncated or ("limit" if self._length < total else "")

    # What is there

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Path]:
        for at in range(0, self._length, _BLOCK):
            yield from self.paths(range(at, min(at + _BLOCK, self._length)))

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
        total = self._finder.count(self.head, self.tail, options)
        number = total.entity_paths if options.merged else total.paths
        return max(number, self._length), total.exact

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
            for one, step, other in zip(path.nodes, path.hops, path.nodes[1:], strict=False):
                for hop in (step, *step.also):
                    head, tail = (one, other) if hop.forward else (other, one)
                    graph.add_edge(head.iri, tail.iri, hop.relation.iri, label=hop.relation.label)
        return graph

    def to_frame(self) -> pandas.DataFrame:
        """A pandas table with a row per path."""
        pandas = require("pandas", "", "to_frame()")
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

    def paths(self, places: Sequence[int]) -> list[Path]:
        """Path objects for these places; their entities are read in one go."""
        if not len(places):
            return []
        numbers = np.asarray(places, dtype=np.int64)
        rows = np.searchsorted(self._ends, numbers, side="right")
        some = self._found.take(rows)
        if self.options.merged:
            return self._merged(some)
        if not some.typed:
            before = np.concatenate([[0], self._ends])[rows]
            some = choose_relations(self._walker, some, numbers - before, self._ranks)
        return self._made(some)

    def _made(self, rows: PathArrays) -> list[Path]:
        costs = None if rows.costs is None else rows.costs / UNIT
        return path_objects(self._finder.graph, rows if self._forward else rows.reversed(), costs)

    def _merged(self, rows: PathArrays) -> list[Path]:
        """A path for each row, each hop with all relations between its two entities."""
        rows, beside = all_relations(self._walker, rows, self._ranks)
        paths = self._made(rows)
        known = sorted({code for _, _, codes in beside for code in codes})
        read = known if self._forward else [inverse(code) for code in known]
        relations = self._finder.graph.store.relations
        hop_of = dict(zip(known, hops_of(read, relations), strict=True))
        for row, at, codes in beside:
            path = paths[row]
            at = at if self._forward else path.length - 1 - at
            hop = path.hops[at]
            hop = Hop(hop.relation, hop.forward, tuple([hop_of[code] for code in codes]))
            hops = (*path.hops[:at], hop, *path.hops[at + 1 :])
            paths[row] = Path(path.nodes, hops, path.cost)
        return paths
