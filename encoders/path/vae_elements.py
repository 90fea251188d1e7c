"""What path-VAE reads and has to tell apart: frozen TransE vectors of entities and relations.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from kgpath.encoders.path.path_rows import Ids, reversed_rows
from kgpath.encoders.path.vae_network import true_against_others
from kgpath.encoders.vectors.embedding import Embedding
from kgpath.storage.hop_codes import code_of, inverse, is_backward, relation_of

#: A true element is to be told from so many others of its batch.
OTHERS = 255


@dataclass(frozen=True)
class Elements:
    """Frozen TransE vectors of path elements, scaled so that a number is about 1 in size."""

    embedding: Embedding
    scales: tuple[float, float]

    def of(self, vertices: Ids, codes: Ids) -> Tensor:
        """Entity, relation, entity, … of paths of one length: (paths, elements, size)."""
        rows, length = codes.shape
        vectors = np.empty((rows, 2 * length + 1, self.embedding.size), dtype=np.float32)
        vectors[:, 0::2] = self.entities(vertices)
        vectors[:, 1::2] = self.hops(codes)
        return torch.from_numpy(vectors)

    def read(self, vertices: Ids, codes: Ids) -> tuple[Tensor, Tensor]:
        """Both readings for the encoder: relations as stated, the direction as a number more.

        With the sign on the vector, as TransE has it, a relation would vanish from the mean of the
        two readings.
        """
        return self._reading(vertices, codes), self._reading(*reversed_rows(vertices, codes))

    def _reading(self, vertices: Ids, codes: Ids) -> Tensor:
        forward = torch.zeros(len(codes), 2 * codes.shape[1] + 1, 1)
        forward[:, 1::2, 0] = torch.from_numpy(1 - 2 * is_backward(codes))
        return torch.cat([self.of(vertices, code_of(relation_of(codes), False)), forward], dim=2)

    def entities(self, ids: Ids) -> NDArray[np.float32]:
        return np.asarray(self.embedding.entities[ids] / np.float32(self.scales[0]))

    def hops(self, ids: Ids) -> NDArray[np.float32]:
        return np.asarray(self.embedding.hops(ids) / np.float32(self.scales[1]))


def scales_of(embedding: Embedding) -> tuple[float, float]:
    """The root mean square of the numbers in entity and in relation vectors."""
    sizes = (
        float(np.sqrt(np.mean(np.square(vectors), dtype=np.float64))) if vectors.size else 0.0
        for vectors in (embedding.entities, embedding.relations)
    )
    entities, relations = (size or 1.0 for size in sizes)
    return entities, relations


@dataclass(frozen=True)
class Others:
    """Random elements of a batch, from which the true ones are to be told: entities, relations.

    Which end of a path is decoded first is a matter of chance that the latent vector does not
    know; so at the first place, the other end of the same path counts as the same.
    """

    vectors: tuple[Tensor, Tensor]
    same: tuple[Tensor, Tensor]

    @classmethod
    def drawn(
        cls, vertices: Ids, codes: Ids, elements: Elements, rng: np.random.Generator
    ) -> Others:
        entities = rng.permutation(np.unique(vertices))[:OTHERS]
        # Both directions of every relation: the direction is to be told as well.
        hops = rng.permutation(np.unique(np.concatenate([codes, inverse(codes)])))[:OTHERS]
        same_entity = vertices[..., None] == entities
        same_entity[:, 0] |= vertices[:, -1:] == entities
        return cls(
            (
                torch.from_numpy(elements.entities(entities)),
                torch.from_numpy(elements.hops(hops)),
            ),
            (torch.from_numpy(same_entity), torch.from_numpy(codes[..., None] == hops)),
        )

    def logits(self, guesses: Tensor, true: Tensor, place: int) -> Tensor:
        """For all entities (place 0) or relations (place 1) of a batch."""
        return true_against_others(
            guesses, _unit(true), _unit(self.vectors[place]), self.same[place]
        )

    def logits_at(self, guess: Tensor, true: Tensor, place: int) -> Tensor:
        """For the element at one place of every path of a batch."""
        kind, at = place % 2, place // 2
        return true_against_others(
            guess, _unit(true), _unit(self.vectors[kind]), self.same[kind][:, at]
        )


def _unit(vectors: Tensor) -> Tensor:
    return functional.normalize(vectors, dim=-1)
