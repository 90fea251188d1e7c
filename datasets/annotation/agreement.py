"""What annotators agree on: the answer of a majority, and Fleiss' kappa over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kgpath.datasets.annotation.tasks import NO, NONE
from kgpath.errors import BadSource
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json


def fleiss_kappa(table: ArrayLike) -> float:
    """Agreement beyond chance (Fleiss 1971), from how many gave each item each answer.

    One row an item, one column an answer; every row has the same sum. 1 is full agreement, 0 what
    chance gives; NaN where all answers are the same one, so that there is nothing to correct for.

    >>> round(fleiss_kappa([[3, 0], [0, 3], [2, 1]]), 3)
    0.55
    """
    counts: NDArray[np.float64] = np.asarray(table, dtype=np.float64)
    raters = counts.sum(axis=1)
    if counts.ndim != 2 or not len(counts) or raters[0] < 2 or (raters != raters[0]).any():
        raise ValueError("every item needs the same number of answers, two or more")
    n = raters[0]
    observed = ((counts**2).sum(axis=1) - n) / (n * (n - 1))
    expected = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return float((observed.mean() - expected) / (1 - expected)) if expected < 1 else float("nan")


def majority(answers: Iterable[str]) -> str | None:
    """The answer of more than half, and of at least two (two of three); None if there is none.

    >>> majority(["yes", "no", "yes"]), majority(["yes"]), majority(["1", "2"])
    ('yes', None, None)
    """
    votes = Counter(answers)
    if not votes:
        return None
    answer, most = votes.most_common(1)[0]
    return answer if most > 1 and 2 * most > votes.total() else None


@dataclass(frozen=True)
class AnnotatorAnswers:
    """Who answered what to each task, and what could not be used."""

    by_task: dict[str, dict[str, str]]
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Agreement:
    """What annotators agreed on. ``kappa`` is over the tasks with the usual number of answers."""

    tasks: int
    answers: int
    annotators: int
    decided: dict[str, str]
    unanimous: int
    kappa: float
    kappa_items: int
    kappa_left_out: int


def read_answers(
    path: str | Path, choices: Mapping[str, Sequence[str]] | None = None
) -> AnnotatorAnswers:
    """Answers from JSON lines with ``task``, ``annotator`` and ``answer``; the last one counts.

    ``choices`` are the answers each task allows, where the tasks are known.
    """
    name = "standard input" if str(path) == "-" else Path(path).name
    by_task: dict[str, dict[str, str]] = {}
    problems: list[str] = []

    def bad(number: int, reason: str) -> None:
        problems.append(f"{name}:{number}: {reason}")

    for number, line in enumerate(read_lines(path, bad), 1):
        if not line.strip():
            continue
        try:
            task, annotator, answer = _answer(from_json(line))
            if choices is not None and task not in choices:
                raise ValueError(f"there is no task {task}")
            if choices is not None and answer not in choices[task]:
                raise ValueError(f"{answer!r} is none of: {', '.join(choices[task])}")
        except ValueError as error:
            bad(number, str(error))
            continue
        given = by_task.setdefault(task, {})
        if given.get(annotator, answer) != answer:
            problems.append(f"{name}:{number}: {annotator} answered {task} before; this one counts")
        given[annotator] = answer
    if not by_task:
        first = f" First problem: {problems[0]}" if problems else ""
        raise BadSource(
            f"{name} holds no answer. Write one JSON object a line, with task, annotator and "
            f"answer.{first}"
        )
    return AnnotatorAnswers(by_task, problems)


def _answer(data: Any) -> tuple[str, str, str]:
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    values = [data.get(name) for name in ("task", "annotator", "answer")]
    missing = [
        name
        for name, value in zip(("task", "annotator", "answer"), values, strict=True)
        if value is None or not str(value).strip()
    ]
    if missing:
        raise ValueError(f"no {' and no '.join(missing)}")
    task, annotator, answer = (str(value).strip() for value in values)
    return task, annotator, answer


def agree(
    answers: AnnotatorAnswers, choices: Mapping[str, Sequence[str]] | None = None
) -> Agreement:
    """What was decided, and how well people agree.

    An answer that is the number of a path means another thing in every task. So where ``choices``
    are known, kappa asks of each path offered whether it was chosen or not.
    """
    by_task = answers.by_task
    decided = {task: said for task in sorted(by_task) if (said := majority(by_task[task].values()))}
    sizes = Counter(len(given) for given in by_task.values())
    usual = max(sizes, key=lambda size: (sizes[size], size))
    rows: list[list[int]] = []
    kinds = sorted({answer for given in by_task.values() for answer in given.values()})
    for task in sorted(by_task):
        votes = Counter(by_task[task].values())
        if votes.total() != usual:
            continue
        if choices is None:
            rows.append([votes[kind] for kind in kinds])
        else:
            offered = [choice for choice in choices[task] if choice not in (NO, NONE)]
            rows += [[votes[choice], usual - votes[choice]] for choice in offered]
    return Agreement(
        tasks=len(by_task),
        answers=sum(map(len, by_task.values())),
        annotators=len({who for given in by_task.values() for who in given}),
        decided=decided,
        unanimous=sum(len(g) > 1 and len(set(g.values())) == 1 for g in by_task.values()),
        kappa=fleiss_kappa(rows) if usual > 1 else float("nan"),
        kappa_items=len(rows),
        kappa_left_out=len(by_task) - sizes[usual],
    )
