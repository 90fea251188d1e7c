"""A sentence encoder over the text around an entity."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgpath.component import TextEncoder, Versioned, kinds_of
from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.context_scope import text_in_scope
from kgpath.linking.context import Context
from kgpath.plugins import TEXT_ENCODERS


class ContextSentences(ContextEncoder):
    """The sentence vector of the text in scope; ``encoder`` is one of ``kgpath ls text_encoders``.

    Encoders read a limited length (MiniLM 256 word pieces): of a long document, the beginning.
    """

    def __init__(self, scope: str = "window", encoder: str = "minilm") -> None:
        super().__init__(scope)
        self.encoder = encoder

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self._text_encoder)

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        text = text_in_scope(context, entity, self.scope)
        if not text.strip():
            return np.zeros(self._text_encoder.encode([]).shape[1], dtype=np.float32)
        return np.asarray(self._text_encoder.encode([text])[0], dtype=np.float32)

    @cached_property
    def _text_encoder(self) -> TextEncoder:
        made: TextEncoder = TEXT_ENCODERS.make(self.encoder)
        return made
