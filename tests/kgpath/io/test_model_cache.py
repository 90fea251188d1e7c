"""Of what was learned, the latest stays."""

from __future__ import annotations

import os
from pathlib import Path

from kgpath.io import model_cache as learned_once


def test_what_was_not_in_use_for_longest_is_forgotten(cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(learned_once, "LATEST", 2)
    places = [cache_folder / "learned" / name for name in ("one", "two", "three")]
    for number, place in enumerate(places[:2]):
        learned_once.keep(place, lambda to: (to / "file").touch())
        os.utime(place, (number, number))
    assert learned_once.load_cached(places[0], lambda path: None)  # in use again
    learned_once.keep(places[2], lambda to: (to / "file").touch())
    assert sorted(path.name for path in (cache_folder / "learned").iterdir()) == ["one", "three"]
