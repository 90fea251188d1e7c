"""Where an interrupted training left off: weights and moments as safetensors, nothing that runs.

Needs torch; imported only where a model is trained.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from kgpath.io.atomic import write_whole
from kgpath.io.saved_json import finite, parse_json

_FILE = "training.safetensors"
_ADAM = ("step", "exp_avg", "exp_avg_sq")


@dataclass
class State:
    """How far a training is, how good it was when it began, and what it draws next."""

    step: int = 0
    seconds: float = 0.0
    before: dict[str, float] = field(default_factory=dict)
    draws: dict[str, Any] = field(default_factory=dict)


class Checkpoint:
    """One file in a folder, there whole or not at all; without a folder nothing is written.

    A training that draws all its random numbers one after the other, from ``rng`` and from torch,
    goes on drawing what would have come next; one that draws anew for each step leaves it out.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(
        self,
        parameters: Mapping[str, nn.Parameter],
        optimizer: torch.optim.Optimizer,
        rng: np.random.Generator | None = None,
    ) -> State | None:
        """Put weights and moments back as they were; None if there is nothing of use."""
        if self.folder is None:
            return None
        try:
            with safe_open(self.folder / _FILE, "pt") as file:
                state = State(**parse_json((file.metadata() or {})["state"], dict))
                found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            finite(state.seconds, "seconds")
            if not isinstance(state.step, int) or not isinstance(state.before, dict):
                raise TypeError("it does not say how far it is")
        except (OSError, SafetensorError, KeyError, ValueError, TypeError):
            return None
        shapes = {name: weight.shape for name, weight in found.items() if "/" not in name}
        if shapes != {name: parameter.shape for name, parameter in parameters.items()}:
            return None
        for name, weight in found.items():
            owner, _, key = name.rpartition("/")
            if owner and weight.shape != (() if key == "step" else shapes.get(owner)):
                return None
        if rng is not None:
            try:
                _go_on_drawing(rng, state.draws)
            except (KeyError, TypeError, ValueError, RuntimeError):
                return None
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(found[name])
                moments = {key: found[f"{name}/{key}"] for key in _ADAM if f"{name}/{key}" in found}
                if moments:
                    optimizer.state[parameter] = moments
        return state

    def write(
        self,
        state: State,
        parameters: Mapping[str, nn.Parameter],
        optimizer: torch.optim.Optimizer,
        rng: np.random.Generator | None = None,
    ) -> None:
        """Write all that the next step depends on; a full disk does not end the training."""
        if self.folder is None:
            return
        if rng is not None:
            state.draws = _draws_of(rng)
        found: dict[str, Tensor] = {}
        for name, parameter in parameters.items():
            found[name] = parameter.detach()
            moments: dict[str, Any] = optimizer.state.get(parameter, {})
            found |= {f"{name}/{key}": moments[key] for key in _ADAM if key in moments}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / _FILE, save(found, {"state": json.dumps(asdict(state))}))
        except OSError:
            self.folder = None


def _draws_of(rng: np.random.Generator) -> dict[str, Any]:
    """Where the random numbers of numpy and of torch are."""
    return {
        "numpy": rng.bit_generator.state,
        "torch": torch.get_rng_state().numpy().tobytes().hex(),
    }


def _go_on_drawing(rng: np.random.Generator, draws: dict[str, Any]) -> None:
    """Draw what would have come next; nothing is changed where that cannot be read."""
    np.random.default_rng().bit_generator.state = draws["numpy"]
    torch.set_rng_state(torch.frombuffer(bytearray.fromhex(draws["torch"]), dtype=torch.uint8))
    rng.bit_generator.state = draws["numpy"]
