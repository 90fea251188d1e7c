"""Folders of language models that strangers made: no code, no pickles, nothing outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgpath.encoders.transformer.base_model import load_base
from kgpath.encoders.transformer.model_files import check_model_files
from kgpath.encoders.transformer.sentence_transformer import SentenceTransformer, packaged
from kgpath.errors import BadOption

pytest.importorskip("transformers")
POOLING = "sentence_transformers.models.Pooling"


def folder_with(folder: Path, **files: Any) -> str:
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return str(folder)


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ({"type": "os.system", "path": ""}, "names os.system, which kgpath does not load"),
        ({"type": "modeling_evil.Evil", "path": ""}, "names modeling_evil.Evil, which kgpath does"),
        (
            {"type": "sentence_transformers.base.model.pickle", "path": ""},
            "names sentence_transformers.base.model.pickle, which kgpath does not load",
        ),
        ({"type": POOLING, "path": "../other"}, "names ../other, which is outside of the model"),
        ({"type": POOLING, "path": "/etc"}, "names /etc, which is outside of the model"),
        ({"type": POOLING}, "does not list modules"),
        ("Pooling", "does not list modules"),
        ({"type": 3, "path": []}, "does not list modules"),
    ],
)
def test_modules_that_are_not_the_librarys_own_are_refused(
    tmp_path: Path, module: Any, reason: str
) -> None:
    name = folder_with(tmp_path, modules=[module])
    with pytest.raises(ValueError) as raised:
        check_model_files(name)
    assert str(raised.value).startswith(f"modules.json {reason}")
    with pytest.raises(BadOption) as refused:
        SentenceTransformer(name).encode(["a"])
    assert str(refused.value).startswith(f"The model {name!r} cannot be loaded (modules.json ")
    assert "\n" not in str(refused.value)


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "2_Dense").mkdir()
    (tmp_path / "2_Dense" / "pytorch_model.bin").write_bytes(b"\x80\x04")
    dense = {"type": "sentence_transformers.models.Dense", "path": "2_Dense"}
    with pytest.raises(ValueError, match=r"^2_Dense/pytorch_model.bin may run code: save it as"):
        check_model_files(folder_with(tmp_path, modules=[dense]))


@pytest.mark.parametrize(
    "config", [{"vocab_size": 10**12}, {"hidden_size": "512"}, {"num_hidden_layers": -1}, []]
)
def test_absurd_sizes_are_refused_before_memory_is_taken(tmp_path: Path, config: Any) -> None:
    name = folder_with(tmp_path, config=config)
    with pytest.raises(BadOption) as raised:
        load_base(name)
    assert str(raised.value).startswith(f"The base model {name!r} cannot be loaded (")


def test_a_folder_that_names_its_own_code_is_refused(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    config = {
        "model_type": "evil", "auto_map": {"AutoConfig": "evil.C", "AutoModel": "evil.M"}
    }  # fmt: skip
    name = folder_with(
        tmp_path, config=config,
        tokenizer_config={"auto_map": {"AutoTokenizer": ["evil.T", "evil.T"]}},
    )  # fmt: skip
    with pytest.raises(BadOption, match="cannot be loaded"):
        load_base(name)
    assert not (tmp_path / "ran").exists()


def test_the_packaged_model_and_names_of_the_hub_pass() -> None:
    check_model_files("nobody/no-such-model")
    if folder := packaged("sentence-transformers/all-MiniLM-L6-v2"):
        check_model_files(folder)
