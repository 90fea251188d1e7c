"""Where kgpath keeps what it can make again: the user's cache folder, or $KGPATH_CACHE."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder; it may not be there yet."""
    from platformdirs import user_cache_path

    cache = os.environ.get("KGPATH_CACHE")
    return Path(cache) if cache else user_cache_path("kgpath")
