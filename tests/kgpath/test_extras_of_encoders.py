"""Encoders whose libraries are not installed say what to install."""

from __future__ import annotations

import sys

import pytest

import kgpath
from kgpath.encoders.transformer.sentence_transformer import SentenceTransformer
from kgpath.encoders.vectors.transe import train_transe
from kgpath.encoders.vectors.word_space import word2vec
from kgpath.errors import MissingExtra
from kgpath.plugins import CONTEXT_ENCODERS


@pytest.mark.parametrize(
    ("library", "use"),
    [
        ("gensim", lambda kg: word2vec([["a"]], 2, window=1, negative=1, seed=0)),
        ("pykeen", lambda kg: train_transe(kg, epochs=1)),
        ("sentence_transformers", lambda kg: SentenceTransformer("some/model").encode(["a"])),
        ("transformers", lambda kg: CONTEXT_ENCODERS.make("kepler").fit(kg, [])),
        ("torch", lambda kg: CONTEXT_ENCODERS.make("kg-bert").versions()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_to_install(library: str, use, film: kgpath.Graph, monkeypatch) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf'needs {library}: pip install "kgpath\[neural\]"'):
        use(film)
