"""What the tables of one command share: the queries, the graph, the settings, cached results."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgpath.encoders.vectors.embedding import embedding_of
from kgpath.errors import BadOption, BadStore, KgpathError
from kgpath.graph import open_graph
from kgpath.reproduce.ecpr.benchmark import Benchmark
from kgpath.reproduce.ecpr.data import Data, read_data
from kgpath.reproduce.ecpr.experiments import ResultCache
from kgpath.reproduce.ecpr.fitted_encoders import FittedEncoders
from kgpath.reproduce.ecpr.settings import Settings

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.reproduction import Request


class Study:
    """Everything that the tables of one command share."""

    def __init__(self, request: Request) -> None:
        if not request.graph:
            raise BadOption("Name the graph of the queries: --graph film.kg")
        self.settings = Settings.of(request.options, request.quick)
        self.data: Data = read_data(request.files)
        self.progress = request.progress
        self.graph: Graph = request.closing.enter_context(open_graph(request.graph))
        self.cache = ResultCache(Path(request.output) / "cells" if request.output else None)
        self._benchmarks: dict[bool, Benchmark] = {}

    def benchmark(self, strata: bool = False) -> Benchmark:
        """Where experiments are measured; ``strata`` for tables over parts of a dataset."""
        if strata not in self._benchmarks:
            protocol = self.data.protocol(self.settings, strata)
            same = (a for a in self._benchmarks.values() if a.protocol == protocol)
            self._benchmarks[strata] = next(same, None) or Benchmark(self, protocol)
        return self._benchmarks[strata]

    @cached_property
    def ped(self) -> tuple[Any, str]:
        """The encoder of PED; else why there is none."""
        encoders = FittedEncoders(self.graph, self.settings, self.progress)
        try:
            return encoders.path(self.settings.ped), ""
        except KgpathError as error:
            return None, f"No PED: {error}"

    @cached_property
    def transe(self) -> str:
        """Tells the TransE vectors of the graph from others; empty without any."""
        try:
            return embedding_of(self.graph).identity
        except BadStore:
            return ""


def study_of(request: Request) -> Study:
    """The study of a request, the same one for all of its tables."""
    return request.shared("ecpr", lambda: Study(request))
