"""What a ranker is: it gives every candidate path a score, and says what the score is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component
from kgpath.errors import BadOption
from kgpath.features.evidence import shown_sentences
from kgpath.features.path_features import PathFeatures

Numbers = NDArray[np.float64]


class Scores(NamedTuple):
    """A number for each candidate, higher is better, and the parts it is the sum of.

    ``probability`` is that of the text expressing every hop of a candidate; None where the ranker
    has none.
    """

    total: Numbers
    parts: Mapping[str, Numbers]
    probability: Numbers | None = None

    @classmethod
    def sum_of(cls, parts: Mapping[str, Numbers]) -> Scores:
        """Scores that are the sum of named parts."""
        return cls(np.sum(list(parts.values()), axis=0), parts)


class Ranker(Component, ABC):
    """Ranks the candidates for one text.

    The constructor only stores parameters. The scores may not depend on the order of the
    candidates, on ids, or on which end a path is read from.
    """

    @abstractmethod
    def score(self, features: PathFeatures) -> Scores:
        """The scores of ``features.candidates`` for ``features.context``."""

    def evidence(
        self, features: PathFeatures, asked: NDArray[np.int64] | None = None
    ) -> list[tuple[int, ...]]:
        """For each of ``features.facts`` the sentences of the text to show for it, by number.

        Those of its closest ends, unless a ranker knows better. Only the facts at the places
        ``asked`` will be looked at, all without it. To be measured, a ranker is also asked for
        single facts, as paths of one hop that have no ends in common.
        """
        return shown_sentences(features)


class Example(NamedTuple):
    """A query to learn from: its candidates, and the places of the true paths among them.

    None is true where the text tells no path; such an example only comes to a ranker that says
    ``learns_from_untold``.
    """

    features: PathFeatures
    true: tuple[int, ...]
    group: str = ""


class TrainableRanker(Ranker):
    """A ranker that has to be fitted before it can score.

    One that ``learns_from_untold`` is also shown queries whose text tells no path; one that
    ``learns_from_graphs`` takes examples over several graphs, because nothing that it learns
    belongs to the entities of one; one that ``goes_on`` can learn more after it has learned.
    """

    learns_from_untold: ClassVar[bool] = False
    learns_from_graphs: ClassVar[bool] = False
    goes_on: ClassVar[bool] = False

    @property
    def ready(self) -> bool:
        """Whether it can score without being fitted: a model ships with it, or was loaded."""
        return False

    @abstractmethod
    def fit(self, examples: Iterable[Example]) -> None:
        """Learn from queries with known answers; they may be gone through several times."""

    def go_on(self, examples: Iterable[Example]) -> None:
        """Learn from further queries, and keep what was learned before."""
        raise BadOption(
            f"{type(self).__name__} cannot go on from what it learned before: train it anew, from "
            "all questions. kgpath-ltr and kgpath-general can."
        )
