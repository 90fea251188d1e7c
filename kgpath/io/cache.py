"""Where kgpath keeps what it can make again: the user's cache folder, or $KGPATH_CACHE."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path


def cache_folder() -> Path:
    """The folder; it may not be there yet."""
    from platformdirs import user_cache_path

    cache = os.environ.get("KGPATH_CACHE")
    return Path(cache) if cache else user_cache_path("kgpath")


def cache_enabled() -> bool:
    """Whether vectors and what was learned are kept between runs: unless $KGPATH_KEEP is 0."""
    return os.environ.get("KGPATH_KEEP") != "0"


def key_of(*parts: object) -> str:
    """A name for what depends on these parts, and on the program itself.

    Texts and other small values count by how they are written, bytes by their content.
    """
    return key_by(_program(), *parts)


def key_by(program: bytes, *parts: object) -> str:
    """The same, for what depends on part of the program: on these bytes, such as a hash of it."""
    digest = hashlib.blake2b(program, digest_size=20)
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


#: Folders that nothing which is kept under such a name depends on: they only use it.
_LATER = ("cli", "server", "dialogue", "experiments")


@cache
def _program() -> bytes:
    """A hash of all modules: what another version made is not taken for this one's."""
    package = Path(__file__).parent
    digest = hashlib.blake2b(digest_size=20)
    for file in sorted([*package.glob("*.py"), *package.glob("*/*.py")]):
        if file.parent.name not in _LATER:
            digest.update(file.read_bytes())
    return digest.digest()
