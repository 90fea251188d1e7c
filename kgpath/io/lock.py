"""One process at a time: files and folders that are locked for as long as they are open.

The system drops a lock when its process ends, however it ends: none is ever left behind.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from kgpath.errors import NotWritable
from kgpath.io.progress import note

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: a file cannot be opened twice for writing anyway
    fcntl = None

# A link in the place of a lock could make a file anywhere: it is not followed.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDWR | os.O_CREAT | _NO_LINK


@contextmanager
def locked(path: Path, busy: str) -> Iterator[int]:
    """Hold a file, made if need be; where another process holds it, NotWritable says ``busy``."""
    try:
        descriptor = lock(path)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise NotWritable(f"{path} is a symbolic link where a lock belongs. Remove it.") from error
    if descriptor is None:
        raise NotWritable(busy)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def locked_in_turn(path: Path, busy: str) -> Iterator[None]:
    """Hold a file after whoever holds it now; the user reads ``busy`` while it waits.

    Where nothing can be written there is nothing to hold, and the block runs all the same.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = lock(path)
        if descriptor is None:
            note(busy)
            descriptor = lock(path, wait=True)
    except OSError:
        descriptor = None
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def lock(path: Path, wait: bool = False, flags: int = _FILE) -> int | None:
    """An open, exclusively locked descriptor; None if another process has the lock."""
    while True:
        descriptor = os.open(path, flags, 0o666)
        try:
            if not _taken(descriptor, wait):
                os.close(descriptor)
                return None
            # Whoever had it may have renamed or deleted it between our open and our lock.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.lstat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _taken(descriptor: int, wait: bool) -> bool:
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
    return True


@contextmanager
def locked_folder(folder: Path, wait: bool = False) -> Iterator[bool]:
    """Whether this process holds the folder within the block, or another one does."""
    descriptor = None
    if fcntl is not None:
        with suppress(OSError):  # deleted meanwhile
            descriptor = lock(folder, wait, os.O_RDONLY | _NO_LINK)
    try:
        yield descriptor is not None
    finally:
        if descriptor is not None:
            os.close(descriptor)
