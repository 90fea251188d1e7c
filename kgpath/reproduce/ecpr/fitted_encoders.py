"""Encoders fitted once for all experiments: every ranker and both scopes read with the same one."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from typing import Any

from kgpath.graph import Graph
from kgpath.io.progress import Progress
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS
from kgpath.registry import parse_choice
from kgpath.reproduce.ecpr.settings import QUICK_CONTEXT, QUICK_PATH, Settings, with_options


class FrozenEncoder:
    """An encoder that has learned: fitting a ranker leaves it as it is."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder

    def fit(self, *_: object) -> None:
        """Nothing is left to learn."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)


class FittedEncoders:
    """Makes and fits encoders by name; ``seconds`` says how long each took to learn."""

    def __init__(self, graph: Graph, settings: Settings, progress: Progress) -> None:
        self._graph, self._settings, self._progress = graph, settings, progress
        self._made: dict[str, Any] = {}
        self.seconds: dict[str, float] = {}

    def context(self, choice: str, contexts: Callable[[], Sequence[Context]]) -> FrozenEncoder:
        """A context encoder; what one learned for a scope serves the other, too.

        It learns from ``contexts``, which are asked for only if it is one and has all it needs.
        """
        name, options = parse_choice(choice)
        old = options.pop("range", "")
        scope = options.pop("scope", old)
        common = with_options(name, **options)
        if common not in self._made:
            # Word vectors from a file are for words: avg-wiki2vec learns from the graph.
            vectors = self._settings.vectors if name != "avg-wiki2vec" else ""
            quick = QUICK_CONTEXT if self._settings.quick else {}
            encoder = CONTEXT_ENCODERS.make(common, vectors=vectors, **quick)
            self._fit(common, encoder, contexts)
        encoder = copy.copy(self._made[common])
        if scope:
            encoder.scope = scope
        return FrozenEncoder(encoder)

    def path(
        self, choice: str, candidates: Callable[[], Sequence[PathArrays]] = lambda: ()
    ) -> FrozenEncoder:
        """A path encoder; without candidates it learns from random walks over the graph."""
        if choice not in self._made:
            quick = QUICK_PATH if self._settings.quick else {}
            # What a quick run is for comes before what the choice says of its size.
            name, said = parse_choice(choice)
            left = {key: value for key, value in said.items() if key not in quick}
            self._fit(choice, PATH_ENCODERS.make(with_options(name, **left), **quick), candidates)
        return FrozenEncoder(self._made[choice])

    def _fit(self, name: str, encoder: Any, learned: Callable[[], Sequence[object]]) -> None:
        encoder.check_requirements(self._graph)  # says what is missing, before the work
        found = learned()
        self._progress(f"fitting {name}", 0, 0)
        began = time.process_time()
        encoder.fit(self._graph, found)
        self.seconds[name] = time.process_time() - began
        self._made[name] = encoder
