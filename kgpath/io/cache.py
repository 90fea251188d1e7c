"""Where kgpath caches what it can make again: the user's cache folder, or $KGPATH_CACHE."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from kgpath.registry import renamed_notice


def cache_folder() -> Path:
    """The folder; it may not be there yet."""
    cache = os.environ.get("KGPATH_CACHE")
    if cache:
        return Path(cache)
    from platformdirs import user_cache_path

    return user_cache_path("kgpath")


def cache_enabled() -> bool:
    """Whether vectors and what was learned are cached: unless $KGPATH_USE_CACHE is 0."""
    former = os.environ.get("KGPATH_KEEP")
    if former is not None:
        renamed_notice("KGPATH_KEEP", "KGPATH_USE_CACHE")
    return os.environ.get("KGPATH_USE_CACHE", former) != "0"


def key_of(*parts: object) -> str:
    """A name for what depends on these parts, and on nothing else.

    One of them has to be the version of the component that makes it: see
    :class:`kgpath.component.Component`. Texts and other small values count by how they are
    written, bytes by their content.
    """
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()
