"""Files and folders that appear whole or not at all, written by one process at a time.

What is being written lies beside its place, in a new file under a name that nobody can guess; no
symbolic link is followed on the way. A link that the user named as the output stays one: what it
points to is replaced.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from kgpath.errors import NotWritable
from kgpath.io.clean_text import ESCAPED
from kgpath.io.lock import locked, locked_folder

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(output: Path, *, given: bool = False, database: bool = False) -> Iterator[Path]:
    """A path to write to; it takes the place of ``output`` when the block ends well.

    A block that fails leaves the old file; so does a killed process, whose leftover the next one
    deletes. A second process with the same output is refused. ``given`` says that the user named
    a file to change, so that another place is no advice. Only whoever writes a ``database`` may
    replace one: a graph file is never lost to a table.
    """
    advice = ("Make it writable.", _FULL_GIVEN) if given else ()
    with explained(output, *advice):
        target = target_of(output)
        refuse_other_kinds(output, database)
        with _held(target, being_written(output, given)):
            for leftover in _leftovers(target):
                leftover.unlink(missing_ok=True)
            with _beside(target) as temporary:
                yield temporary


def target_of(output: Path) -> Path:
    """The place to write to: what a symbolic link stands for, be it there or not; else itself."""
    return Path(os.path.realpath(output)) if output.is_symlink() else output


def open_text(path: Path) -> IO[str]:
    """A file to write text to: UTF-8 whatever the locale, and any character can be written."""
    return path.open("w", encoding="utf-8", errors=ESCAPED, newline="\n")


_SQLITE = b"SQLite format 3\0"


def refuse_other_kinds(output: Path, database: bool = False) -> None:
    """Refuse to replace what is no ordinary file, and a database by anything but a ``database``."""
    if not output.exists():
        return
    if output.is_dir():
        raise NotWritable(f"{output} is a folder. Name a file to write.")
    if not output.is_file():
        raise NotWritable(f"{output} is no ordinary file; it stays. Name another one.")
    if not database:
        with suppress(PermissionError), output.open("rb") as file:
            if file.read(len(_SQLITE)) == _SQLITE:
                raise NotWritable(
                    f"{output} is a database, such as a graph file; it stays. Choose another -o."
                )


@contextmanager
def _held(target: Path, busy: str) -> Iterator[None]:
    """One process at a time may write a file: by a lock of a name that is always the same."""
    path = target.with_name(f".{target.name}.kgpath-lock")
    with locked(path, busy):
        try:
            yield
        finally:
            with suppress(OSError):  # Windows deletes no open file
                path.unlink()


def _leftovers(target: Path) -> Iterator[Path]:
    """What killed processes left of this file; whoever holds the lock knows that they are gone."""
    own = re.compile(re.escape(f".{target.name}.kgpath-") + "[0-9a-f]{16}(-journal)?")
    for path in list(target.parent.iterdir()):
        if own.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            yield path


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A new, empty file; it takes the place of ``target`` when the block ends well."""
    temporary = target.with_name(f".{target.name}.kgpath-{os.urandom(8).hex()}")
    # What only its owner may read is not shown to others meanwhile.
    mode = _mode(target)
    new = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    os.close(os.open(temporary, new, 0o666 if mode is None else mode | 0o600))
    try:
        yield temporary
        put_in_place(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def put_in_place(temporary: Path, target: Path) -> None:
    """Let a finished file take the place of another, whose mode it gets; both are there for good.

    However the machine stops, the old one is found afterwards, or the new one.
    """
    _sync(temporary)
    _keep_mode(target, temporary)
    os.replace(temporary, target)
    _sync_folder(target.parent)


def _mode(path: Path) -> int | None:
    """Who may read and write it; None if it is not there."""
    try:
        return stat.S_IMODE(path.stat().st_mode) & 0o777
    except OSError:
        return None


def _keep_mode(old: Path, new: Path) -> None:
    mode = _mode(old)
    if mode is not None:
        with suppress(OSError):  # a file system without modes
            new.chmod(mode)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_all(folder: Path) -> None:
    for place, _, names in os.walk(folder):
        for name in names:
            _sync(Path(place, name))
        _sync_folder(Path(place))


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every system can: then it decides itself when to write
        _sync(folder)


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
    data = content.encode("utf-8", ESCAPED) if isinstance(content, str) else content
    with _beside(path) as temporary:
        temporary.write_bytes(data)
    return len(data)


_BUILDING = ".kgpath-building-"
_ASIDE = "-old="  # then the name of the folder that it was


@contextmanager
def replacing_folder(folder: Path, *, durable: bool = False) -> Iterator[Path]:
    """An empty folder to fill; it takes the place of ``folder`` when the block ends well.

    A block that fails leaves the old folder; so does a killed process, whose leftover the next
    one deletes. Of two processes with the same folder, the later one wins. What cannot be made
    again is ``durable``: it is on the disk before it takes the place of the old one.
    """
    folder = target_of(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    with _new_folder(folder) as building:
        try:
            yield building
            if durable:
                _sync_all(building)
            _keep_mode(folder, building)
            _put_in_place(building, folder)
            if durable:
                _sync_folder(folder.parent)
        finally:
            shutil.rmtree(building, ignore_errors=True)


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """A new, empty folder beside another, held by this process."""
    while True:
        building = folder.with_name(_BUILDING + os.urandom(8).hex())
        building.mkdir()
        with locked_folder(building, wait=True):
            if building.exists():  # else another process took it for a leftover before it was held
                yield building
                return


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
        if leftover.is_symlink():
            continue
        with locked_folder(leftover) as abandoned:
            if abandoned:
                target = parent / leftover.name.partition(_ASIDE)[2]
                if _ASIDE in leftover.name and not target.exists():
                    leftover.rename(target)
                else:
                    shutil.rmtree(leftover, ignore_errors=True)
