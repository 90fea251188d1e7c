"""Context-fused entity vectors of Lo & Lim (2023), section 4.3: TransE, moved by the text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.fused.retrofit import RP, VSP, Terms, retrofit
from kgpath.encoders.fused.retrofit_constraints import constraints_of
from kgpath.encoders.vectors.embedding import OnTransE, embedding_of
from kgpath.errors import BadOption, BadStore
from kgpath.io.cache import key_of
from kgpath.io.disk_cache import cached_array
from kgpath.io.saved_json import finite, read_json
from kgpath.linking.context import Context
from kgpath.linking.mentions import Mention

WEIGHTS = ("given", "grid")
#: In the order in which settings are tried: of two that rank alike, the first is chosen.
_WEIGHTS = ("w_ncr", "w_cna", "w_sda", "w_vsp", "w_rp")
#: Weights to choose from are at most 1; given ones may be more.
_HEAVIEST = 1000
Moved = dict[int, NDArray[np.float32]]


class FusedNone(OnTransE, ContextEncoder):
    """The entity's own TransE vector, whatever the text says ("No Retrofit"): the yardstick."""

    def __init__(self) -> None:
        """Nothing to choose."""

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        return np.asarray(embedding_of(context.graph).entities[entity], dtype=np.float32)


@dataclass(eq=False)
class FusedIn(OnTransE, ContextEncoder):
    """TransE drawn to the entities of the text ("Retrofit(I)"): for texts that name many of them.

    Every mention of a document has a vector of its own, which starts as TransE and is drawn to
    those in a window of 15 tokens (``w_cna``) and, less, to the rest of the document (``w_sda``);
    held by its distances to what was near (``w_vsp``) and by its facts (``w_rp``). The vector
    of an entity is the mean over its mentions; if the text does not name it, that of TransE.
    ``weights=grid`` lets the ranker choose the weights: those that rank best on part of what it
    learns from, out of the given ones and all ways to share 1 among the terms in quarters with
    ``w_cna`` above ``w_sda``. ``vsp`` is abs, printed or counterfit, ``rp`` residual, printed or
    abs: see :class:`kgpath.encoders.fused.retrofit.Terms`.
    """

    w_cna: float = 0.45
    w_sda: float = 0.10
    w_vsp: float = 0.25
    w_rp: float = 0.20
    vsp: str = "abs"
    rp: str = "residual"
    weights: str = "given"

    def __post_init__(self) -> None:
        self._check()
        self.choose({})

    def choices(self) -> list[dict[str, float]]:
        given = self._weights()
        if self.weights == "given":
            return []
        shared = (dict(zip(given, parts, strict=True)) for parts in _quarters(len(given)))
        # Without a push, fused-inout would be fused-in.
        likely = (s for s in shared if s["w_cna"] > s["w_sda"] and s.get("w_ncr", 1) > 0)
        return [given, *likely]

    def choose(self, setting: dict[str, float]) -> None:
        self.chosen = {**self._weights(), **setting}
        weights = {name.removeprefix("w_"): weight for name, weight in self.chosen.items()}
        self._terms = Terms(**weights, how_vsp=self.vsp, how_rp=self.rp)
        self._known: WeakKeyDictionary[Context, dict[tuple[Mention, ...], Moved]] = (
            WeakKeyDictionary()
        )

    def report(self) -> dict[str, Any]:
        return {} if self.weights == "given" else dict(self.chosen)

    def save(self, folder: Path) -> None:
        if self.weights != "given":
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "weights.json").write_text(json.dumps(self.chosen) + "\n", encoding="utf-8")

    def load(self, folder: Path) -> None:
        if self.weights == "given":
            return
        path = folder / "weights.json"
        try:
            weights = read_json(path, dict)
            chosen = {name: finite(weights[name], name) for name in self._weights()}
            if not all(0 <= weight <= _HEAVIEST for weight in chosen.values()):
                raise ValueError(f"a weight is below 0, or above {_HEAVIEST}")
        except (OSError, ValueError, KeyError) as error:
            raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
        self.choose(chosen)

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        mentions = tuple(context.mentions([entity]))
        known = self._known.setdefault(context, {})
        # Both ends of a query are mostly found in the same mentions: worked out once.
        if mentions not in known:
            known[mentions] = self._moved(context, mentions)
        moved = known[mentions].get(entity)
        return FusedNone().encode(context, entity) if moved is None else moved

    def _weights(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in _WEIGHTS if hasattr(self, name)}

    def _check(self) -> None:
        for name, weight in self._weights().items():
            if not 0 <= weight < float("inf"):
                raise BadOption(f"{name} is {weight!r}; it can be 0 or more.")
        for name, how, known in (("vsp", self.vsp, VSP), ("rp", self.rp, RP)):
            if how not in known:
                raise BadOption(f"{name} is {how!r}; it can be {', '.join(known)}.")
        if self.weights not in WEIGHTS:
            raise BadOption(f"weights is {self.weights!r}; it can be {' or '.join(WEIGHTS)}.")

    def _moved(self, context: Context, mentions: tuple[Mention, ...]) -> Moved:
        """The vector of every entity that is mentioned."""
        if not mentions:
            return {}
        graph = context.graph
        embedding = embedding_of(graph)
        named = np.array([mention.entity for mention in mentions])
        entities = np.unique(named)

        def make() -> NDArray[np.float32]:
            vectors = retrofit(constraints_of(graph, embedding, mentions), self._terms)
            means = [vectors[named == entity].mean(axis=0) for entity in entities]
            return np.array(means, dtype=np.float32)

        places = [(mention.entity, mention.first, mention.last) for mention in mentions]
        key = key_of(self.versions(), self._terms, graph.fingerprint, embedding.identity, places)
        rows = cached_array(key, (len(entities), embedding.size), make)
        return dict(zip(entities.tolist(), rows, strict=True))


@dataclass(eq=False)
class FusedInOut(FusedIn):
    """The same, and pushed from neighbours outside the text ("Retrofit(I+O)"): the paper's best.

    ``w_ncr`` weighs the push from neighbours that the text does not name; the rest as in fused-in.
    """

    w_cna: float = 0.3
    w_sda: float = 0.1
    w_vsp: float = 0.2
    w_rp: float = 0.2
    w_ncr: float = 0.2


def _quarters(terms: int, left: int = 4) -> Iterator[list[float]]:
    """All ways to share 1 among some terms in quarters."""
    if terms == 1:
        yield [left / 4]
        return
    for first in range(left + 1):
        for rest in _quarters(terms - 1, left - first):
            yield [first / 4, *rest]
