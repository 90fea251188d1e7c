"""A response written by a language model from the chosen sentence and its chain."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kgpath.dialogue.selection import Selection
from kgpath.encoders.transformer.model_files import (
    NO_CODE,
    ONLY_WEIGHTS,
    check_model_files,
    reason_of,
)
from kgpath.errors import BadSource
from kgpath.extras import require


class NeuralGenerator:
    """Any transformers causal or sequence-to-sequence model, by name or folder; greedy decoding.

    The prompt holds what was said, the chain and the sentence; ``turns`` of history at most.
    """

    def __init__(self, model: str, max_new_tokens: int = 60, turns: int = 4) -> None:
        self.model, self.max_new_tokens, self.turns = model, max_new_tokens, turns

    def __call__(self, selection: Selection) -> str:
        tokenizer, model, causal = self._loaded
        text = prompt(selection, self.turns)
        room = min(tokenizer.model_max_length, 4096) - (self.max_new_tokens if causal else 0)
        tokenizer.truncation_side = "left"  # what was said last, and the sentence, stay
        inputs = tokenizer(text, return_tensors="pt", truncation=True, max_length=max(room, 1))
        inputs.pop("token_type_ids", None)
        made = model.generate(
            **inputs, max_new_tokens=self.max_new_tokens, do_sample=False, num_beams=1,
            pad_token_id=_pad(tokenizer),
        )[0]  # fmt: skip
        if causal:
            made = made[inputs["input_ids"].shape[1] :]
        return str(tokenizer.decode(made, skip_special_tokens=True)).strip()

    @cached_property
    def _loaded(self) -> tuple[Any, Any, bool]:
        transformers = require(
            "transformers torch", "neural", "A neural generator", "use the generator copy"
        )
        import torch

        torch.manual_seed(0)
        try:
            check_model_files(self.model)
            config = transformers.AutoConfig.from_pretrained(self.model, **NO_CODE)
            tokenizer = transformers.AutoTokenizer.from_pretrained(self.model, **NO_CODE)
            causal = not config.is_encoder_decoder
            kind = (
                transformers.AutoModelForCausalLM if causal else transformers.AutoModelForSeq2SeqLM
            )
            return tokenizer, kind.from_pretrained(self.model, **ONLY_WEIGHTS).eval(), causal
        except Exception as error:  # whatever the library makes of a stranger's folder
            raise BadSource(
                f"{self.model!r} is neither a folder nor a known name of a transformers model that "
                f"writes text ({reason_of(error)}). Without a model: the generator copy"
            ) from error


def prompt(selection: Selection, turns: int = 4) -> str:
    """What the model reads."""
    turn = selection.turn
    lines = [*turn.history[-turns:], turn.query] if turns else [turn.query]
    said = "\n".join(lines)
    if not selection.candidate.is_evidence:
        return f"Dialogue:\n{said}\nResponse:"
    chain = f"Path: {selection.chain}\n" if selection.chain is not None else ""
    return f"Dialogue:\n{said}\n{chain}Knowledge: {selection.sentence}\nResponse:"


def _pad(tokenizer: Any) -> Any:
    return tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
