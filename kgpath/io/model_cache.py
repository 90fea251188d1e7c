"""What was learned before is not learned again: folders by key, in the cache folder."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kgpath.component import Component
from kgpath.errors import BadStore
from kgpath.io.atomic import replacing_folder
from kgpath.io.cache import cache_enabled, cache_folder, key_of

#: So many folders of a kind are cached, those that were in use last.
LATEST = 12

_KEY = re.compile(r"[0-9a-f]{40}")  # as key_of makes them


def fit_cached(
    component: Component,
    *depends: object,
    learn: Callable[[], None],
    whole: Callable[[], bool] = lambda: True,
) -> None:
    """Let a component learn, or load what it learned from the same things before.

    ``depends`` is all that the result depends on, besides the component's options and version.
    ``whole`` says afterwards whether nothing else counted, such as the time: else it is not cached.
    """
    folder = cached_folder("learned", component.versions(), component.options(), *depends)
    if not load_cached(folder, component.load):
        learn()
        if whole():
            save_cached(folder, component.save)


def cached_folder(kind: str, *depends: object) -> Path:
    """Where a thing of some kind is cached that depends on these."""
    return cache_folder() / kind / key_of(*depends)


def load_cached(folder: Path, load: Callable[[Path], object]) -> bool:
    """Load a folder of the cache, if it is there and whole."""
    if cache_enabled() and folder.is_dir():
        try:
            load(folder)
            os.utime(folder)  # the latest in use stay
            return True
        except BadStore:
            shutil.rmtree(folder, ignore_errors=True)
    return False


def save_cached(folder: Path, save: Callable[[Path], None]) -> None:
    """Write a folder of the cache, all or nothing; nothing where there is no place."""
    if cache_enabled():
        with suppress(OSError):  # no place
            with replacing_folder(folder) as building:
                save(building)
            _evict(folder.parent)


def _evict(parent: Path) -> None:
    """Delete what was not in use for longest, and nothing else that lies there."""
    cached = [path for path in parent.iterdir() if path.is_dir() and _KEY.fullmatch(path.name)]
    for folder in sorted(cached, key=lambda path: path.stat().st_mtime)[:-LATEST]:
        shutil.rmtree(folder, ignore_errors=True)
