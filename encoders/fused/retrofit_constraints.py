"""Which entities pull and hold the mentions of a document: from its tokens and from the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.fused.retrofit import Constraints, Floats
from kgpath.encoders.vectors.embedding import Embedding
from kgpath.linking.mentions import WINDOW, Mention

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.storage.index import Index

Ids = NDArray[np.int64]

#: So many neighbours outside the text repel, so many of the nearest and so many facts hold.
OUTSIDE, NEAREST, FACTS = 20, 10, 10
# Where the nearest are looked for: so many neighbours, and so many neighbours of each.
_NEIGHBOURS, _THEIRS = 40, 10


class _Around(NamedTuple):
    """What the graph has around an entity of a document."""

    outside: Ids  # neighbours that the document does not name
    tails: Ids  # the other ends of some facts
    codes: Ids  # their hop codes


def constraints_of(graph: Graph, embedding: Embedding, mentions: Sequence[Mention]) -> Constraints:
    """Everything that moves and holds the mentions of a document."""
    named = np.array([mention.entity for mention in mentions], dtype=np.int64)
    entities, which = np.unique(named, return_inverse=True)
    around = [_around(graph, entities, entity, iri) for entity, iri in _iris(graph, entities)]
    close, distant = _in_text(mentions, which)
    outside, outside_weights = _padded([one.outside for one in around], OUTSIDE)
    near, near_weights = _nearest(graph.index, embedding, entities)
    tails, target_weights = _padded([one.tails for one in around], FACTS)
    codes, _ = _padded([one.codes for one in around], FACTS)
    targets = embedding.entities[tails].astype(np.float64) - embedding.hops(codes)
    return Constraints(
        start=embedding.entities[named].astype(np.float64),
        close=close,
        distant=distant,
        outside=_unit(embedding, outside)[which],
        outside_weights=outside_weights[which],
        near=_unit(embedding, near)[which],
        near_weights=near_weights[which],
        targets=targets[which],
        target_weights=target_weights[which],
        target_mentions=_mentions_of(tails[which], target_weights[which], mentions, named),
    )


def _in_text(mentions: Sequence[Mention], which: Ids) -> tuple[Floats, Floats]:
    """The weights of other mentions: in the window of each, and in the rest of the document.

    E^CW and E^SD are sets of entities: the mentions of one entity share its weight.
    """
    first = np.array([mention.first for mention in mentions])
    last = np.array([mention.last for mention in mentions])
    in_window = (last > first[:, None] - WINDOW) & (first < last[:, None] + WINDOW)
    other = which != which[:, None]
    of_entity = (which[:, None] == np.arange(which.max() + 1)).astype(np.float64)
    close = in_window & other
    known = (close @ of_entity > 0)[:, which]
    return _shared(close, of_entity, which), _shared(other & ~known, of_entity, which)


def _shared(chosen: NDArray[np.bool_], of_entity: Floats, which: Ids) -> Floats:
    mentions = chosen @ of_entity
    entities = (mentions > 0).sum(axis=1, keepdims=True)
    return np.asarray(chosen / np.maximum(mentions[:, which] * entities, 1), dtype=np.float64)


def _iris(graph: Graph, entities: Ids) -> list[tuple[int, str]]:
    rows = graph.store.entities(entities.tolist())
    return [(entity, rows[entity].iri) for entity in entities.tolist()]


def _around(graph: Graph, named: Ids, entity: int, iri: str) -> _Around:
    """Neighbours and facts by chance, the same ones whenever the entity has the same neighbours."""
    # By the IRI: ids change when a graph grows. Neighbours are in the order of their IRIs.
    rng = np.random.default_rng(crc32(iri.encode("utf-8", "surrogatepass")))
    index = graph.index
    begin, end = int(index.offsets[entity]), int(index.offsets[entity + 1])
    row = index.neighbours[begin:end]
    at = np.searchsorted(row, named)
    inside = (
        at[(at < len(row)) & (row[np.minimum(at, len(row) - 1)] == named)] if len(row) else at[:0]
    )
    inside = inside[row[inside] != entity]
    drawn = rng.choice(len(row), min(len(row), OUTSIDE + len(inside) + 1), replace=False)
    drawn = drawn[~np.isin(drawn, inside) & (row[drawn] != entity)][:OUTSIDE]
    # Facts within the text first: those to neighbours that repel are at odds with them.
    places = begin + np.concatenate([rng.permutation(inside), drawn])[:FACTS]
    first = index.hop_offsets[places]
    parallel = index.hop_offsets[places + 1] - first
    codes = index.hop_codes[first + (rng.random(len(places)) * parallel).astype(np.int64)]
    tails = index.neighbours[places]
    return _Around(row[drawn].astype(np.int64), tails.astype(np.int64), codes.astype(np.int64))


def _nearest(index: Index, embedding: Embedding, entities: Ids) -> tuple[Ids, Floats]:
    """The nearest by TransE among neighbours and their neighbours, where TransE puts most of them.

    All entities would be too many to compare for every text. Of many neighbours, some at even
    distances in the order of IRIs stand for all.
    """
    pools = []
    for entity in entities.tolist():
        some = _spread(index, np.array([entity]), _NEIGHBOURS)
        pool = np.unique(np.concatenate([some, _spread(index, some, _THEIRS)]))
        pool = pool[pool != entity]
        vectors = embedding.entities[pool]
        lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-12)
        cosines = vectors @ embedding.entities[entity] / lengths
        pools.append(pool[np.argsort(-cosines, kind="stable")[:NEAREST]])
    return _padded(pools, NEAREST)


def _spread(index: Index, entities: Ids, most: int) -> Ids:
    """Up to ``most`` neighbours of each entity, at even distances."""
    first = index.offsets[entities]
    degrees = index.offsets[entities + 1] - first
    steps = np.arange(most)
    # All of them where there are few; else every so many.
    places = np.where(degrees[:, None] > most, steps * degrees[:, None] // most, steps)
    found = (first[:, None] + places)[places < degrees[:, None]]
    return index.neighbours[found].astype(np.int64)


def _padded(rows: Sequence[Ids], width: int) -> tuple[Ids, Floats]:
    """Rows of one width, filled up with 0, and the weights by which each row is a mean."""
    ids = np.zeros((len(rows), width), dtype=np.int64)
    weights = np.zeros((len(rows), width))
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        weights[at, : len(row)] = 1 / max(len(row), 1)
    return ids, weights


def _unit(embedding: Embedding, ids: Ids) -> Floats:
    vectors = embedding.entities[ids].astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))


def _mentions_of(
    tails: Ids, weights: Floats, mentions: Sequence[Mention], named: Ids
) -> NDArray[np.int64]:
    """The mention of each tail that is nearest in the text, or -1."""
    first = np.array([mention.first for mention in mentions])
    away = np.abs(first[:, None] - first)[:, None] + np.where(
        tails[..., None] == named, 0, np.iinfo(np.int32).max
    )
    nearest = away.argmin(axis=2)
    return np.where((weights > 0) & (named[nearest] == tails), nearest, -1)
