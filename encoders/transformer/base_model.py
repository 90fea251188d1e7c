"""A transformers model to start from: by hub name, by folder, or the one that is installed.

Needs torch and transformers; imported only where a model is trained or used.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from kgpath.encoders.transformer.model_files import (
    NO_CODE,
    ONLY_WEIGHTS,
    check_model_files,
    reason_of,
)
from kgpath.encoders.transformer.sentence_transformer import packaged
from kgpath.errors import BadOption
from kgpath.io.arrays import hash_of_named

#: What Lo & Lim say, "three layers, and the dimension size of 512"; the rest is usual for 512.
PAPER = {
    "hidden_size": 512,
    "num_hidden_layers": 3,
    "num_attention_heads": 8,
    "intermediate_size": 2048,
}


@dataclass(frozen=True)
class Base:
    """A model with its tokenizer; ``identity`` tells its weights, as they came, from others."""

    name: str
    model: Any
    tokenizer: Any
    identity: str

    @property
    def size(self) -> int:
        """The number of dimensions."""
        return int(self.model.config.hidden_size)

    @cached_property
    def layers(self) -> nn.ModuleList:
        """The layers, the first first."""
        count = getattr(self.model.config, "num_hidden_layers", 0)
        for module in self.model.modules():
            if isinstance(module, nn.ModuleList) and len(module) == count:
                return module
        raise BadOption(f"{self.name!r} has no layers that could be tuned: it is no transformer.")

    @cached_property
    def takes(self) -> frozenset[str]:
        """What the model can be given."""
        return frozenset(inspect.signature(self.model.forward).parameters)

    @cached_property
    def first_position(self) -> int:
        """The number of the first place of a sequence; not 0 in models after RoBERTa."""
        padding = getattr(getattr(self.model, "embeddings", None), "padding_idx", None)
        return 0 if padding is None else int(padding) + 1

    @cached_property
    def longest(self) -> int:
        """The length of the longest sequence that the model has places for."""
        places = getattr(self.model.config, "max_position_embeddings", 512)
        return int(min(places - self.first_position, self.tokenizer.model_max_length))

    def tuned(self, layers: int) -> dict[str, nn.Parameter]:
        """The parameters of the last layers, or all for 0, by name; the others are frozen."""
        last = {id(p) for layer in self.layers[-layers:] for p in layer.parameters()}
        found = {}
        for name, parameter in self.model.named_parameters():
            # The pooler is for sentence pairs; nothing here goes through it.
            chosen = (not layers or id(parameter) in last) and not name.startswith("pooler.")
            parameter.requires_grad_(chosen)
            if chosen:
                found[name] = parameter
        return found


def load_base(name: str, configuration: str = "", seed: int = 0) -> Base:
    """The model of that name or folder; its shape alone, from scratch, if so configured."""
    folder = packaged(name)
    if folder:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers import AutoConfig, AutoModel, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if Path(name).is_dir() and not (Path(name) / "config.json").exists():
        raise BadOption(
            f"{name} is not the folder of a model: it has no config.json. Give a folder that "
            "save_pretrained of transformers wrote, or a name of the Hugging Face hub."
        )
    try:
        check_model_files(folder or name)
        tokenizer = AutoTokenizer.from_pretrained(folder or name, **NO_CODE)
        if configuration == "paper":
            config = AutoConfig.for_model(
                "bert", **PAPER, vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id
            )
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                model = AutoModel.from_config(config)  # type: ignore[no-untyped-call]
        else:
            # Never what could run code: only safetensors.
            model = AutoModel.from_pretrained(folder or name, **ONLY_WEIGHTS)
    except Exception as error:  # whatever the library makes of a stranger's folder
        raise BadOption(
            f"The base model {name!r} cannot be loaded ({reason_of(error)}). Give the folder of a "
            "transformers model with safetensors, or go online once so that it can be fetched."
        ) from error
    _check(name, tokenizer)
    model = model.eval().float()
    return Base(name, model, tokenizer, weights_digest(model.state_dict()))


def _check(name: str, tokenizer: Any) -> None:
    if not tokenizer.is_fast:
        raise BadOption(f"{name!r} has no fast tokenizer, which tells where its tokens stand.")
    for what in ("cls_token_id", "sep_token_id", "mask_token_id", "pad_token_id"):
        if getattr(tokenizer, what) is None:
            raise BadOption(
                f"{name!r} has no {what.removesuffix('_id')}: it is not of the kind of BERT. "
                "Take one that is, such as google/bert_uncased_L-4_H-512_A-8."
            )


def weights_digest(weights: Mapping[str, Tensor]) -> str:
    """Tells these weights from others."""
    return hash_of_named({name: weight.detach().numpy() for name, weight in weights.items()})
