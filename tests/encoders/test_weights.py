"""Files of weights: what was written comes back, and a damaged one is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.errors import BadStore

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from kgpath.encoders.weights import read_weights, whole_model, write_weights  # noqa: E402


def test_weights_and_notes_come_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "net.safetensors"
    tuned = torch.nn.Linear(2, 3)
    write_weights(path, dict(tuned.named_parameters()), {"base": "some model"})
    weights, notes = read_weights(path)
    assert notes == {"base": "some model"}
    assert torch.equal(weights["weight"], tuned.weight) and not weights["weight"].requires_grad
    assert [file.name for file in path.parent.iterdir()] == ["net.safetensors"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("missing", r"is missing: the model is not whole\. Train it again\.$"),
        ("cut", r"cannot be read \(.*\)\. Train the model again\.$"),
        ("not finite", r"cannot be read \(it holds numbers that are not finite\)"),
        ("a folder", r"cannot be read"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str, message: str) -> None:
    path = tmp_path / "net.safetensors"
    if damage == "a folder":
        path.mkdir()
    elif damage != "missing":
        value = torch.inf if damage == "not finite" else 1.0
        write_weights(path, {"weight": torch.full((4,), value)}, {})
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(BadStore, match=message) as raised, whole_model(path):
        read_weights(path)
    assert "\n" not in str(raised.value)


def test_whatever_is_wrong_with_the_content_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match=r"cannot be read \('size'\)"), whole_model(tmp_path):
        _ = {}["size"]
