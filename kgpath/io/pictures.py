"""Pictures as files: in the format that the ending names, and the same bytes from the same data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kgpath.errors import BadOption, NotWritable
from kgpath.extras import require
from kgpath.io.atomic import replacing


def new_figure(output: Path, size: tuple[float, float]) -> Any:
    """An empty figure of matplotlib; asked for before the work, which is not to be done in vain."""
    require("matplotlib", "plot", "A picture", "leave out --picture")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    formats = FigureCanvasAgg(figure).get_supported_filetypes()
    if _ending(output) not in formats:
        raise BadOption(
            f"{output} should end in the name of a format: {', '.join(sorted(formats))}."
        )
    if not output.parent.is_dir():
        raise NotWritable(f"There is no folder {output.parent}: mkdir -p {output.parent}")
    return figure


def save_figure(figure: Any, output: Path) -> None:
    """Write a figure whole or not at all, without a date in it."""
    from matplotlib import rc_context

    key = {"pdf": "CreationDate", "svg": "Date"}.get(_ending(output))
    dateless = {key: None} if key else {}
    with replacing(output) as temporary, rc_context({"svg.hashsalt": "kgpath"}):
        figure.savefig(temporary, format=_ending(output), dpi=120, metadata=dateless)


def _ending(output: Path) -> str:
    return output.suffix.removeprefix(".").lower()
