"""The folder of a model that a stranger may have made: only what its manifest lists is read.

Every file is read once. What a ranker loads is a copy of the very bytes that were checked, so that
a folder that is replaced meanwhile gives the old model or the new one, never a mixture.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from kgpath.errors import BadStore, NotWritable
from kgpath.io.saved_json import read_json

FORMAT = 2
ABOUT = "model.json"
#: A larger model is refused: the largest language model that anybody tunes here has 1.3 GB.
MOST_BYTES = 2 * 2**30
MOST_FILES = 10_000
_MOST_ABOUT = 16 * 2**20
_DEEPEST = 8
_BLOCK = 2**20
_TRIES = 5

_CHECKSUM = re.compile(r"[0-9a-f]{64}")
_VERSIONS = re.compile(r"(?:[\w.<>]+ [0-9]{1,9}(?:, |$))*")
#: What is written of a model besides its files, what it is without, and how it has to look.
_TEXTS = {"kgpath": 100, "ranker": 10_000, "versions": 10_000, "fingerprint": 200, "graph": 1_000}


def read_about(folder: str | Path) -> dict[str, Any]:
    """What a model is, after a look at every file of it."""
    return _read(Path(folder), None)


@contextmanager
def checked_copy(folder: str | Path) -> Iterator[tuple[dict[str, Any], Path]]:
    """What a model is, and a copy of its files to load it from, which is gone after the block."""
    place = Path(folder)
    with ExitStack() as closing:
        try:
            copy = closing.enter_context(tempfile.TemporaryDirectory(prefix="kgpath-model-"))
            about = _read(place, Path(copy))
        except OSError as error:
            raise NotWritable(
                f"{place} cannot be copied to a folder for what is temporary, from which it is "
                f"read: {error.strerror}. Set TMPDIR to a folder with space."
            ) from error
        try:
            yield about, Path(copy)
        except BadStore as error:
            raise BadStore(str(error).replace(copy, str(place))) from error


def _read(place: Path, copy: Path | None) -> dict[str, Any]:
    """Check a model and copy its files; again from the start if it was replaced meanwhile."""
    for tries in range(1, _TRIES + 1):
        before = _identity(place)
        try:
            about = _manifest(place)
            _check_files(place, about["files"], copy)
        except BadStore:
            if tries == _TRIES or _identity(place) == before:
                raise
        else:
            break
    return about


def _identity(place: Path) -> tuple[int, int] | None:
    try:
        about = place.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def _manifest(place: Path) -> dict[str, Any]:
    path = place / ABOUT
    try:
        if path.is_symlink():
            raise ValueError("it is a link")
        about = read_json(path, dict, _MOST_ABOUT)
        files, version = about["files"], about["format"]
    except (OSError, ValueError, KeyError):
        raise BadStore(
            f"{place} is not a model. Make one: kgpath train GRAPH QUERIES -o {place}"
        ) from None
    if version != FORMAT:
        said = version if isinstance(version, int) else "unknown"
        raise BadStore(f"{place} was written by another kgpath (format {said}). Train it again.")
    about.setdefault("versions", "")  # an older kgpath did not write them
    about.setdefault("also", {})
    texts = {name: about.get(name) for name in _TEXTS}
    right = (
        all(isinstance(text, str) and len(text) <= _TEXTS[name] for name, text in texts.items())
        and _VERSIONS.fullmatch(about["versions"])
        and _by_name(about.get("needs"))
        and _by_name(about["also"])
        and _by_name(files)
        and all(map(_CHECKSUM.fullmatch, files.values()))
    )
    if not right:
        raise BadStore(f"{path} does not say what it should of a model. Train it again.")
    return about


def _by_name(data: Any) -> bool:
    return isinstance(data, dict) and all(isinstance(value, str) for value in data.values())


def _check_files(place: Path, listed: dict[str, str], copy: Path | None) -> None:
    """Refuse a folder that does not hold exactly the listed files; copy those it does."""
    there = _sizes(place)
    for name in listed:
        if name not in there:
            raise BadStore(f"{place / name} is missing: the model is not whole. Train it again.")
    for name in there:
        if name not in listed and name != ABOUT:
            raise BadStore(
                f"{place / name} is not part of the model: {ABOUT} does not list it. Move it "
                "elsewhere, or get the model again."
            )
    if sum(there.values()) > MOST_BYTES:
        raise BadStore(f"{place} is larger than {MOST_BYTES:,} bytes: it is no model of kgpath.")
    for name, checksum in listed.items():
        if _copied(place / name, copy and copy / name, there[name]) != checksum:
            raise BadStore(f"{place / name} was altered since it was trained. Train it again.")


def _sizes(place: Path) -> dict[str, int]:
    """The size of every file in a folder and in those within it; nothing else may be there."""
    sizes: dict[str, int] = {}
    folders = [place]
    while folders:
        folder = folders.pop()
        try:
            found = [(Path(entry.path), entry.stat(follow_symlinks=False))
                     for entry in os.scandir(folder)]  # fmt: skip
        except OSError:
            raise BadStore(f"{folder} cannot be read. Get the model again.") from None
        for path, about in found:
            name = path.relative_to(place)
            if stat.S_ISDIR(about.st_mode) and len(name.parts) < _DEEPEST:
                folders.append(path)
            elif stat.S_ISREG(about.st_mode) and len(sizes) < MOST_FILES:
                sizes[name.as_posix()] = about.st_size
            else:
                raise BadStore(
                    f"{path} has no place in a model, which holds plain files. Get the model again."
                )
    return sizes


def _copied(path: Path, copy: Path | None, size: int) -> str:
    """The checksum of a file, of which the same bytes are written to a copy."""
    digest = hashlib.sha256()
    if copy is not None:
        copy.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        raise BadStore(f"{path} cannot be read ({error.strerror}). Get the model again.") from None
    with open(descriptor, "rb") as file, open(copy or os.devnull, "wb") as out:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            while size > 0 and (block := file.read(min(size, _BLOCK))):
                size -= len(block)
                digest.update(block)
                out.write(block)
    return digest.hexdigest()


#: A link, or a pipe that took the place of a file meanwhile, is neither followed nor waited for.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
