"""Pictures 1 to 6 of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from kgpath.dialogue.run_analysis import buckets, movement
from kgpath.reproduce.report import plot
from kgpath.reproduce.wikipath.results import MAIN
from kgpath.reproduce.wikipath.study import METHODS, Split, Study, study_of
from kgpath.reproduction import Picture, Reproduction, Request

_STAGES = (
    "candidates\n(title, sentence)",
    "retrieval\n(BM25)",
    "titles linked,\nedges by rule",
    "shortest chain\nfrom the source",
    "sentence, chain,\nresponse",
)


Paint = Callable[[Any], None]


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

    yield plot("wikipath-p1", "From candidates to a response", paint, (9, 2))


def _of_each_split(
    number: str, title: str, painter: Callable[[Study, Split], Paint]
) -> Reproduction:
    """The reproduction that draws one picture for each split."""

    def make(request: Request) -> Iterator[Picture]:
        study = study_of(request)
        for split in study.splits:
            name = f"wikipath-{number}-{split.name}"
            yield plot(name, f"{title}, {split.name}", painter(study, split))

    return make


def _candidates(study: Study, split: Split) -> Paint:
    """How many candidates turns have."""
    sizes = [len(turn.candidates) for turn in split.turns]

    def paint(axes: Any) -> None:
        axes.hist(sizes, bins=range(0, max(sizes) + 6, 5))
        axes.set_xlabel("candidates")
        axes.set_ylabel("turns")

    return paint


def _methods(study: Study, split: Split) -> Paint:
    """The methods by every metric."""
    runs = {method: study.run(split, name) for method, name in METHODS.items()}
    means = {method: [run.mean(m) for m in MAIN] for method, run in runs.items()}

    def paint(axes: Any) -> None:
        for at, (method, values) in enumerate(means.items()):
            axes.bar([x + at / 5 for x in range(len(MAIN))], values, 0.2, label=method)
        axes.set_xticks([x + 0.3 for x in range(len(MAIN))], MAIN, rotation=20)
        axes.legend()

    return paint


def _diversity(study: Study, split: Split) -> Paint:
    """Diversity of titles against the user score, a point for each dialogue."""
    rows = movement(study.run(split, "wikipath"))

    def paint(axes: Any) -> None:
        axes.scatter([row[0] for row in rows], [row[2] for row in rows], s=12, alpha=0.5)
        axes.set_xlabel("distinct titles per turn")
        axes.set_ylabel("user score")

    return paint


def _path_lengths(study: Study, split: Split) -> Paint:
    """How many turns have a chain of each length."""
    outcomes = study.run(split, "wikipath").outcomes
    lengths = Counter(outcome.selection.path_length for outcome in outcomes)
    known = sorted(length for length in lengths if length is not None)

    def paint(axes: Any) -> None:
        names = [*map(str, known), "NoPath"]
        axes.bar(names, [*(lengths[length] for length in known), lengths[None]])
        axes.set_xlabel("path length")
        axes.set_ylabel("turns")

    return paint


def _user_score(study: Study, split: Split) -> Paint:
    """The user score by the length of the chain, where there is one."""
    rows = [b for b in buckets(study.run(split, "wikipath")) if b.length is not None]

    def paint(axes: Any) -> None:
        axes.plot([float(b.length or 0) for b in rows], [b.user for b in rows], marker="o")
        axes.set_xlabel("path length")
        axes.set_ylabel("user score")

    return paint


picture_2 = _of_each_split("p2", "Candidates", _candidates)
picture_3 = _of_each_split("p3", "Methods", _methods)
picture_4 = _of_each_split("p4", "Diversity", _diversity)
picture_5 = _of_each_split("p5", "Path lengths", _path_lengths)
picture_6 = _of_each_split("p6", "User score", _user_score)
