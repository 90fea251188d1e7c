"""How the command line speaks: JSON for programs, tables for people, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from kgpath.kg_build.build import Progress

GraphFile = Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file, such as film.kg.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def print_json(data: Any) -> None:
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    print()


def note(message: str) -> None:
    """A word to the person at the terminal, apart from the result."""
    print(message, file=sys.stderr)


def show_problems(what: str, problems: Sequence[str], shown: int = 5) -> None:
    """How many there are, and the first of them."""
    if problems:
        note(f"{what}: {len(problems):,}")
        for problem in problems[:shown]:
            note(f"  {problem}")
        if len(problems) > shown:
            note(f"  … and {len(problems) - shown:,} more")


def console() -> Console:
    """Where people read: as wide as the terminal, without colour codes in a pipe."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[str] = ()
) -> None:
    """A plain table; columns named in ``right`` hold numbers."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    # In a pipe a table is as wide as it needs to be, and lines have no trailing blanks.
    out = console() if sys.stdout.isatty() else Console(width=10_000, highlight=False)
    with out.capture() as captured:
        out.print(table)
    for line in captured.get().splitlines():
        print(line.rstrip())


@contextmanager
def interruptible(said: str) -> Iterator[None]:
    """Whoever stops the work half way is told what that means, without a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        note(f"Interrupted. {said}")
        raise typer.Exit(_INTERRUPTED) from None


_INTERRUPTED = 130  # as shells say it: 128 + SIGINT


@contextmanager
def progress() -> Iterator[Progress]:
    """A bar on stderr for whatever takes longer than a second."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    err = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), console=err,
        transient=True,
    )  # fmt: skip
    task = bar.add_task("", total=None)
    start, last = time.monotonic(), ""

    def report(what: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - start < 1:
            return
        if err.is_terminal:
            bar.start()
            bar.update(task, description=what, completed=done, total=total or None)
        elif what != last:
            note(what)
        last = what

    try:
        yield report
    finally:
        if bar.live.is_started:
            bar.stop()
