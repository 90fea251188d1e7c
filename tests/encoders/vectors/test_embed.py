"""One training at a time beside a graph file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import kgpath
from kgpath.encoders.vectors.embed import _drop_checkpoints, _locked, embed_graph
from kgpath.encoders.vectors.embedding import folder_of
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


def test_only_checkpoints_are_dropped(tmp_path: Path) -> None:
    for name in ("000001", "notes"):
        (tmp_path / name).mkdir()
    _drop_checkpoints(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_what_is_not_a_part_of_older_vectors_is_not_lost(film_path: Path, tmp_path: Path) -> None:
    with kgpath.open(shutil.copy(film_path, tmp_path)) as graph:
        folder = folder_of(graph)
        folder.mkdir()
        (folder / "thesis.txt").write_text("years of work")
        with pytest.raises(NotWritable, match=r"would be lost: thesis\.txt"):
            embed_graph(graph, epochs=1)
        assert (folder / "thesis.txt").read_text() == "years of work"
        assert not folder.with_name(folder.name + ".training").exists()
