"""The folder of a language model, looked at before a library loads it: it may be a stranger's.

transformers and sentence-transformers can import classes that a folder names, and read pickled
weights. Here a folder holds safetensors and names modules of sentence-transformers alone.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

from kgpath.io.saved_json import read_json

#: What keeps a library from running what a model brings along.
NO_CODE: dict[str, Any] = {"trust_remote_code": False}
ONLY_WEIGHTS: dict[str, Any] = {**NO_CODE, "use_safetensors": True}

#: The modules of sentence-transformers that turn a text into a vector.
_MODULES = frozenset({"Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "Dropout"})
_MODULE = re.compile(r"sentence_transformers(?:\.\w+)*\.(\w+)")
#: The sizes of a network, each with the most that the largest models of this kind have.
_SIZES = {
    "vocab_size": 2_000_000, "hidden_size": 16_384, "num_hidden_layers": 256,
    "intermediate_size": 131_072, "num_attention_heads": 512, "max_position_embeddings": 1_000_000,
    "type_vocab_size": 1_000_000, "d_model": 16_384, "d_ff": 131_072, "num_layers": 256,
    "n_embd": 16_384, "n_layer": 256, "n_positions": 1_000_000,
}  # fmt: skip
_MOST_BYTES = 16 * 2**20


def check_model_files(name: str) -> None:
    """Refuse the folder of a model that names code, pickles or absurd sizes; ValueError says why.

    A name of the hub is left to the library.
    """
    folder = Path(name)
    if not folder.is_dir():
        return
    if (folder / "config.json").exists():
        _check_sizes(read_json(folder / "config.json", dict, _MOST_BYTES))
    if (folder / "modules.json").exists():
        for module in read_json(folder / "modules.json", list, _MOST_BYTES):
            _check_module(folder, module)


def reason_of(error: Exception) -> str:
    """The first line of what a library says."""
    return next(iter(str(error).splitlines()), "")[:300] or type(error).__name__


def _check_sizes(config: dict[str, Any]) -> None:
    for name, most in _SIZES.items():
        value = config.get(name, 1)
        if not isinstance(value, int) or not 0 <= value <= most:
            raise ValueError(f"{name} of config.json is not a whole number up to {most:,}")


def _check_module(folder: Path, module: Any) -> None:
    """Only modules of sentence-transformers itself, in folders within, and without pickles."""
    kind, path = (module.get("type"), module.get("path")) if isinstance(module, dict) else (0, 0)
    if not isinstance(kind, str) or not isinstance(path, str):
        raise ValueError("modules.json does not list modules")
    named = _MODULE.fullmatch(kind)
    if named is None or named[1] not in _MODULES:
        raise ValueError(f"modules.json names {kind[:80]}, which kgpath does not load")
    within = PurePosixPath(path)
    if within.is_absolute() or ".." in within.parts or "\\" in path:
        raise ValueError(f"modules.json names {path[:80]}, which is outside of the model")
    weights = folder / within
    if (weights / "pytorch_model.bin").exists() and not (weights / "model.safetensors").exists():
        raise ValueError(f"{within / 'pytorch_model.bin'} may run code: save it as safetensors")
