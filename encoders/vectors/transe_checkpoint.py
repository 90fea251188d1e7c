"""Where an interrupted training of TransE left off, as ``.npy`` and JSON."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption, BadStore
from kgpath.io.arrays import read_array, write_array
from kgpath.io.atomic import replacing_folder
from kgpath.io.saved_json import finite, read_json

Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]
_PARTS = ("entities", "relations")
_ADAM = ("step", "exp_avg", "exp_avg_sq")


@dataclass
class State:
    """All that the next epoch depends on, and the best vectors so far."""

    epoch: int = 0
    seconds: float = 0.0
    loss: float | None = None
    vectors: tuple[Any, ...] = ()
    adam: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False
    patience: int = 0
    asked_epoch: int = 0  # when the validation triples were last measured
    best: Vectors | None = None
    best_epoch: int = 0
    best_figures: dict[str, float] | None = None


_NUMBERS = (
    "epoch", "seconds", "loss", "stopped", "patience", "asked_epoch", "best_epoch", "best_figures",
)  # fmt: skip


class Checkpoint:
    """A folder with the state after some epoch; without a folder nothing is written.

    Each state has a folder of its own within, which appears whole: a process killed while it
    writes leaves the state before.
    """

    def __init__(self, folder: Path | None, plan: dict[str, Any]) -> None:
        self.folder = folder
        self.plan = plan

    def read(self, like: Vectors) -> State | None:
        """The state that was reached, or None; an error if it was reached by another plan.

        Its vectors have the shapes of these, else it is not whole.
        """
        for folder in reversed(self._written()):
            try:
                about = read_json(folder / "training.json", dict)
                other = self._difference(about["plan"])
                if not other:
                    return _read_state(folder, about["state"], like)
            except (OSError, ValueError, KeyError, TypeError, BadStore):
                continue  # not whole
            raise BadOption(f"An interrupted training is in {self.folder}, {other}")
        return None

    def write(self, state: State) -> float:
        """Write the state; returns the seconds it took."""
        if self.folder is None:
            return 0.0
        start = time.monotonic()
        older = self._written()
        folder = self.folder / f"{state.epoch:06}"
        about = {"plan": self.plan, "state": {name: getattr(state, name) for name in _NUMBERS}}
        with replacing_folder(folder) as building:
            _write_state(building, state)
            text = json.dumps(about, indent=2) + "\n"
            (building / "training.json").write_text(text, encoding="utf-8")
        for old in older:
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)
        return time.monotonic() - start

    def _written(self) -> list[Path]:
        if self.folder is None or not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if path.name.isdigit())

    def _difference(self, plan: dict[str, Any]) -> str:
        """How a written state differs by its plan, and what to do; empty if the plans agree."""
        named = {"version": 1, **plan}  # the first version did not say so
        other = {key: value for key, value in named.items() if value != self.plan.get(key)}
        if not other:
            return ""
        if other.keys() == {"version"}:
            return "made by another version of kgpath. Drop it with --restart."
        said = ", ".join(f"{key} {value}" for key, value in other.items() if key != "version")
        if "fingerprint" in other:
            said = "another content of the graph"
        return f"with {said}. Give the same again to resume it, or drop it with --restart."


def _write_state(folder: Path, state: State) -> None:
    for name, array, adam in zip(_PARTS, state.vectors, state.adam, strict=True):
        write_array(folder, name, array)
        for key in _ADAM:
            write_array(folder, f"{name}-{key}", adam[key])
    for name, array in zip(_PARTS, state.best or (), strict=bool(state.best)):
        write_array(folder, f"best-{name}", array)


def _read_state(folder: Path, numbers: dict[str, Any], like: Vectors) -> State:
    state = State(**{name: numbers[name] for name in _NUMBERS})
    for name in ("epoch", "patience", "asked_epoch", "best_epoch"):
        if not isinstance(numbers[name], int) or numbers[name] < 0:
            raise ValueError(f"{name} is not a number of epochs")
    finite(state.seconds, "seconds")
    if state.best_figures is not None:
        finite(state.best_figures["MRR"], "MRR")
    state.vectors = _like(like, (read_array(folder, name) for name in _PARTS))
    state.adam = [{key: read_array(folder, f"{name}-{key}") for key in _ADAM} for name in _PARTS]
    for key in _ADAM[1:]:
        _like(like, (adam[key] for adam in state.adam))
    if state.best_epoch:
        state.best = _like(like, (read_array(folder, f"best-{name}") for name in _PARTS))
    return state


def _like(like: Vectors, found: Iterable[NDArray[Any]]) -> Vectors:
    """Vectors of entities and relations that have the shapes of others."""
    entities, relations = found
    if (entities.shape, relations.shape) != (like[0].shape, like[1].shape):
        raise ValueError("its vectors are those of another graph")
    return entities, relations
