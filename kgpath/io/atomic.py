"""Files and folders that appear whole or not at all, written by one process at a time."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kgpath.errors import NotWritable
from kgpath.io.lock import locked, locked_folder

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(output: Path, *, given: bool = False) -> Iterator[Path]:
    """A path to write to; it takes the place of ``output`` when the block ends well.

    A block that fails leaves the old file; so does a killed process, whose leftover the next
    build overwrites. A second process with the same output is refused. ``given`` says that the
    user named a file to change, so that another place is no advice.
    """
    temporary = output.with_name(output.name + ".building")
    advice = ("Make it writable.", _FULL_GIVEN) if given else ()
    with explained(output, *advice), locked(temporary, being_written(output, given)) as lock:
        try:
            os.ftruncate(lock, 0)
            yield temporary
            os.fsync(lock)
            temporary.replace(output)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def being_written(output: Path, given: bool = False) -> str:
    """What to say where another process writes the same output."""
    otherwise = "." if given else ", or choose another -o."
    return f"{output} is being written by another kgpath. Wait for it{otherwise}"


_FULL_GIVEN = "; nothing was changed. Free some space ({df}) and try again."


@contextmanager
def explained(
    output: Path,
    elsewhere: str = "Choose another place with -o.",
    full: str = "; nothing was changed. Free some space ({df}) or choose another place with -o.",
) -> Iterator[None]:
    """Turn the system's refusals to write into errors that say what to do.

    ``elsewhere`` is the advice where nothing may be written, ``full`` where there is no space left.
    """
    no_space = f"No space left while writing {output}" + full.format(
        df=f"df -h {output.parent.absolute()}"
    )
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_FULL" or name.startswith("SQLITE_IOERR"):
            raise NotWritable(no_space) from error
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise NotWritable(no_space) from error
        if error.errno == errno.ENOENT and not output.parent.exists():
            raise NotWritable(
                f"There is no folder {output.parent}: mkdir -p {output.parent}"
            ) from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise NotWritable(f"Cannot write {output}: {error.strerror}. {elsewhere}") from error
        raise


def write_whole(path: Path, content: bytes | str) -> int:
    """Write a small file under another name first: interrupted, the old one is left, or the new.

    Returns its size in bytes.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    return len(data)


_BUILDING = ".kgpath-building-"
_ASIDE = "-old="  # then the name of the folder that it was


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """An empty folder to fill; it takes the place of ``folder`` when the block ends well.

    A block that fails leaves the old folder; so does a killed process, whose leftover the next
    one deletes. Of two processes with the same folder, the later one wins.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    building = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=folder.parent))
    try:
        with locked_folder(building, wait=True):
            yield building
            building.chmod(0o755)
            _put_in_place(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _put_in_place(building: Path, folder: Path) -> None:
    if folder.is_dir() and _exchange(building, folder):
        return  # what is in ``building`` now is the old one
    # Killed between the two renames, the old folder is put back by the next sweep.
    aside = building.with_name(f"{building.name}{_ASIDE}{folder.name}")
    if folder.is_dir():
        folder.rename(aside)
    try:
        building.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was faster
            if aside.exists():
                aside.rename(folder)
            raise
    shutil.rmtree(aside, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step, at no moment of which one is missing; False if impossible."""
    try:
        swap = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):  # not Linux, or an old C library
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(swap(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def _sweep(parent: Path) -> None:
    """Delete what killed processes left here, nobody holds it any more; or put it back."""
    for leftover in parent.glob(f"{_BUILDING}*"):
        with locked_folder(leftover) as abandoned:
            # An empty one may be new: not yet locked.
            if abandoned and any(leftover.iterdir()):
                target = parent / leftover.name.partition(_ASIDE)[2]
                if _ASIDE in leftover.name and not target.exists():
                    leftover.rename(target)
                else:
                    shutil.rmtree(leftover, ignore_errors=True)
