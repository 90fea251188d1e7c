"""A path as a text: its facts in words, through an encoder of sentences."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder, Versioned, kinds_of
from kgpath.encoders.path.path_rows import from_first_iri
from kgpath.encoders.path_encoder import PathEncoder
from kgpath.linking.verbalise import path_in_words
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import TEXT_ENCODERS


class PathText(PathEncoder):
    """The path in words through a sentence encoder: knows no graph, but what names mean.

    ``encoder`` is the name of a text encoder, with its options: ``kgpath ls text_encoders``.
    """

    def __init__(self, encoder: str | TextEncoder = "minilm") -> None:
        self.encoder = encoder

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self._text_encoder)

    def encode(self, candidates: PathArrays) -> NDArray[np.float32]:
        paths = candidates.paths(range(len(candidates)))
        texts = [path_in_words(from_first_iri(path)) for path in paths]
        return np.asarray(self._text_encoder.encode(texts), dtype=np.float32)

    @cached_property
    def _text_encoder(self) -> TextEncoder:
        encoder: TextEncoder = TEXT_ENCODERS.make(self.encoder)
        return encoder
