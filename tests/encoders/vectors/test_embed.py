"""One training at a time beside a graph file."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.encoders.vectors.embed import _locked
from kgpath.errors import NotWritable


def test_who_is_refused_leaves_the_lock_of_the_other_alone(tmp_path: Path) -> None:
    training = tmp_path / "film.kg.transe.training"
    with _locked(training):
        for _ in range(2):  # and again: the lock is still the one that the first one holds
            with pytest.raises(NotWritable, match="Another kgpath is training"), _locked(training):
                pass
            assert (training / "lock").exists()
    assert not training.exists()


def test_what_can_be_resumed_is_left(tmp_path: Path) -> None:
    training = tmp_path / "film.kg.transe.training"
    with pytest.raises(KeyboardInterrupt), _locked(training):
        (training / "000001").mkdir()
        raise KeyboardInterrupt
    assert (training / "000001").is_dir()
