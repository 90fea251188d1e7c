"""Tables and pictures of papers, made again from whatever files a user has: `kgpath reproduce`.

A reproduction is a function from a :class:`Request` to tables and pictures. Another package adds
its own with an entry point of the group ``kgpath.reproductions``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from kgpath.io.progress import Progress


T = TypeVar("T")


@dataclass
class Request:
    """What a reproduction works with: files, a graph file if given, further options by name.

    ``output`` is the folder that all goes to, where results that take long may be cached, too;
    ``quick`` asks for a small version, where there is one.

    A context manager: what several reproductions share is made once, and closed at the end.
    """

    files: tuple[str, ...] = ()
    graph: str | None = None
    seed: int = 42
    options: dict[str, str] = field(default_factory=dict)
    progress: Progress = lambda step, done, total: None
    output: str | None = None
    quick: bool = False
    closing: ExitStack = field(default_factory=ExitStack)
    _shared: dict[str, Any] = field(default_factory=dict)

    def __enter__(self) -> Request:
        return self

    def __exit__(self, *exception: object) -> None:
        self._shared.clear()
        self.closing.close()

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """What was made under this name before, or now."""
        if name not in self._shared:
            self._shared[name] = make()
        made: T = self._shared[name]
        return made


@dataclass(frozen=True)
class Table:
    """A table with its number in the paper, and what must be said about it.

    ``kgpath.reproduce.report`` writes it as Markdown and CSV.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The table as plain data."""
        plain = ((None if cell != cell else cell for cell in row) for row in self.rows)
        rows = [dict(zip(self.columns, row, strict=True)) for row in plain]
        return {"name": self.name, "title": self.title, "rows": rows, "notes": list(self.notes)}


@dataclass(frozen=True)
class Picture:
    """A picture with its number in the paper; ``draw`` writes it as a PNG file."""

    name: str
    title: str
    draw: Callable[[Path], None]


Reproduction = Callable[[Request], Iterable[Table | Picture]]
