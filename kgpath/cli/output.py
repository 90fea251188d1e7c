"""How the command line speaks: JSON for programs, tables for people, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from kgpath.cli.streams import keep_clean
from kgpath.io.clean_text import clean, displayed, unescaped
from kgpath.io.progress import reporting

if TYPE_CHECKING:
    from rich.console import Console

    from kgpath.io.progress import Progress

PATIENCE = 1.0  # seconds that work may take before it says how far it is
_SILENCE = 30  # seconds that a log may stay silent


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


def console(**options: Any) -> Console:
    """Where people read: as wide as the terminal, without colour codes in a pipe.

    It writes past the stream that escapes: only what was cleaned may be printed on it.
    """
    from rich.console import Console

    out = unescaped(sys.stdout)
    wrapped = {"soft_wrap": not out.isatty(), **options}
    return Console(file=out, highlight=False, markup=False, emoji=False, **wrapped)


def print_styled(*pieces: str | tuple[str, str]) -> None:
    """A line of texts, some of them with a style: ``("Emma Stone", "bold")``."""
    from rich.text import Text

    styled = (piece if isinstance(piece, tuple) else (piece, "") for piece in pieces)
    shown = ((displayed(text, sys.stdout), style) for text, style in styled)
    console().print(Text.assemble(*shown))


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[str] = ()
) -> None:
    """A plain table; columns named in ``right`` hold numbers."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(
            Text(displayed(column, sys.stdout)),
            justify="right" if column in right else "left",
            overflow="fold",
        )
    for row in rows:
        texts = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row)
        table.add_row(*(Text(displayed(text, sys.stdout)) for text in texts))
    # In a pipe a table is as wide as it needs to be, and lines have no trailing blanks.
    width = {} if sys.stdout.isatty() else {"width": 10_000, "soft_wrap": False}
    out = console(**width)
    with out.capture() as captured:
        out.print(table)
    for line in captured.get().splitlines():
        unescaped(sys.stdout).write(f"{line.rstrip()}\n")


@contextmanager
def interruptible(said: str) -> Iterator[None]:
    """Whoever stops the work half way reads what that means, not a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        note(f"Interrupted. {said}")
        raise typer.Exit(_INTERRUPTED) from None


def resumable(output: str) -> str:
    """What an interruption means where the work so far lies beside the output."""
    return f"The same command goes on where it stopped ({output}.part)."


_INTERRUPTED = 130  # as shells say it: 128 + SIGINT


@contextmanager
def progress(what: str = "") -> Iterator[Progress]:
    """A bar on stderr for whatever takes longer than a second; ``what`` is done so many a second.

    It also shows how far whatever is trained within the block is. Where nobody watches a terminal,
    a line for each step, and for a long one every half minute.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    err = Console(file=unescaped(sys.stderr), markup=False, emoji=False)
    description = TextColumn("{task.description}", markup=False)
    columns = [description, BarColumn(), TimeRemainingColumn()]
    if what:
        columns.insert(2, TextColumn("{task.fields[rate]}", markup=False))
    bar = Progress(*columns, console=err, transient=True)
    task = bar.add_task("", total=None, rate="")
    pace = _Pace(what)
    start, last, spoken = time.monotonic(), "", 0.0

    def report(step: str, done: int, total: int) -> None:
        nonlocal last, spoken
        now = time.monotonic()
        rate = pace.rate(step, done, now)
        if now - start < PATIENCE:
            return
        if err.is_terminal:
            bar.start()
            keep_clean()
            bar.update(
                task, description=clean(step), completed=done, total=total or None, rate=rate
            )
        elif step != last:
            note(step)
            spoken = now
        elif now - spoken > _SILENCE and total:
            left = pace.left(done, total, now)
            note(", ".join(filter(None, (f"{step}: {done:,} of {total:,}", rate, left))))
            spoken = now
        last = step

    try:
        with reporting(report):
            yield report
    finally:
        if bar.live.is_started:
            bar.stop()


class _Pace:
    """How quickly a step goes on, since it began."""

    def __init__(self, what: str) -> None:
        self._what, self._step = what, ""
        self._begin, self._first = 0.0, 0

    def rate(self, step: str, done: int, now: float) -> str:
        """In words, such as "151 documents a second"; empty where there is nothing to say yet."""
        if step != self._step:
            self._step, self._begin, self._first = step, now, done
        seconds = now - self._begin
        if not self._what or done <= self._first or seconds < 1:
            return ""
        return f"{(done - self._first) / seconds:,.0f} {self._what} a second"

    def left(self, done: int, total: int, now: float) -> str:
        """How long the rest takes, in words."""
        if done <= self._first:
            return ""
        seconds = (total - done) * (now - self._begin) / (done - self._first)
        return f"{seconds / 60:.0f} min left" if seconds > 90 else f"{seconds:.0f} s left"
