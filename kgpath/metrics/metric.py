"""What a metric is: a value that prints, parses, compares, and knows which way is better."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.ontology_paths import OntologyPaths
from kgpath.plugins import METRICS
from kgpath.types import Path

#: Paths in, one row of numbers for each out.
PathVectors = Callable[[Sequence[Path]], NDArray[np.floating[Any]]]


@dataclass(frozen=True)
class Tools:
    """What some metrics need besides the rankings: an ontology (NGEO), a path encoder (PED)."""

    ontology: OntologyPaths | None = None
    encoder: PathVectors | None = None


class Metric(ABC):
    """One figure for each query. Subclasses are frozen dataclasses: equal, hashable, printable.

    ``version`` is raised whenever the same rankings get other figures, as that of a component.
    Where not ``every_query`` can have a figure, it is not a number for the others, which means and
    intervals leave out.
    """

    version: ClassVar[int] = 1
    higher_is_better: ClassVar[bool] = True
    lowest: ClassVar[float] = 0.0
    highest: ClassVar[float] = 1.0
    every_query: ClassVar[bool] = True

    @abstractmethod
    def __str__(self) -> str:
        """The name that :func:`parse` reads back."""

    @abstractmethod
    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        """The figure of every query, in their order."""

    @property
    def best(self) -> float:
        return self.highest if self.higher_is_better else self.lowest

    @property
    def worst(self) -> float:
        return self.lowest if self.higher_is_better else self.highest


def parse(name: str | Metric) -> Metric:
    """The metric of a name; an unknown name is answered with the known ones.

    >>> parse("Hits@5")
    Hits(k=5)
    >>> str(parse("NGEO(Ent)"))
    'NGEO(Ent)'
    """
    if isinstance(name, Metric):
        return name
    text = name.strip()
    entry = METRICS.entry(re.sub(r"@[0-9]+$", "@k", text))
    if text.endswith("@k"):
        raise BadOption(f"{text} stands for many metrics: say which k, as in {text[:-1]}5.")
    arguments: list[str | int] = re.findall(r"\((\w+)\)", text)
    arguments += [int(k) for k in re.findall(r"@([0-9]+)$", text)]
    metric: Metric = METRICS.load(entry.name)(*arguments)
    return metric
