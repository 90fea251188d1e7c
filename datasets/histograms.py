"""How many hops true paths have and how many candidates pairs have, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgpath.io.pictures import new_figure, save_figure

_TITLES = {"by_hops": "hops of the true path", "by_candidates": "candidates of a pair"}


def draw(figures: Mapping[str, Any], title: str, output: Path) -> None:
    """Write both histograms to a file; its ending says in which format."""
    shown = [key for key in _TITLES if figures.get(key)]
    figure = new_figure(output, (4.5 * max(len(shown), 1), 3.2))
    from matplotlib.ticker import MaxNLocator

    for at, key in enumerate(shown, 1):
        axes = figure.add_subplot(1, len(shown), at)
        counted = figures[key]
        axes.bar(list(map(int, counted)), list(counted.values()), color="#4477aa")
        axes.set_xlabel(_TITLES[key])
        axes.set_ylabel("pairs")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title)
    save_figure(figure, output)
