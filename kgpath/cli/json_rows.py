"""What -o of an evaluation writes: a JSON line for each query or turn of every run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from kgpath.cli.output import note
from kgpath.errors import NotWritable
from kgpath.io.atomic import open_text, replacing


class HasRows(Protocol):
    """A run that can be written as JSON lines."""

    def rows(self) -> Iterable[dict[str, Any]]: ...


@contextmanager
def rows_written(output: str | None) -> Iterator[Callable[[Sequence[HasRows]], None]]:
    """What writes the lines of all runs; opened before the work, so that it is not done in vain."""
    if output is None:
        yield lambda runs: None
        return
    if Path(output).is_dir():
        raise NotWritable(f"{output} is a folder. Name a file to write, such as runs.jsonl.")
    with (
        replacing(Path(output)) as temporary,
        open_text(temporary) as file,
    ):

        def write(runs: Sequence[HasRows]) -> None:
            for row in (row for run in runs for row in run.rows()):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

        yield write
    note(f"{output} written")
