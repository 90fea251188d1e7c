"""Masked words: which are hidden, and that the same are asked each time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import kgpath
from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.masked_lm import MaskedLM


def test_masks_are_as_usual(base: Base, sample: kgpath.Graph) -> None:
    part = MaskedLM(base, sample, 0)
    examples = part.sample(np.random.default_rng(0), 300)
    mask = base.tokenizer.mask_token_id
    asked = hidden = kept = words = 0
    for one in examples:
        assert len(one.chunk.ids) == len(one.true) <= 64
        words += len(one.true) - 2
        for token, true in zip(one.chunk.ids, one.true, strict=True):
            asked += true >= 0
            hidden += true >= 0 and token == mask
            kept += true >= 0 and token == true
            assert true >= 0 or token != mask
        assert one.true[0] == one.true[-1] == -100 and max(one.true) >= 0
    assert asked / words == pytest.approx(0.16, abs=0.03)
    assert hidden / asked == pytest.approx(0.8, abs=0.05)
    assert kept / asked == pytest.approx(0.1, abs=0.05)


def test_the_same_words_are_asked_each_time(base: Base, sample: kgpath.Graph) -> None:
    part = MaskedLM(base, sample, 0)
    with torch.inference_mode():
        assert part.figures() == part.figures()
    assert not {entity for entity, _ in part.validation} & {entity for entity, _ in part.texts}
