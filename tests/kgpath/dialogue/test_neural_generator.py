"""A model that writes the response."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.dialogue import Turn, WikiPath
from kgpath.dialogue.generator import make_generator
from kgpath.dialogue.neural_generator import prompt
from kgpath.errors import BadSource, MissingExtra


def test_the_prompt_holds_dialogue_chain_and_sentence(cats: Turn) -> None:
    selection = WikiPath().select(cats)
    assert prompt(selection) == (
        "Dialogue:\nThey do like their mice.\nPath: Abyssinian cat → Cat\n"
        "Knowledge: A house cat hunts mice at night.\nResponse:"
    )


def tiny(folder: Path, kind: str) -> Path:
    """A model with random weights that knows seven words."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    names = ["<pad>", "</s>", "<unk>", "cat", "mice", "dialogue", "response"]
    model = tokenizers.models.WordLevel({n: at for at, n in enumerate(names)}, unk_token="<unk>")
    fast = tokenizers.Tokenizer(model)
    fast.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="<pad>", eos_token="</s>", unk_token="<unk>",
        model_max_length=64,
    ).save_pretrained(folder)  # fmt: skip
    if kind == "seq2seq":
        config = transformers.T5Config(
            vocab_size=7, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2,
            decoder_start_token_id=0,
        )  # fmt: skip
        transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    else:
        config = transformers.GPT2Config(
            vocab_size=7, n_positions=96, n_embd=8, n_layer=1, n_head=2, bos_token_id=1,
            eos_token_id=1,
        )  # fmt: skip
        transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["seq2seq", "causal"])
def test_any_model_that_writes_text(kind: str, cats: Turn, tmp_path: Path) -> None:
    speak = make_generator(str(tiny(tmp_path / kind, kind)))
    selection = WikiPath().select(cats)
    said = speak(selection)
    assert isinstance(said, str) and said == speak(selection)
    assert "Dialogue" not in said  # the prompt is not part of the answer


def test_what_is_no_model_is_reported(cats: Turn, tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(BadSource, match="the generator copy"):
        make_generator(str(tmp_path))(WikiPath().select(cats))
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"kgpath\[neural\]"):
        make_generator("some-model")(WikiPath().select(cats))
