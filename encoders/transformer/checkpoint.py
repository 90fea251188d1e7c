"""Where an interrupted tuning left off: weights and moments as safetensors, nothing that runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

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
    """How far a training is, and how good it was when it began."""

    step: int = 0
    seconds: float = 0.0
    before: dict[str, float] = field(default_factory=dict)


class Checkpoint:
    """One file in a folder, there whole or not at all; without a folder nothing is written."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(
        self, parameters: Mapping[str, nn.Parameter], optimizer: torch.optim.Optimizer
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
    ) -> None:
        """Write all that the next step depends on; a full disk does not end the training."""
        if self.folder is None:
            return
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
