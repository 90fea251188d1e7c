"""Files of weights: what was written comes back, and a damaged one is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.errors import BadStore

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from kgpath.encoders.weights import network_of, read_weights, whole_model, write_weights  # noqa: E402


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


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ({"weight": torch.ones(3, 2)}, "its layers are not those of the network"),
        ({"weight": torch.ones(3, 9), "bias": torch.ones(3)}, "its layers are not those of"),
        ({"weight": torch.ones(3, 2).int(), "bias": torch.ones(3)}, "weight holds numbers of kind"),
        ({"weight": torch.full((3, 2), 2e6), "bias": torch.ones(3)}, "it holds numbers above 1,00"),
    ],
)
def test_weights_of_another_network_are_refused(tmp_path: Path, weights, reason: str) -> None:
    path = tmp_path / "net.safetensors"
    write_weights(path, weights, {})
    with pytest.raises(BadStore) as raised, whole_model(path):
        network_of(lambda: torch.nn.Linear(2, 3), read_weights(path)[0])
    assert str(raised.value).startswith(f"{path} cannot be read ({reason}")


def test_no_memory_is_taken_for_a_network_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    write_weights(path, {"weight": torch.ones(1, 1)}, {})
    with pytest.raises(BadStore, match="its layers are not those"), whole_model(path):
        network_of(lambda: torch.nn.Linear(10**7, 10**7), read_weights(path)[0])


def test_a_network_comes_back_with_its_weights(tmp_path: Path) -> None:
    path, own = tmp_path / "net.safetensors", torch.nn.Linear(2, 3)
    write_weights(path, own.state_dict(), {})
    again = network_of(lambda: torch.nn.Linear(2, 3), read_weights(path)[0])
    assert torch.equal(again.weight, own.weight) and not again.training


def test_what_a_library_says_is_cut_to_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    header = b'{"%s": 1}' % (b"1" * 5000)
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(BadStore) as raised, whole_model(path):
        read_weights(path)
    assert len(str(raised.value)) < len(str(path)) + 300
