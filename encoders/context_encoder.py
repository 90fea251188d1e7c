"""What a context encoder is: a vector for an entity of a question, from the text around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component
from kgpath.errors import BadOption
from kgpath.linking.context import Context

if TYPE_CHECKING:
    from kgpath.graph import Graph

RANGES = ("window", "document")


class ContextEncoder(Component, ABC):
    """Encodes one end of a question in its text; a question is both ends, one after the other.

    ``range`` is the text that counts: ``window`` (15 tokens around each mention of the entity, or
    all of the text where it is not mentioned) or ``document``. A subclass without that choice
    leaves ``range`` out of its constructor.
    """

    def __init__(self, range: str = "window") -> None:
        if range not in RANGES:
            raise BadOption(f"range is {range!r}; it can be {' or '.join(RANGES)}.")
        self.range = range

    def fit(self, graph: Graph, contexts: Iterable[Context]) -> None:
        """Learn from a graph and the texts of the questions, never from their answers."""

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
        """The words in range."""
        return context.window([entity]) if self.range == "window" else context.tokens.words
