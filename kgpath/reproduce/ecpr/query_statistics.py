"""What is known of queries and their candidates, whatever ranks them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.io.progress import Progress
from kgpath.reproduce.ecpr.study_queries import StudyQueries
from kgpath.storage.hop_codes import relation_of


def query_statistics(queries: StudyQueries, encoder: Any, progress: Progress) -> dict[str, Any]:
    """Figures of every query, and of all together, as plain data.

    ``spread`` is how far apart the candidates of a query are, two by two, by PED (section
    10.2); None for fewer than two, or without an encoder.
    """
    every: dict[str, list[Any]] = {
        name: [] for name in ("hops", "candidates", "candidate_hops", "shortest", "named", "spread")
    }
    entities: set[int] = set()
    relations: set[int] = set()
    for place, query in enumerate(queries.queries):
        progress("looking at the queries", place, len(queries))
        found = queries.found[place]
        lengths = np.zeros(0, np.int32) if found is None else found.lengths
        every["hops"].append(min(truth.path.length for truth in query.truths))
        every["candidates"].append(len(lengths))
        every["candidate_hops"].append(int(lengths.sum()))
        every["shortest"].append(int(lengths.min(initial=99)) if len(lengths) else 0)
        every["named"].append(_is_named(queries, place))
        spread = None
        if found is not None and len(found) > 1 and encoder is not None:
            spread = mean_ped(encoder.encode(found))
        every["spread"].append(spread)
        if found is not None:
            entities.update(np.unique(found.vertices[found.vertices >= 0]).tolist())
            relations.update(np.unique(relation_of(found.hop_codes[found.hop_codes >= 0])).tolist())
    return {
        **every,
        "entities": len(entities),
        "relations": len(relations),
        "mode": queries.mode,
        "seconds": round(queries.seconds, 3),
        "notes": len(queries.notes),
    }


def mean_ped(vectors: NDArray[np.float32]) -> float:
    """The mean PED of rows, two by two."""
    rows = vectors.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1)
    # The cosines of all pairs without a table of them: the square of the sum, less its own.
    count = len(rows)
    cosines = (np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / (count * (count - 1))
    return round(float((1 - cosines) / 2), 4)


def _is_named(queries: StudyQueries, place: int) -> bool:
    """Whether the text names every entity of a true path."""
    for truth in queries.queries[place].truths:
        ids = [node.id for node in truth.path.nodes]
        if min(ids) >= 0:
            mentioned = {m.entity for m in queries.context(place).mentions(ids)}
            if mentioned.issuperset(ids):
                return True
    return False
