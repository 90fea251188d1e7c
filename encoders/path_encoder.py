"""What a path encoder is: a vector for every path, the same from whichever end it is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component
from kgpath.paths.path_arrays import PathArrays
from kgpath.types import Path

if TYPE_CHECKING:
    from kgpath.graph import Graph


class PathEncoder(Component, ABC):
    """Encodes paths. Inductive: any path whose entities and relations are known."""

    def fit(self, graph: Graph, candidates: Iterable[PathArrays]) -> None:
        """Learn from a graph and from candidate paths, never from which of them are true."""

    @abstractmethod
    def encode(self, candidates: PathArrays) -> NDArray[np.float32]:
        """A row for each path."""

    def of_paths(self, graph: Graph) -> Callable[[Sequence[Path]], NDArray[np.float32]]:
        """A function from path objects of a graph to rows, as PED takes it.

        A path with something that the graph does not have gets zeros.
        """

        def rows(paths: Sequence[Path]) -> NDArray[np.float32]:
            known = [at for at, path in enumerate(paths) if _is_known(path)]
            found = self.encode(PathArrays.from_paths(graph, [paths[at] for at in known]))
            vectors = np.zeros((len(paths), found.shape[1]), dtype=np.float32)
            vectors[known] = found
            return vectors

        return rows


def _is_known(path: Path) -> bool:
    ids = (*(node.id for node in path.nodes), *(hop.relation.id for hop in path.hops))
    return min(ids) >= 0
