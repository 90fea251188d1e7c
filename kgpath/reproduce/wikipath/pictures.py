"""Pictures 1 to 6 of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kgpath.dialogue.run_analysis import buckets, movement
from kgpath.errors import MissingExtra
from kgpath.reproduce.wikipath.results import MAIN
from kgpath.reproduce.wikipath.study import METHODS, study_of
from kgpath.reproduction import Picture, Request

_STAGES = (
    "candidates\n(title, sentence)",
    "retrieval\n(BM25)",
    "titles linked,\nedges by rule",
    "shortest chain\nfrom the source",
    "sentence, chain,\nresponse",
)


def _picture(name: str, title: str, paint: Callable[[Any], None], wide: bool = False) -> Picture:
    def draw(path: Path) -> None:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise MissingExtra(
                'Pictures need matplotlib: pip install "kgpath[dialogue]"'
            ) from error
        figure = Figure(figsize=(9, 2) if wide else (6, 4), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(title)
        paint(axes)
        # Without a date in it, the same figures give the same file.
        figure.savefig(path, format="png", dpi=120, metadata={"Software": None})

    return Picture(name, title, draw)


def picture_1(request: Request) -> Iterator[Picture]:
    """The stages from candidates to a response."""

    def paint(axes: Any) -> None:
        axes.axis("off")
        for at, stage in enumerate(_STAGES):
            style = {"boxstyle": "round", "facecolor": "white"}
            axes.text(at / 4.4 + 0.05, 0.5, stage, ha="center", va="center", bbox=style)
            if at:
                ends = (at / 4.4 - 0.035, 0.5), (at / 4.4 - 0.085, 0.5)
                axes.annotate("", *ends, arrowprops={"arrowstyle": "->"})

    yield _picture("wikipath-p1", "From candidates to a response", paint, wide=True)


def picture_2(request: Request) -> Iterator[Picture]:
    """How many candidates turns have."""
    study = study_of(request)
    for split in study.splits:
        sizes = [len(turn.candidates) for turn in split.turns]

        def paint(axes: Any, sizes: list[int] = sizes) -> None:
            axes.hist(sizes, bins=range(0, max(sizes) + 6, 5))
            axes.set_xlabel("candidates")
            axes.set_ylabel("turns")

        yield _picture(f"wikipath-p2-{split.name}", f"Candidates, {split.name}", paint)


def picture_3(request: Request) -> Iterator[Picture]:
    """The methods by every metric."""
    study = study_of(request)
    for split in study.splits:
        runs = {method: study.run(split, name) for method, name in METHODS.items()}
        means = {method: [run.mean(m) for m in MAIN] for method, run in runs.items()}

        def paint(axes: Any, means: dict[str, list[float]] = means) -> None:
            for at, (method, values) in enumerate(means.items()):
                axes.bar([x + at / 5 for x in range(len(MAIN))], values, 0.2, label=method)
            axes.set_xticks([x + 0.3 for x in range(len(MAIN))], MAIN, rotation=20)
            axes.legend()

        yield _picture(f"wikipath-p3-{split.name}", f"Methods, {split.name}", paint)


def picture_4(request: Request) -> Iterator[Picture]:
    """Diversity of titles against the user score, a point for each dialogue."""
    study = study_of(request)
    for split in study.splits:
        rows = movement(study.run(split, "wikipath"))

        def paint(axes: Any, rows: list[tuple[float, float, float]] = rows) -> None:
            axes.scatter([row[0] for row in rows], [row[2] for row in rows], s=12, alpha=0.5)
            axes.set_xlabel("distinct titles per turn")
            axes.set_ylabel("user score")

        yield _picture(f"wikipath-p4-{split.name}", f"Diversity, {split.name}", paint)


def picture_5(request: Request) -> Iterator[Picture]:
    """How many turns have a chain of each length."""
    study = study_of(request)
    for split in study.splits:
        lengths = Counter(
            outcome.selection.path_length for outcome in study.run(split, "wikipath").outcomes
        )

        def paint(axes: Any, lengths: Counter[int | None] = lengths) -> None:
            known = sorted(length for length in lengths if length is not None)
            names = [*map(str, known), "NoPath"]
            axes.bar(names, [*(lengths[length] for length in known), lengths[None]])
            axes.set_xlabel("path length")
            axes.set_ylabel("turns")

        yield _picture(f"wikipath-p5-{split.name}", f"Path lengths, {split.name}", paint)


def picture_6(request: Request) -> Iterator[Picture]:
    """The user score by the length of the chain, where there is one."""
    study = study_of(request)
    for split in study.splits:
        rows = [b for b in buckets(study.run(split, "wikipath")) if b.length is not None]
        points = [(float(b.length or 0), b.user) for b in rows]

        def paint(axes: Any, points: list[tuple[float, float]] = points) -> None:
            axes.plot([x for x, _ in points], [y for _, y in points], marker="o")
            axes.set_xlabel("path length")
            axes.set_ylabel("user score")

        yield _picture(f"wikipath-p6-{split.name}", f"User score, {split.name}", paint)
