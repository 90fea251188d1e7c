"""What a context encoder is: a vector for an end of a query, from the text around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component
from kgpath.encoders.context_scope import check_scope
from kgpath.linking.context import Context

if TYPE_CHECKING:
    from kgpath.graph import Graph


class ContextEncoder(Component, ABC):
    """Encodes one end of a query in its text; a query is both ends, one after the other.

    ``scope`` is the text that counts: ``window`` (15 tokens around each mention of the entity, or
    all of the text where it is not mentioned) or ``document``. A subclass without that choice
    leaves ``scope`` out of its constructor.
    """

    RENAMED_OPTIONS: ClassVar[dict[str, str]] = {"range": "scope"}

    def __init__(self, scope: str = "window") -> None:
        self.scope = check_scope(scope)

    def fit(self, graph: Graph, contexts: Iterable[Context]) -> None:
        """Learn from a graph and the texts of queries, never from their true paths."""

    def choices(self) -> list[dict[str, float]]:
        """Settings from which a ranker is to choose: the best for part of what it learns from.

        None: nothing is left to choose.
        """
        return []

    def choose(self, setting: dict[str, float]) -> None:
        """Take one of the settings."""

    @abstractmethod
    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        """The vector of an entity in a text; of the same length for every text and entity."""

    def words(self, context: Context, entity: int) -> list[str]:
        """The words in scope."""
        return context.window([entity]) if self.scope == "window" else context.tokens.words
