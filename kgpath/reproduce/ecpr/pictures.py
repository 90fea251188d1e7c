"""Pictures of results: bars per encoder, and MRR by what makes a query hard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kgpath.metrics import Interval, bootstrap
from kgpath.reproduce.ecpr.experiments import Result
from kgpath.reproduce.ecpr.published_figures import Figures, Key
from kgpath.reproduce.ecpr.table_definitions import Line
from kgpath.reproduce.report import plot
from kgpath.reproduction import Picture

_OURS, _PAPER = "#4477aa", ("#ccbb44", "#ee6677")


def open_plot(
    name: str, title: str, paint: Callable[[Any], None], size: tuple[float, float] = (6, 4)
) -> Picture:
    """A plot without a frame above and on the right."""

    def open_paint(axes: Any) -> None:
        axes.spines[["top", "right"]].set_visible(False)
        paint(axes)

    return plot(name, title, open_paint, size)


def bars(
    name: str,
    title: str,
    done: Mapping[Line, Result],
    paper: Mapping[str, Mapping[Key, Figures]],
    seed: int,
) -> Picture:
    """MRR of every row with its 95 % interval, and a mark where the paper has it."""
    lines = list(done)[::-1]
    found = [done[line].evaluation for line in lines]
    spans = [bootstrap(one["MRR"], one.groups, seed=seed) for one in found]

    def paint(axes: Any) -> None:
        places = range(len(lines))
        means = [span.mean for span in spans]
        around = [[s.mean - s.low for s in spans], [s.high - s.mean for s in spans]]
        axes.barh(places, means, xerr=around, color=_OURS, ecolor="#333333", label="here")
        for (dataset, figures), colour in zip(paper.items(), _PAPER, strict=False):
            known = [(at, figures[key][0]) for at, key in enumerate(lines) if key in figures]
            axes.scatter(
                [mrr for _, mrr in known], [at for at, _ in known], color=colour, marker="D",
                edgecolor="black", linewidth=0.5, zorder=3, label=f"paper, {dataset}",
            )  # fmt: skip
        axes.set_yticks(places, [" ".join(filter(None, line)) for line in lines])
        axes.set_xlabel("MRR")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")

    height = 1.6 + 0.32 * len(lines)
    return open_plot(name, f"{title}: MRR", paint, (8.5, height))


def by_group(
    name: str, title: str, axis: str, groups: Sequence[tuple[str, Sequence[int]]],
    done: Mapping[str, Result], seed: int,
) -> Picture:  # fmt: skip
    """MRR of some models over groups of queries, each group by the places of its queries."""
    points = {
        model: [_mrr(result, places, seed) for _, places in groups]
        for model, result in done.items()
    }

    def paint(axes: Any) -> None:
        for shift, (model, spans) in enumerate(points.items()):
            at = [x + 0.06 * (shift - (len(points) - 1) / 2) for x in range(len(groups))]
            axes.errorbar(
                at, [mean for mean, _, _ in spans],
                yerr=[[m - low for m, low, _ in spans], [high - m for m, _, high in spans]],
                marker="o", capsize=3, label=model,
            )  # fmt: skip
        axes.set_xticks(
            range(len(groups)), [f"{said}\n({len(places):,})" for said, places in groups]
        )
        axes.set_xlabel(f"{axis} (queries)")
        axes.set_ylabel("MRR")
        axes.set_ylim(0, 1.02)
        axes.legend(fontsize="small")

    return open_plot(name, title, paint)


def _mrr(result: Result, places: Sequence[int], seed: int) -> Interval:
    found = result.evaluation
    values = [found["MRR"][at] for at in places]
    return bootstrap(values, [found.groups[at] for at in places], seed=seed)
