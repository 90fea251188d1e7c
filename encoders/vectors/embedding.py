"""TransE vectors of a graph's entities and relations, as they lie beside the graph file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component
from kgpath.errors import BadStore
from kgpath.io.arrays import hash_of, read_array, write_array
from kgpath.io.saved_json import read_json
from kgpath.storage.hop_codes import is_backward, relation_of

if TYPE_CHECKING:
    from kgpath.graph import Graph


@dataclass(frozen=True)
class Embedding:
    """A vector for every entity and every relation, at the place of its id."""

    entities: NDArray[np.float32]
    relations: NDArray[np.float32]
    about: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def identity(self) -> str:
        """Tells these vectors from those of another training."""
        return hash_of(self.entities, self.relations)

    @property
    def size(self) -> int:
        """The number of dimensions."""
        return int(self.entities.shape[1])

    def hops(self, codes: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
        """The vectors of hop codes; backwards by their sign."""
        sign = np.where(is_backward(codes), np.float32(-1), np.float32(1))
        return np.asarray(self.relations[relation_of(codes)] * sign[..., None], dtype=np.float32)

    def save(self, folder: Path, fingerprint: str) -> None:
        """Write the vectors, for a graph with this content."""
        write_array(folder, "entities", self.entities)
        write_array(folder, "relations", self.relations)
        about = {**self.about, "fingerprint": fingerprint}
        (folder / "transe.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, fingerprint: str) -> Embedding:
        """Read vectors that were made for this content."""
        try:
            about = read_json(folder / "transe.json", dict)
        except (OSError, ValueError):
            raise BadStore(
                f"There are no TransE vectors in {folder}. Make them: kgpath embed GRAPH"
            ) from None
        if about.get("fingerprint") != fingerprint:
            raise BadStore(
                f"The TransE vectors in {folder} are those of another content of the graph. "
                "Make them again: kgpath embed GRAPH"
            )
        again = "Make the vectors again: kgpath embed GRAPH"
        entities, relations = (
            read_array(folder, name, again=again, kind=np.float32, dimensions=2)
            for name in ("entities", "relations")
        )
        return cls(entities, relations, about)


class OnTransE(Component):
    """A component that reads TransE vectors: of no use with those of another training."""

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return {"TransE vectors": embedding_of(graph).identity}


def folder_of(graph: Graph) -> Path:
    """Where the vectors of a graph file lie."""
    return graph.path.with_name(graph.path.name + ".transe")


def embedding_of(graph: Graph) -> Embedding:
    """The vectors of a graph, read once."""
    if graph not in _READ:
        found = Embedding.load(folder_of(graph), graph.fingerprint)
        sizes = len(found.entities), len(found.relations)
        if sizes != (len(graph), len(graph.store.relations)) or (
            found.entities.shape[1] != found.relations.shape[1]
        ):
            raise BadStore(
                f"The TransE vectors in {folder_of(graph)} are not those of {graph.path.name}. "
                "Make them again: kgpath embed GRAPH"
            )
        _READ[graph] = found
    return _READ[graph]


_READ: WeakKeyDictionary[Graph, Embedding] = WeakKeyDictionary()
