"""Files that this user's kgpath wrote or checked itself, remembered in the cache folder.

Graph files are passed around, and one that somebody else made may be damaged, or made to do harm.
So a file is checked before its first use, and remembered: a mark, which is an empty file named by a
hash. It stands for one place, inode, size and time of change, so that a file that was changed,
copied or downloaded is not known. Nothing in a mark has to be read, and losing it costs one check.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kgpath.io.cache import cache_folder, key_of

PLACE = "checked"
#: More marks than that, and the older half goes.
MOST = 4096
# A system's clock for changes ticks about so often, in nanoseconds; see remember().
_TICK = 10_000_000


@dataclass(frozen=True)
class FileMark:
    """Tells files from all others, and from themselves after any change."""

    name: str
    changed: int  # nanoseconds: when the last of them was

    @classmethod
    def of(cls, files: Iterable[Path], place: Path, *about: object) -> FileMark:
        """The mark of files that lie, or are about to lie, at ``place``; ``about`` is what for."""
        states = [(file.name, file.lstat()) for file in files]
        rows = [
            (name, state.st_mode, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
            for name, state in states
        ]
        key = key_of(os.path.realpath(place), rows, *about)
        return cls(key, max((state.st_ctime_ns for _, state in states), default=0))

    def is_known(self) -> bool:
        """Whether it was remembered here."""
        return self._file.exists()

    def remember(self) -> None:
        """From now on these files are known; where nothing can be written they are not."""
        # A change within the same tick of the clock would not show: it has to be over.
        left = _TICK - (time.time_ns() - self.changed)
        if 0 < left <= _TICK:
            time.sleep(left / 1e9)
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch()
            _forget_oldest(self._file.parent)

    @property
    def _file(self) -> Path:
        return cache_folder() / PLACE / self.name


def _forget_oldest(folder: Path) -> None:
    if len(os.listdir(folder)) > MOST:
        marks = sorted(folder.iterdir(), key=lambda mark: mark.stat().st_mtime_ns)
        for mark in marks[: len(marks) // 2]:
            mark.unlink(missing_ok=True)
