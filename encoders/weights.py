"""Weights of networks as safetensors: there whole or not at all, and refused if they are damaged.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from kgpath.errors import BadStore
from kgpath.io.atomic import write_whole

Weights = dict[str, Tensor]
Network = TypeVar("Network", bound=nn.Module)


def write_weights(path: Path, weights: Mapping[str, Tensor], notes: dict[str, str]) -> None:
    """Write weights by name, and notes on what they depend on, in one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, save({name: weight.detach() for name, weight in weights.items()}, notes))


#: No weight that was ever learned is larger.
LARGEST = 1e6


def read_weights(path: Path) -> tuple[Weights, dict[str, str]]:
    """The weights and notes of a file; ValueError if they hold numbers that are not finite."""
    with safe_open(path, "pt") as file:
        notes = file.metadata() or {}
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    for name, weight in weights.items():
        if weight.dtype != torch.float32:
            raise ValueError(f"{name} holds numbers of kind {weight.dtype}")
        if not bool(weight.isfinite().all()):
            raise ValueError("it holds numbers that are not finite")
        if bool((weight.abs() > LARGEST).any()):
            raise ValueError(f"it holds numbers above {LARGEST:,.0f}")
    return weights, notes


def check_shapes(weights: Weights, wanted: Mapping[str, Tensor]) -> None:
    """Refuse weights that are not, by name and shape, those of a network."""
    own = {name: tuple(weight.shape) for name, weight in wanted.items()}
    if {name: tuple(weight.shape) for name, weight in weights.items()} != own:
        raise ValueError("its layers are not those of the network")


def network_of(make: Callable[[], Network], weights: Weights) -> Network:
    """A network with these weights; no memory is taken for one that they do not fit."""
    with torch.device("meta"):
        network = make()
    check_shapes(weights, network.state_dict())
    # Copied, not taken as they are: where numbers lie in a file decides how sums are rounded.
    network.to_empty(device="cpu")
    network.load_state_dict(weights)
    return network.eval()


@contextmanager
def whole_model(path: Path) -> Iterator[None]:
    """Turn whatever is wrong with a file of weights into one message."""
    try:
        yield
    except FileNotFoundError:
        raise BadStore(f"{path} is missing: the model is not whole. Train it again.") from None
    except (
        SafetensorError, OSError, LookupError, TypeError, ValueError, ArithmeticError, RuntimeError
    ) as error:  # fmt: skip
        reason = next(iter(str(error).splitlines()), type(error).__name__)[:200]
        raise BadStore(f"{path} cannot be read ({reason}). Train the model again.") from error
