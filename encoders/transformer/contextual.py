"""What the contextualised encoders have in common (Lo & Lim 2023, section 4.4).

"Similar to averaged embedding, except for the use of contextualised representations": the text in
scope goes through a transformer, and the mean of its tokens' hidden states is the vector.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Versioned, versions_of
from kgpath.encoders.budget import budget_for
from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.context_scope import spans_in_scope
from kgpath.encoders.transformer.sentence_transformer import MINILM
from kgpath.encoders.transformer.training_facts import check_described
from kgpath.errors import BadOption, BadStore
from kgpath.extras import require
from kgpath.io.atomic import write_whole
from kgpath.io.cache import key_of
from kgpath.io.disk_cache import cached_array
from kgpath.io.saved_json import parse_json
from kgpath.linking.context import Context
from kgpath.registry import renamed_notice

if TYPE_CHECKING:
    from kgpath.encoders.transformer.base_model import Base
    from kgpath.encoders.transformer.hidden_states import Chunk
    from kgpath.encoders.transformer.training import Objective
    from kgpath.graph import Graph

POOLINGS = ("scope", "mention", "cls")
CONFIGURATIONS = ("", "paper")
_FILE = "tuned.safetensors"
_IN_MEMORY = 100_000  # vectors


class Named(NamedTuple):
    """An entity that a text names, from one character to another."""

    start: int
    end: int
    entity: int


@dataclass(eq=False)
class Contextual(ContextEncoder):
    """A vector from the hidden states of a transformer that reads the text in scope.

    ``pooling`` says of which tokens the mean is taken: all in ``scope``, those of the
    ``mention`` (all, where the text does not name the entity), or ``cls`` alone. ``base`` is the
    model to start from, by hub name or folder. ``configuration=paper`` starts from scratch
    instead, with 3 layers of 512 dimensions and the words of ``base``; all of it is then tuned,
    and learns masked words too. Otherwise the last ``layers`` are tuned (0: all). Training ends
    after ``steps`` of ``batch`` examples, or when ``minutes`` are over; with the same steps the
    same comes again, and an interrupted training goes on where it stopped. With ``steps=0`` they
    are as many as the facts of the graph are worth, up to those that a large graph gets: see
    :mod:`kgpath.encoders.budget`.
    """

    scope: str = "window"
    pooling: str = "scope"
    base: str = MINILM
    configuration: str = ""
    layers: int = 2
    steps: int = 0
    minutes: float = 20
    batch: int = 32
    seed: int = 0

    name: ClassVar[str]  # by its name among the encoders
    #: The steps on a large graph.
    full_steps: ClassVar[int] = 300
    LIMITS: ClassVar[dict[str, int]] = {
        "layers": 1000, "steps": 100_000_000, "batch": 100_000
    }  # fmt: skip
    #: Whether the entities that a text names count, not only its words.
    reads_entities: ClassVar[bool] = False
    #: Whether it learns from descriptions, and a graph without them is of no use.
    reads_descriptions: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__init__(self.scope)
        if self.pooling == "range":
            renamed_notice("pooling=range", "pooling=scope")
            self.pooling = "scope"
        if self.pooling not in POOLINGS:
            raise BadOption(f"pooling is {self.pooling!r}; it can be {', '.join(POOLINGS)}.")
        if self.configuration not in CONFIGURATIONS:
            raise BadOption(
                f"configuration is {self.configuration!r}; it can be paper, or left out."
            )
        for name, least in (("layers", 0), ("steps", 0), ("batch", 2)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise BadOption(f"{name} is {value!r}; it can be {least} or more.")
        if not self.minutes > 0:
            raise BadOption(f"minutes is {self.minutes!r}; it can be a number above 0.")
        self.report_: dict[str, Any] = {}
        self._learned = False
        self._known: dict[str, NDArray[np.float32]] = {}

    @abstractmethod
    def objective(self, graph: Graph) -> Objective:
        """What it learns from a graph, if it learns."""

    @abstractmethod
    def objectives(self) -> tuple[type[Objective], ...]:
        """The classes of what it learns: a model that was tuned by other versions is not loaded."""

    @property
    def learns(self) -> bool:
        """Whether it has to be trained before it is of use."""
        return True

    @cached_property
    def network(self) -> Base:
        """The model, as it is now."""
        require("torch transformers", "neural", self.name)
        from kgpath.encoders.transformer.base_model import load_base

        return load_base(self.base, self.configuration, self.seed)

    # Learning

    def fit(self, graph: Graph, contexts: Iterable[Context] = ()) -> None:
        """Learn from the graph alone: texts and queries do not count."""
        if self.learns:
            from kgpath.encoders.transformer.cached_tuning import tune_cached

            tune_cached(self, graph)

    def steps_on(self, graph: Graph) -> int:
        """How many steps it learns on a graph: those it was given, or what the graph is worth."""
        return self.steps or budget_for(graph, self.full_steps)

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        if self.reads_descriptions and self.learns and not self._learned:
            check_described(graph, self.name)
        return {f"base model of {self.name}": self.network.identity}

    def report(self) -> dict[str, Any]:
        return self.report_

    def made_of(self) -> tuple[type[Versioned], ...]:
        if not self.learns:
            return ()
        require("torch transformers", "neural", self.name)
        from kgpath.encoders.transformer.training import Tuning

        return Tuning, *self.objectives()

    def tuned(self) -> dict[str, Any]:
        """The parameters that are tuned, by name."""
        return self.network.tuned(0 if self.configuration else self.layers)

    def set_tuned(self, report: dict[str, Any]) -> None:
        """Take what the network has learned."""
        self._learned, self.report_ = True, report
        self._changed()

    def save(self, folder: Path) -> None:
        """Write the tuned layers alone: the others are those of the base model."""
        if not self.learns:
            return
        from kgpath.encoders.weights import write_weights

        self._check_learned()
        notes = {"base": self.network.identity, "report": json.dumps(self.report_)}
        folder.mkdir(parents=True, exist_ok=True)
        about = json.dumps(self.report_, indent=2, ensure_ascii=False) + "\n"
        write_whole(folder / "learned.json", about.encode())
        write_weights(folder / _FILE, self.tuned(), notes)

    def load(self, folder: Path) -> None:
        if not self.learns:
            return
        network = self.network
        import torch

        from kgpath.encoders.weights import check_shapes, read_weights, whole_model

        path = folder / _FILE
        with whole_model(path):
            weights, notes = read_weights(path)
            own = self.tuned()
            if notes["base"] != network.identity:
                raise ValueError("it belongs to another base model")
            check_shapes(weights, own)
            report = parse_json(notes["report"], dict)
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(weights[name])
        self.set_tuned(report)

    # Reading

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        self._check_learned()
        spans = self._spans(context, entity)
        named = [Named(m.start, m.end, m.entity) for m in context.mentions([entity])]
        own = [] if self.pooling != "mention" else [one for one in named if one.entity == entity]
        read = named if self.reads_entities else ()
        texts = [context.text[start:end] for start, end in spans]
        key = key_of(
            self.identity, self.pooling, texts, spans, own, read,
            context.graph.fingerprint if read else "",
        )  # fmt: skip
        if key not in self._known:
            if len(self._known) > _IN_MEMORY:
                self._known.clear()
            self._known[key] = cached_array(
                key, (self.network.size,), lambda: self._vector(context, spans, own, read)
            )
        return self._known[key]

    def chunks(self, graph: Graph, text: str, named: Sequence[Named]) -> list[Chunk]:
        """What the model is given to read of a text."""
        from kgpath.encoders.transformer.hidden_states import chunks_of

        return chunks_of(self.network, text)

    def named(self, graph: Graph, text: str, expected: Sequence[int] = ()) -> list[Named]:
        """The entities that a text names, if they count."""
        found = graph.mentions(text, expected=expected) if self.reads_entities else ()
        return [Named(one.start, one.end, one.entity) for one in found]

    @cached_property
    def identity(self) -> str:
        """Tells this network, as it is now, from others."""
        from kgpath.encoders.transformer.base_model import weights_digest

        own = weights_digest(self.tuned()) if self.learns else ""
        return f"{versions_of(type(self))} {self.network.identity} {own}{self.reading_options}"

    @property
    def reading_options(self) -> str:
        """What else decides how a text is read, besides the weights; empty for most."""
        return ""

    def _spans(self, context: Context, entity: int) -> list[tuple[int, int]]:
        """The text in scope, by its characters; all of it where the tokens of all count."""
        tokens = context.tokens
        spans = spans_in_scope(context, entity, self.scope)
        if spans == [(0, len(tokens))]:
            return [(0, len(context.text))] if context.text.strip() else []
        return [(tokens.starts[first], tokens.ends[last - 1]) for first, last in spans]

    def _vector(
        self,
        context: Context,
        spans: Sequence[tuple[int, int]],
        own: Sequence[Named],
        named: Sequence[Named],
    ) -> NDArray[np.float32]:
        """The mean over the tokens that count; zeros where there are none."""
        from kgpath.encoders.transformer.hidden_states import read_text

        rows, weights = [], []
        for start, end in spans:
            inside = [
                Named(one.start - start, one.end - start, one.entity)
                for one in named
                if start <= one.start and one.end <= end
            ]
            chunks = self.chunks(context.graph, context.text[start:end], inside)
            found = read_text(self.network, chunks)
            if self.pooling == "cls":
                rows += [found.first]
                weights += [np.ones(len(found.first))]
                continue
            begins, ends = (found.places + start).T
            counts = np.ones(len(begins)) if not own else np.zeros(len(begins))
            for one in own:
                counts[(begins < one.end) & (ends > one.start)] = 1
            rows += [found.states]
            weights += [counts]
        if not rows or not np.concatenate(weights).any():
            return np.zeros(self.network.size, dtype=np.float32)
        mean = np.average(np.concatenate(rows), axis=0, weights=np.concatenate(weights))
        return mean.astype(np.float32)

    @property
    def has_learned(self) -> bool:
        """Whether it is of use: it has learned, or has nothing to learn."""
        return self._learned or not self.learns

    def _check_learned(self) -> None:
        if not self.has_learned:
            raise BadStore(f"{self.name} has no tuned layers yet: they are trained by fit.")

    def _changed(self) -> None:
        self.__dict__.pop("identity", None)
        self._known.clear()
