"""Paths as arrays: the one form in which the engine finds, ranks and encodes them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from kgpath.storage.hop_codes import (
    code_of_iri,
    codes_of,
    hops_of,
    inverse,
    is_backward,
    relation_of,
)
from kgpath.types import Entity, Path

if TYPE_CHECKING:
    from kgpath.graph import Graph

Rows = NDArray[np.int64]


class PathSequence(Sequence[Path]):
    """Paths behind arrays: each becomes an object only when it is looked at."""

    @abstractmethod
    def paths(self, places: Sequence[int]) -> list[Path]:
        """Path objects for these places; their entities are read in one go."""

    @overload
    def __getitem__(self, at: int) -> Path: ...
    @overload
    def __getitem__(self, at: slice) -> list[Path]: ...
    def __getitem__(self, at: int | slice) -> Path | list[Path]:
        if isinstance(at, slice):
            return self.paths(range(*at.indices(len(self))))
        if not -len(self) <= at < len(self):
            raise IndexError(f"path {at} of {len(self)}")
        return self.paths([at % len(self)])[0]


class Facts(NamedTuple):
    """The distinct facts along some paths, as stated: head, relation, tail.

    ``along[path, hop]`` is the fact of a hop; -1 after the end of the path.
    """

    heads: Rows
    relations: Rows
    tails: Rows
    along: Rows


@dataclass(frozen=True, eq=False)
class PathArrays(PathSequence):
    """Paths as rows: ``vertices`` are entity ids, ``hop_codes`` relations with their direction.

    Rows are padded with -1. ``hop_codes`` has no columns where a row stands for every combination
    of the parallel relations along it: only its entities are chosen. ``truncated`` says why there
    may be more paths: ``limit``, ``budget``, or an empty string if these are all. With a ``source``
    graph, rows become :class:`Path` objects when they are looked at. ``ends`` are the head and the
    tail that all paths have, where they have the same.
    """

    vertices: NDArray[np.int32]  # n, most hops + 1
    lengths: NDArray[np.int32]  # n
    hop_codes: NDArray[np.int32]  # n, most hops
    costs: NDArray[np.int64] | None = None
    truncated: str = ""
    source: Graph | None = None
    ends: tuple[Entity, Entity] | None = None

    @classmethod
    def untyped(
        cls, vertices: NDArray[np.int32], lengths: NDArray[np.int32], truncated: str = ""
    ) -> PathArrays:
        """Paths of which only the entities are chosen."""
        return cls(vertices, lengths, np.empty((len(lengths), 0), np.int32), truncated=truncated)

    @classmethod
    def nothing(cls, most_hops: int) -> PathArrays:
        """No path at all."""
        return cls(
            np.empty((0, most_hops + 1), dtype=np.int32),
            np.empty(0, dtype=np.int32),
            np.empty((0, most_hops), dtype=np.int32),
        )

    @classmethod
    def from_paths(cls, graph: Graph, paths: Sequence[Path]) -> PathArrays:
        """Paths of this graph as rows, in their order; the ends are those of the first.

        They need not have the same ends, nor differ: for encoders, which read rows alone.
        """
        lengths = np.array([path.length for path in paths], dtype=np.int32)
        most_hops = int(lengths.max(initial=0))
        vertices = np.full((len(paths), most_hops + 1), -1, dtype=np.int32)
        codes = np.full((len(paths), most_hops), -1, dtype=np.int32)
        for row, path in enumerate(paths):
            vertices[row, : path.length + 1] = [node.id for node in path.nodes]
            codes[row, : path.length] = codes_of(path.hops)
        ends = (paths[0].nodes[0], paths[0].nodes[-1]) if paths else None
        return cls(vertices, lengths, codes, source=graph, ends=ends)

    @classmethod
    def from_iris(cls, graph: Graph, paths: Sequence[Sequence[str]]) -> PathArrays:
        """Paths given by IRI (entity, relation, entity, …) as rows, in their order.

        A path with an entity or relation that the graph does not have is left out.
        """
        ids = graph.store.ids({iri for path in paths for iri in path[::2]})
        relation_ids = graph.store.relation_ids
        codes = {name: code_of_iri(name, relation_ids) for path in paths for name in path[1::2]}
        known = [
            path
            for path in paths
            if all(iri in ids for iri in path[::2])
            and all(codes[name] is not None for name in path[1::2])
        ]
        entities = graph.store.entities(ids[iri] for path in known for iri in path[::2])
        relations = graph.store.relations
        return cls.from_paths(
            graph,
            [
                Path(
                    tuple(entities[ids[iri]] for iri in path[::2]),
                    hops_of((codes[name] or 0 for name in path[1::2]), relations),
                )
                for path in known
            ],
        )

    # What is there

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def typed(self) -> bool:
        """Whether every hop has its relation."""
        return bool(self.hop_codes.shape[1] == self.vertices.shape[1] - 1)

    @property
    def relations(self) -> NDArray[np.int64]:
        """The id of the relation of each hop; -1 after the end of a path."""
        return np.asarray(relation_of(self.hop_codes), dtype=np.int64)

    @property
    def backward(self) -> NDArray[np.bool_]:
        """Whether each hop goes against its relation."""
        return np.asarray(is_backward(self.hop_codes))

    @property
    def graph(self) -> Graph:
        assert self.source is not None, "these paths are of no graph yet"
        return self.source

    @property
    def head(self) -> Entity:
        assert self.ends is not None, "these paths have no ends in common"
        return self.ends[0]

    @property
    def tail(self) -> Entity:
        assert self.ends is not None, "these paths have no ends in common"
        return self.ends[1]

    def paths(self, places: Sequence[int]) -> list[Path]:
        """Path objects for these places; their entities are read in one go."""
        return path_objects(self.graph, self.take(np.asarray(places, dtype=np.int64)))

    def facts(self) -> Facts:
        """Every fact once, however many paths use it and in whichever direction."""
        there = self.hop_codes >= 0
        one, other = self.vertices[:, :-1][there], self.vertices[:, 1:][there]
        backward, relations = self.backward[there], self.relations[there]
        rows = np.stack(
            [np.where(backward, other, one), relations, np.where(backward, one, other)], axis=1
        )
        facts, place = np.unique(rows.astype(np.int64), axis=0, return_inverse=True)
        along = np.full(there.shape, -1, dtype=np.int64)
        along[there] = place.reshape(-1)
        return Facts(facts[:, 0], facts[:, 1], facts[:, 2], along)

    def by_length(self) -> Iterator[tuple[int, Rows]]:
        """Each length that occurs, and the rows that have it: none needs padding among its like."""
        for length in np.unique(self.lengths).tolist():
            yield length, np.flatnonzero(self.lengths == length)

    def order(self) -> Rows:
        """The order by length, then vertices, then hop codes."""
        keys = [*self.hop_codes.T[::-1], *self.vertices.T[::-1]]
        return np.lexsort([*keys, self.lengths])

    # Other rows

    def take(self, rows: Rows | slice) -> PathArrays:
        """Some of the rows, in the order given."""
        return replace(
            self,
            vertices=self.vertices[rows],
            lengths=self.lengths[rows],
            hop_codes=self.hop_codes[rows],
            costs=None if self.costs is None else self.costs[rows],
        )

    def untyped_rows(self) -> PathArrays:
        """The same rows without their relations."""
        return replace(self, hop_codes=self.hop_codes[:, :0])

    def sorted(self) -> PathArrays:
        """The same paths by length and then by ids."""
        return self.take(self.order())

    def reversed(self) -> PathArrays:
        """The same paths, each read from its other end."""
        vertices, codes = np.full_like(self.vertices, -1), np.full_like(self.hop_codes, -1)
        for length, rows in self.by_length():
            vertices[rows, : length + 1] = self.vertices[rows, length::-1]
            if self.typed:
                codes[rows, :length] = inverse(self.hop_codes[rows, :length][:, ::-1])
        ends = None if self.ends is None else (self.ends[1], self.ends[0])
        return replace(self, vertices=vertices, hop_codes=codes, ends=ends)

    def from_lower_end(self) -> PathArrays:
        """The same paths, each read from the smaller of its ends: equal paths have equal rows."""
        other = self.reversed()
        one, two = (np.hstack([rows.vertices, rows.hop_codes]) for rows in (self, other))
        # A walk that ends where it began is compared further on.
        differs = one != two
        at = differs.argmax(axis=1)
        every = np.arange(len(self))
        back = (differs.any(axis=1) & (one[every, at] > two[every, at]))[:, None]
        return replace(
            self,
            vertices=np.where(back, other.vertices, self.vertices),
            hop_codes=np.where(back, other.hop_codes, self.hop_codes),
            ends=None,
        )

    def distinct(self) -> Rows:
        """The first row of every different path, by their entities and hop codes."""
        _, first = np.unique(np.hstack([self.vertices, self.hop_codes]), axis=0, return_index=True)
        return np.asarray(first, dtype=np.int64)

    def entity_rows(self) -> Rows:
        """The first row of every different path by its entities alone, in the order of the rows."""
        return np.sort(self.untyped_rows().distinct())

    def bound(self, graph: Graph, head: Entity, tail: Entity) -> PathArrays:
        """The same paths, with the graph and the ends that they have there."""
        return replace(self, source=graph, ends=(head, tail))

    def __repr__(self) -> str:
        ends = "" if self.ends is None else f" {self.ends[0]} … {self.ends[1]}"
        return f"<{len(self):,} paths{ends}>"


def path_objects(
    graph: Graph, rows: PathArrays, costs: NDArray[np.float64] | None = None
) -> list[Path]:
    """Typed rows as objects of a graph; ``costs`` go along with them."""
    entities = graph.store.entities(rows.vertices[rows.vertices >= 0].tolist())
    codes = np.unique(rows.hop_codes[rows.hop_codes >= 0]).tolist()
    hops = dict(zip(codes, hops_of(codes, graph.store.relations), strict=True))
    every = zip(
        rows.lengths.tolist(),
        rows.vertices.tolist(),
        rows.hop_codes.tolist(),
        [None] * len(rows) if costs is None else costs.tolist(),
        strict=True,
    )
    return [
        Path(
            tuple([entities[vertex] for vertex in vertices[: length + 1]]),
            tuple([hops[code] for code in row[:length]]),
            cost,
        )
        for length, vertices, row, cost in every
    ]


def joined(parts: Sequence[PathArrays]) -> PathArrays:
    """Paths of several arrays one below the other, padded to the longest."""
    return PathArrays(
        _padded([part.vertices for part in parts], least=1),
        np.concatenate([part.lengths for part in parts]) if parts else np.empty(0, np.int32),
        _padded([part.hop_codes for part in parts], least=0),
    )


def _padded(arrays: Sequence[NDArray[np.int32]], least: int) -> NDArray[np.int32]:
    width = max((array.shape[1] for array in arrays), default=least)
    out = np.full((sum(map(len, arrays)), width), -1, dtype=np.int32)
    at = 0
    for array in arrays:
        out[at : at + len(array), : array.shape[1]] = array
        at += len(array)
    return out
