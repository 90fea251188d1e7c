"""Long work says how far it is."""

from __future__ import annotations

from kgpath.io.progress import with_notes


def test_long_work_tells_how_far_it_is(capsys, monkeypatch) -> None:
    monkeypatch.setattr("kgpath.io.progress.EVERY", -1.0)
    assert list(with_notes("abc", "reading")) == ["a", "b", "c"]
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "kgpath: reading: 2 of 3, about 0 min left"
    monkeypatch.undo()
    assert list(with_notes("abc", "reading")) == ["a", "b", "c"] and not capsys.readouterr().err
