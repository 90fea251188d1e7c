"""A network over query and path: what it saves comes back, what is damaged is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgpath.errors import BadStore
from kgpath.rankers.binary import Binary
from kgpath.rankers.encoded.encoded_examples import EncodedExample


class Nothing:
    """An encoder with nothing to save."""

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path) -> None: ...


@pytest.fixture
def saved(tmp_path: Path) -> Binary:
    """A ranker that learned from four rows, and was saved in ``tmp_path``."""
    pytest.importorskip("torch")
    ranker = Binary(Nothing(), Nothing(), epochs=1)
    rows = np.eye(4, dtype=np.float32)
    ranker.learn([EncodedExample(np.ones(2, np.float32), rows, (0,))])
    ranker.save(tmp_path)
    return ranker


def test_a_saved_network_gives_the_same_scores(saved: Binary, tmp_path: Path) -> None:
    again = Binary(Nothing(), Nothing())
    again.load(tmp_path)
    rows = np.arange(12, dtype=np.float32).reshape(2, 6)
    assert (again.score_rows(rows) == saved.score_rows(rows)).all()


@pytest.mark.parametrize(
    ("name", "shape"),
    [("first.weight", (128, 6)), ("0.weight", (128, 6)), ("0.weight", (3, 5)), ("0.weight", (7,))],
)
def test_a_file_of_other_tensors_is_refused(
    saved: Binary, tmp_path: Path, name: str, shape: tuple[int, ...]
) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "network.safetensors"
    safetensors.save_file({name: np.zeros(shape, dtype=np.float32)}, path)
    with pytest.raises(BadStore, match=r"network\.safetensors cannot be read .* the model again\."):
        saved.load(tmp_path)


def test_a_missing_or_cut_off_file_is_refused(saved: Binary, tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(BadStore, match=r"cannot be read .* Train the model again\."):
        saved.load(tmp_path)
    path.unlink()
    with pytest.raises(BadStore, match=r"is missing: the model is not whole\. Train it again\."):
        saved.load(tmp_path)
