"""What was learned is learned once by each version; of all of it, the latest stays."""

from __future__ import annotations

import os
from pathlib import Path

from kgpath.encoders.tfidf import Tfidf
from kgpath.io import model_cache
from kgpath.io.model_cache import fit_cached


def test_what_was_not_in_use_for_longest_is_deleted(cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(model_cache, "LATEST", 2)
    places = [cache_folder / "learned" / (letter * 40) for letter in "abc"]
    mine = cache_folder / "learned" / "thesis"  # not of our making
    mine.mkdir(parents=True)
    os.utime(mine, (0, 0))
    for number, place in enumerate(places[:2]):
        model_cache.save_cached(place, lambda to: (to / "file").touch())
        os.utime(place, (number, number))
    assert model_cache.load_cached(places[0], lambda path: None)  # in use again
    model_cache.save_cached(places[2], lambda to: (to / "file").touch())
    left = sorted(path.name for path in (cache_folder / "learned").iterdir())
    assert left == ["a" * 40, "c" * 40, "thesis"]


def test_another_version_learns_again(cache_folder: Path, film, monkeypatch) -> None:
    learned = []

    def fit() -> None:
        component = Tfidf()
        fit_cached(component, "texts", learn=lambda: learned.append(component.fit(film, [])))

    fit()
    fit()
    assert len(learned) == 1
    monkeypatch.setattr(Tfidf, "version", 2)
    fit()
    assert len(learned) == 2
