"""A path as a bag: the mean TransE vector of its entities, and that of its relations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.path.path_rows import by_length, rows_of
from kgpath.encoders.path_encoder import PathEncoder
from kgpath.encoders.vectors.embedding import OnTransE, embedding_of
from kgpath.paths.path_arrays import PathArrays
from kgpath.storage.hop_codes import relation_of


class PathMean(OnTransE, PathEncoder):
    """Mean TransE vectors of entities and of relations, one after the other; nothing to train.

    A relation counts in the direction of its fact, from whichever end the path is read. With the
    sign of the walk, the sum of a path's relations would only be tail - head, as TransE is made.
    """

    def encode(self, candidates: PathArrays) -> NDArray[np.float32]:
        embedding = embedding_of(candidates.graph)
        size = embedding.size
        vectors = np.zeros((len(candidates), 2 * size), dtype=np.float32)
        for length, rows in by_length(candidates.lengths):
            vertices, codes = rows_of(candidates, rows, length)
            # In double precision, the order in which a sum is taken does not show.
            vectors[rows, :size] = embedding.entities[vertices].mean(axis=1, dtype=np.float64)
            if length:
                relations = embedding.relations[relation_of(codes)]
                vectors[rows, size:] = relations.mean(axis=1, dtype=np.float64)
        return vectors
