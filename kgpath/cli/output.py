"""How the command line speaks: JSON for programs, tables for people, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

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


class HasRows(Protocol):
    """A run that can be written as JSON lines."""

    def rows(self) -> Iterable[dict[str, Any]]: ...


@contextmanager
def rows_written(output: str | None) -> Iterator[Callable[[Sequence[HasRows]], None]]:
    """What writes the lines of all runs; opened before the work, so that it is not done in vain."""
    from kgpath.errors import NotWritable
    from kgpath.kg_build.atomic import replacing

    if output is None:
        yield lambda runs: None
        return
    if Path(output).is_dir():
        raise NotWritable(f"{output} is a folder. Name a file to write, such as runs.jsonl.")
    with (
        replacing(Path(output)) as temporary,
        temporary.open("w", encoding="utf-8") as file,
    ):

        def write(runs: Sequence[HasRows]) -> None:
            for row in (row for run in runs for row in run.rows()):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

        yield write
    note(f"{output} written")
