"""Files that appear whole or not at all, written by one process at a time."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kgpath.errors import NotWritable

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(output: Path) -> Iterator[Path]:
    """A path to write to; it takes the place of ``output`` when the block ends well.

    A block that fails leaves the old file; so does a killed process, whose leftover the next
    build overwrites. A second process with the same output is refused.
    """
    temporary = output.with_name(output.name + ".building")
    with explained(output):
        lock = locked(temporary, output)
        try:
            os.ftruncate(lock, 0)
            yield temporary
            os.fsync(lock)
            temporary.replace(output)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        finally:
            os.close(lock)


@contextmanager
def explained(output: Path) -> Iterator[None]:
    """Turn the system's refusals to write into errors that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_FULL" or name.startswith("SQLITE_IOERR"):
            raise NotWritable(_full(output)) from error
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise NotWritable(_full(output)) from error
        if error.errno == errno.ENOENT and not output.parent.exists():
            raise NotWritable(
                f"There is no folder {output.parent}: mkdir -p {output.parent}"
            ) from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise NotWritable(
                f"Cannot write {output}: {error.strerror}. Choose another place with -o."
            ) from error
        raise


def _full(output: Path) -> str:
    folder = output.parent.absolute()
    return (
        f"No space left while writing {output}; nothing was changed. "
        f"Free some space (df -h {folder}) or choose another place with -o."
    )


def locked(temporary: Path, output: Path) -> int:
    """An open, exclusively locked descriptor of the temporary file."""
    while True:
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(descriptor)
            # Another build may have renamed the file between our open and our lock.
            if temporary.exists() and os.path.samestat(os.fstat(descriptor), temporary.stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise NotWritable(
                f"{output} is being written by another kgpath. Wait for it, or choose another -o."
            ) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: the file cannot be opened twice for writing anyway
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def write_whole(path: Path, content: bytes) -> None:
    """Under another name first: whoever is interrupted leaves the old file, or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
