"""AVG-TransE of Lo & Lim (2023), section 4.2.1: what the entities around it are, by the graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.context_scope import entities_in_scope
from kgpath.encoders.vectors.embedding import OnTransE, embedding_of
from kgpath.linking.context import Context


class AvgTransE(OnTransE, ContextEncoder):
    """The mean TransE vector of the other entities mentioned in scope; zeros without any."""

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        embedding = embedding_of(context.graph)
        others = [one for one in entities_in_scope(context, entity, self.scope) if one != entity]
        if not others:
            return np.zeros(embedding.size, dtype=np.float32)
        return np.asarray(embedding.entities[others].mean(axis=0, dtype=np.float64), np.float32)
