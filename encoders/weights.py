"""Weights of networks as safetensors: there whole or not at all, and refused if they are damaged.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from kgpath.errors import BadStore
from kgpath.io.atomic import write_whole

Weights = dict[str, Tensor]


def write_weights(path: Path, weights: Mapping[str, Tensor], notes: dict[str, str]) -> None:
    """Write weights by name, and notes on what they depend on, in one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, save({name: weight.detach() for name, weight in weights.items()}, notes))


def read_weights(path: Path) -> tuple[Weights, dict[str, str]]:
    """The weights and notes of a file; ValueError if they hold numbers that are not finite."""
    with safe_open(path, "pt") as file:
        notes = file.metadata() or {}
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if not all(bool(weight.isfinite().all()) for weight in weights.values()):
        raise ValueError("it holds numbers that are not finite")
    return weights, notes


@contextmanager
def whole_model(path: Path) -> Iterator[None]:
    """Turn whatever is wrong with a file of weights into one message."""
    try:
        yield
    except FileNotFoundError:
        raise BadStore(f"{path} is missing: the model is not whole. Train it again.") from None
    except (SafetensorError, OSError, LookupError, ValueError, RuntimeError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise BadStore(f"{path} cannot be read ({reason}). Train the model again.") from error
