"""Candidate paths for a text: those through entities that it names first, then the shortest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.cheapest import cheapest
from kgpath.context import Context
from kgpath.costs import HOP, UNIT
from kgpath.finder import PathOptions
from kgpath.paths import PathSequence
from kgpath.types import Entity, Hop, Path
from kgpath.walks import Found

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: How many labelled paths are ranked, unless told otherwise.
LIMIT = 300
#: The share of them that is kept for the shortest paths, whatever the text names.
SHORTEST_SHARE = 1 / 6


@dataclass(frozen=True, eq=False)
class Candidates(PathSequence):
    """Labelled paths from ``head`` to ``tail`` as rows of arrays, none of them twice.

    Rows of ``vertices`` and ``labels`` are padded with -1; a label is 2 · relation, plus 1 where
    the hop goes against it. ``truncated`` says why the graph may have more paths: ``limit``,
    ``budget``, or an empty string if these are all. Swapping head and tail gives the same rows in
    the same order, each reversed.
    """

    graph: Graph
    head: Entity
    tail: Entity
    vertices: NDArray[np.int32]  # n, hops + 1
    labels: NDArray[np.int32]  # n, hops
    lengths: NDArray[np.int32]  # n
    truncated: str = ""

    @classmethod
    def from_paths(cls, graph: Graph, paths: Sequence[Path]) -> Candidates:
        """Paths of this graph as rows, in their order; the ends are those of the first.

        They need not have the same ends, nor differ: for encoders, which read rows alone.
        """
        lengths = np.array([path.length for path in paths], dtype=np.int32)
        hops = int(lengths.max(initial=0))
        vertices = np.full((len(paths), hops + 1), -1, dtype=np.int32)
        labels = np.full((len(paths), hops), -1, dtype=np.int32)
        for row, path in enumerate(paths):
            vertices[row, : path.length + 1] = [node.id for node in path.nodes]
            labels[row, : path.length] = [2 * h.relation.id + (not h.forward) for h in path.hops]
        nobody = Entity(-1, "", "")
        head, tail = (paths[0].nodes[0], paths[0].nodes[-1]) if paths else (nobody, nobody)
        return cls(graph, head, tail, vertices, labels, lengths)

    @classmethod
    def from_iris(cls, graph: Graph, paths: Sequence[Sequence[str]]) -> Candidates:
        """Paths given by IRI (entity, relation, entity, …) as rows, in their order.

        A path with an entity or relation that the graph does not have is left out.
        """
        ids = graph.store.ids({iri for path in paths for iri in path[::2]})
        relations = graph.relation_ids
        known = [
            path
            for path in paths
            if all(iri in ids for iri in path[::2])
            and all(iri.removeprefix("^") in relations for iri in path[1::2])
        ]
        entities = graph.store.entities(ids[iri] for path in known for iri in path[::2])
        by_id = graph.relations_by_id
        return cls.from_paths(
            graph,
            [
                Path(
                    tuple(entities[ids[iri]] for iri in path[::2]),
                    tuple(
                        Hop(by_id[relations[iri.removeprefix("^")]], iri[0] != "^")
                        for iri in path[1::2]
                    ),
                )
                for path in known
            ],
        )

    def __len__(self) -> int:
        return len(self.lengths)

    def paths(self, places: Sequence[int]) -> list[Path]:
        """Path objects for these places; their entities are read in one go."""
        ids = self.vertices[list(places)]
        entities = self.graph.store.entities(ids[ids >= 0].tolist())
        relations = self.graph.relations_by_id
        made = []
        for place in places:
            length = int(self.lengths[place])
            vertices = self.vertices[place, : length + 1].tolist()
            labels = self.labels[place, :length].tolist()
            hops = tuple(Hop(relations[label >> 1], not label & 1) for label in labels)
            made.append(Path(tuple(entities[vertex] for vertex in vertices), hops))
        return made

    def __repr__(self) -> str:
        return f"<{len(self)} candidates {self.head} … {self.tail}>"


def candidates_for(
    context: Context,
    head: Entity,
    tail: Entity,
    options: PathOptions | None = None,
    limit: int = LIMIT,
) -> Candidates:
    """The paths worth ranking for a text, at most ``limit``.

    A path costs what the text does not name of its inner entities, and a little for every hop;
    the cheapest come first, exactly. The rest of the places goes to the shortest paths that are
    not among them. ``options`` gives the hops allowed and the filters.
    """
    graph, options = context.graph, options or PathOptions()
    unnamed = np.rint((1 - context.naming) * UNIT).astype(np.int64)
    relations = np.zeros(len(graph.relations_by_id), dtype=np.int64)
    walker, search = graph.finder.search(head, tail, options)
    budget = walker.budget if options.budget is None else options.budget
    hop = round(HOP * UNIT)
    by_text = limit - int(limit * SHORTEST_SHARE)
    with search:
        found = cheapest(search, by_text, unnamed, relations, hop, budget)
        if found.truncated:
            shortest = cheapest(search, limit, np.zeros_like(unnamed), relations, hop, budget)
            found = _filled_up(found, shortest, limit)
        if search.start != head.id:
            found = _reversed(found)
    assert found.labels is not None
    return Candidates(
        graph, head, tail, found.vertices, found.labels, found.lengths, found.truncated
    )


def _filled_up(found: Found, others: Found, limit: int) -> Found:
    """The paths found, then those of the others that are new, up to the limit."""
    assert found.labels is not None and others.labels is not None
    vertices = np.concatenate([found.vertices, others.vertices])
    labels = np.concatenate([found.labels, others.labels])
    lengths = np.concatenate([found.lengths, others.lengths])
    _, first = np.unique(np.hstack([vertices, labels]), axis=0, return_index=True)
    kept = np.sort(first)[:limit]
    truncated = ""
    if others.truncated or len(first) > limit:
        truncated = "budget" if "budget" in (found.truncated, others.truncated) else "limit"
    return Found(vertices[kept], lengths[kept], labels[kept], truncated=truncated)


def _reversed(found: Found) -> Found:
    """The same paths read from their other end."""
    assert found.labels is not None
    vertices, labels = np.full_like(found.vertices, -1), np.full_like(found.labels, -1)
    for length in np.unique(found.lengths).tolist():
        rows = found.lengths == length
        vertices[rows, : length + 1] = found.vertices[rows, length::-1]
        labels[rows, :length] = found.labels[rows, :length][:, ::-1] ^ 1
    return found._replace(vertices=vertices, labels=labels)
