"""How many hops true paths have and how many candidates pairs have, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgpath.errors import BadOption
from kgpath.extras import require
from kgpath.io.atomic import replacing

_TITLES = {"by_hops": "hops of the true path", "by_candidates": "candidates of a pair"}


def draw(figures: Mapping[str, Any], title: str, output: Path) -> None:
    """Write both histograms to a file; its ending says in which format."""
    require("matplotlib", "plot", "A picture", "leave out --picture")
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    shown = [key for key in _TITLES if figures.get(key)]
    figure = Figure(figsize=(4.5 * len(shown), 3.2), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    formats = canvas.get_supported_filetypes()
    ending = output.suffix.removeprefix(".").lower()
    if ending not in formats:
        raise BadOption(
            f"{output} should end in the name of a format: {', '.join(sorted(formats))}."
        )
    for axes, key in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        counted = figures[key]
        axes.bar(list(map(int, counted)), list(counted.values()), color="#4477aa")
        axes.set_xlabel(_TITLES[key])
        axes.set_ylabel("pairs")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title)
    # The same dataset gives the same picture.
    with replacing(output) as temporary, rc_context({"svg.hashsalt": "kgpath"}):
        figure.savefig(temporary, format=ending, dpi=120, metadata=_dateless(ending))


def _dateless(ending: str) -> dict[str, str | None]:
    key = {"pdf": "CreationDate", "svg": "Date"}.get(ending)
    return {key: None} if key else {}
