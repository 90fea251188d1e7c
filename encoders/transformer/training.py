"""How a transformer is tuned: in steps of a batch, within a time, from where it was interrupted.

All that is drawn at random in a step depends on the seed and its number, so that a training that
was interrupted ends with the same weights as one that was not.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from kgpath.encoders.checkpoint import Checkpoint, State
from kgpath.encoders.transformer.base_model import Base
from kgpath.errors import BadOption
from kgpath.io.one_thread import one_thread
from kgpath.io.progress import Steps, note, tell

#: A state is written when so many seconds are over, and at most so much of the time is spent on it.
EVERY = 5.0
_WRITING = 0.05
_WARM_UP, _LAST = 0.06, 0.05
_GRADIENT = 1.0
#: What is new learns in steps that would hurt what is known.
_NEW = 10.0


class Objective(nn.Module, ABC):
    """What a model learns: its parameters are the heads that only training needs.

    Raise ``version`` when it learns something else: see :class:`kgpath.component.Component`.
    """

    version: ClassVar[int] = 1

    def __init__(self, base: Base) -> None:
        super().__init__()
        self.base = base

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int) -> list[Any]:
        """So many examples, drawn at random."""

    @abstractmethod
    def losses(self, examples: Sequence[Any]) -> dict[str, Tensor]:
        """The mean loss over some examples, by what it is called."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """How well it does on what it does not learn from."""

    @abstractmethod
    def about(self, examples: int) -> str:
        """From what so many examples were drawn, in words."""


class Settings(NamedTuple):
    """How long and how fast; see :class:`kgpath.encoders.transformer.contextual.Contextual`."""

    steps: int
    minutes: float
    batch: int
    seed: int
    rate: float


class Tuning:
    """A training: of some parameters of a model, together with the heads of an objective.

    Raise ``version`` when the same examples lead to other weights.
    """

    version: ClassVar[int] = 1

    def __init__(
        self,
        name: str,
        tuned: dict[str, nn.Parameter],
        objective: Objective,
        settings: Settings,
        checkpoint: Checkpoint,
    ) -> None:
        self.name, self.objective, self.settings = name, objective, settings
        self.checkpoint = checkpoint
        heads = {f"head.{name}": p for name, p in objective.named_parameters()}
        self.parameters = {**tuned, **heads}
        self.optimizer = torch.optim.AdamW(
            [
                {"params": list(tuned.values()), "rate": settings.rate},
                {"params": list(heads.values()), "rate": settings.rate * _NEW},
            ]
        )
        self.at_once = settings.batch

    def run(self) -> dict[str, Any]:
        """Train in place; what is worth knowing of it."""
        # Without dropout: hardly anything is seen twice.
        with one_thread():
            state = self.checkpoint.read(self.parameters, self.optimizer)
            if state is None:
                state = State(before=self._figures())
            elif state.step:
                note(f"{self.name}: goes on after step {state.step:,} of {self.settings.steps:,}")
            stopped_by = self._learn(state)
            after = self._figures()
        changed = (name for name in after if state.before.get(name) != after[name])
        figures = {f"{name} before": state.before[name] for name in changed} | after
        return {
            "learned from": self.objective.about(state.step * self.settings.batch),
            "steps": state.step,
            "minutes": round(state.seconds / 60, 1),
            "stopped by": stopped_by,
            **{name: round(value, 4) for name, value in sorted(figures.items())},
        }

    def _learn(self, state: State) -> str:
        settings = self.settings
        began, written = time.monotonic() - state.seconds, time.monotonic()
        left = 60 * settings.minutes - state.seconds
        progress = Steps(f"tuning {self.name}", settings.steps, done=state.step, most=left)
        stopped_by, took = "steps", 0.0
        while state.step < settings.steps:
            progress.at(state.step)
            state.seconds = time.monotonic() - began
            if state.seconds > 60 * settings.minutes:
                stopped_by = "time"
                break
            self._step(state.step)
            state.step += 1
            if time.monotonic() - written > max(EVERY, took / _WRITING):
                written = time.monotonic()
                state.seconds = written - began
                self.checkpoint.write(state, self.parameters, self.optimizer)
                took = time.monotonic() - written
        state.seconds = time.monotonic() - began
        self.checkpoint.write(state, self.parameters, self.optimizer)
        return stopped_by

    def _step(self, number: int) -> None:
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = group["rate"] * _pace((number + 1) / settings.steps)
        examples = self.objective.sample(
            np.random.default_rng([settings.seed, number]), settings.batch
        )
        while True:
            self.optimizer.zero_grad()
            try:
                self._backward(examples)
                break
            except (RuntimeError, MemoryError) as error:
                self._halve(error)
        torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), _GRADIENT)
        self.optimizer.step()

    def _backward(self, examples: Sequence[Any]) -> None:
        """Gradients of the mean loss, from as many examples at once as memory allows."""
        for at in range(0, len(examples), self.at_once):
            some = examples[at : at + self.at_once]
            losses = self.objective.losses(some)
            total = torch.stack(list(losses.values())).sum()
            (total * (len(some) / len(examples))).backward()  # type: ignore[no-untyped-call]

    def _halve(self, error: Exception) -> None:
        """Fewer examples at once, if memory was the matter; their gradients are added up."""
        if not is_out_of_memory(error):
            raise error
        if self.at_once == 1:
            raise BadOption(
                f"{self.name} does not fit into memory, not even with one example at a time. "
                "Take a smaller base model, or tune fewer layers."
            ) from error
        self.at_once = (self.at_once + 1) // 2
        note(f"{self.name}: out of memory; the batch is halved, to {self.at_once} at once")

    def _figures(self) -> dict[str, float]:
        tell(f"measuring {self.name}")
        self.objective.base.model.eval()
        with torch.inference_mode():
            return self.objective.figures()


def is_out_of_memory(error: Exception) -> bool:
    """Whether a graphics card or the machine has no memory left."""
    said = str(error).lower()
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or (
        "alloc" in said and "memory" in said
    )


def _pace(part: float) -> float:
    """The share of the full rate: it grows at first, then shrinks, so that all settles."""
    return min(part / _WARM_UP, max(_LAST, (1 - part) / (1 - _WARM_UP)), 1.0)
