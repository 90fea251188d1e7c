"""A reliability diagram: of the paths with some support, how many are true?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kgpath.io.pictures import new_figure, save_figure
from kgpath.learning.judge import Run
from kgpath.metrics.calibration import BINS, Bin
from kgpath.metrics.verdicts import reliability_of

#: Told apart also by those who do not see all colours (Paul Tol).
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777")
_MARKERS = "osD^vPX"
_SIZE = (6.0, 6.0)


class ReliabilityPicture:
    """A place for the picture; made before the work, so that it is not done in vain."""

    def __init__(self, output: str | Path) -> None:
        self._output = Path(output)
        self._figure = new_figure(self._output, _SIZE)

    def draw(self, runs: Sequence[Run]) -> None:
        """A curve for each ranker, and below how many best paths are in each bin."""
        upper, lower = self._figure.subplots(
            2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 1]}
        )
        upper.plot([0, 1], [0, 1], color="#999999", linestyle=(0, (4, 4)), linewidth=1, zorder=1)
        # Above the line, where rankers that are too sure of themselves leave room.
        upper.text(
            0.2, 0.215, "as sure as right", color="#777777", fontsize="small", ha="center",
            va="bottom", rotation=45, rotation_mode="anchor", transform_rotates_text=True,
        )  # fmt: skip
        for at, run in enumerate(runs):
            bins = reliability_of([best.judged for best in run.best])
            _curve(upper, bins, run.ranker, at)
            _counts(lower, bins, at, len(runs))
        untold = sum(not best.judged.told for best in runs[0].best)
        told = len(runs[0].best) - untold
        upper.set_title(f"First paths of {told:,} told and {untold:,} untold questions")
        upper.set_ylabel("share that is true")
        upper.set_ylim(-0.03, 1.06)
        upper.set_xlim(-0.02, 1.02)
        upper.legend(loc="upper left", frameon=False, fontsize="small")
        lower.set_ylabel("questions")
        lower.set_xlabel("support of the first path")
        lower.set_xticks([edge / BINS for edge in range(0, BINS + 1, 2)])
        for axes in (upper, lower):
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(axis="y", color="#eeeeee", linewidth=0.8)
            axes.set_axisbelow(True)
        save_figure(self._figure, self._output)


def _style(at: int) -> tuple[str, str]:
    return _COLOURS[at % len(_COLOURS)], _MARKERS[at % len(_MARKERS)]


def _curve(axes: Any, bins: Sequence[Bin], name: str, at: int) -> None:
    """The filled bins of a ranker; a point is the larger, the more questions it stands for."""
    filled = [one for one in bins if one.cases]
    most = max((one.cases for one in filled), default=1)
    colour, marker = _style(at)
    sure, right = [one.probability for one in filled], [one.right for one in filled]
    axes.plot(sure, right, color=colour, linewidth=1.6, zorder=2)
    sizes = [18 + 90 * one.cases / most for one in filled]
    axes.scatter(sure, right, s=sizes, color=colour, marker=marker, zorder=3, edgecolor="white")
    axes.plot([], [], color=colour, marker=marker, label=name)


def _counts(axes: Any, bins: Sequence[Bin], at: int, rankers: int) -> None:
    """Bars beside those of other rankers; with one ranker alone, its numbers above them."""
    width = 0.86 / BINS / rankers
    middles = [(one.low + one.high) / 2 + (at - (rankers - 1) / 2) * width for one in bins]
    bars = axes.bar(middles, [one.cases for one in bins], width, color=_style(at)[0])
    if rankers <= 2:
        labels = [f"{one.cases:,}" if one.cases else "" for one in bins]
        axes.bar_label(bars, labels, fontsize="x-small", padding=1, color="#555555")
        axes.margins(y=0.18)
