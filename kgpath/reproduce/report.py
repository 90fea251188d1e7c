"""Tables and pictures as files: Markdown for pages, CSV for spreadsheets, PNG."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from kgpath.errors import NotWritable
from kgpath.extras import require
from kgpath.io.atomic import explained, open_text, replacing, target_of
from kgpath.reproduction import Picture, Table


def markdown(table: Table) -> str:
    """A table for a page of documentation, its notes below it."""

    def line(cells: Iterable[object]) -> str:
        return "| " + " | ".join(cell_text(c).replace("|", "\\|") for c in cells) + " |"

    rule = "|" + "---|" * len(table.columns)
    lines = [f"**{table.title}**", "", line(table.columns), rule, *map(line, table.rows)]
    return "\n".join([*lines, *(f"\n{note}" for note in table.notes)]) + "\n"


def csv_text(table: Table) -> str:
    """A table for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return out.getvalue()


def cell_text(cell: object) -> str:
    """A number with four places, anything else as it is."""
    if isinstance(cell, float):
        return "–" if cell != cell else f"{cell:.4f}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def plot(
    name: str, title: str, paint: Callable[[Any], None], size: tuple[float, float] = (6, 4)
) -> Picture:
    """A picture of one plot; ``paint`` draws on the axes that matplotlib gives it."""

    def draw(path: Path) -> None:
        figure = require("matplotlib.figure", "plot", "A picture").Figure(
            figsize=size, layout="constrained"
        )
        axes = figure.add_subplot()
        axes.set_title(title)
        paint(axes)
        # Without a date in it, the same figures give the same file.
        figure.savefig(path, format="png", dpi=120, metadata={"Software": None})

    return Picture(name, title, draw)


def check_folder(folder: str | Path) -> None:
    """Refuse a place that a report cannot be written to, before the work."""
    if Path(folder).is_file():
        raise NotWritable(f"{folder} is a file. Name a folder to write to.")


def write_report(folder: str | Path, made: Iterable[Table | Picture]) -> None:
    """Write tables as Markdown and CSV, pictures as PNG, each under its name."""
    place = target_of(Path(folder))
    with explained(place):
        place.mkdir(parents=True, exist_ok=True)
    for one in made:
        if isinstance(one, Picture):
            with replacing(place / f"{one.name}.png") as temporary:
                one.draw(temporary)
            continue
        for ending, text in ((".md", markdown(one)), (".csv", csv_text(one))):
            with replacing(place / (one.name + ending)) as temporary, open_text(temporary) as file:
                file.write(text)
