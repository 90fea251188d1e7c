"""Tables 10 to 12: two models on questions that are hard and easy, and how the figures change.

The paper learns from Wiki-film and measures on Synthetic (S): ``--set train=FILE``. Without it,
folds by document over the whole dataset, so that every stratum is measured in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from statistics import fmean
from typing import Any, NamedTuple

from kgpath.metrics import bootstrap
from kgpath.reproduce.ecpr.cells import Failed, Result
from kgpath.reproduce.ecpr.pictures import by_group
from kgpath.reproduce.ecpr.printed import STRATA
from kgpath.reproduce.ecpr.recipes import Line
from kgpath.reproduce.ecpr.result_tables import about
from kgpath.reproduce.ecpr.runner import study_of
from kgpath.reproduce.ecpr.strata import Stratum, stratum
from kgpath.reproduction import Picture, Request, Table

LINES = (
    Line("random"),
    Line("avg-wiki2vec", "window", "ltr"),
    Line("kepler", "window", "ltr"),
    Line("minilm", "window", "ltr"),
)
METRICS = ("MRR", "Hits@1")


class StrataRecipe(NamedTuple):
    """A table over sets of questions, and a picture of all questions by ``figure``."""

    name: str
    title: str
    sets: dict[str, str]
    #: What the last columns tell: how the second set differs from the first, or all from chance.
    against: str
    figure: str
    label: str


_T10 = StrataRecipe(
    "t10", "Table 10. Candidates that are alike (A) and apart (B)",
    {"A": "alike", "B": "apart"}, "A", "spread", "PED of candidates, two by two",
)  # fmt: skip
_T11 = StrataRecipe(
    "t11", "Table 11. Many candidates (A) and few (B)",
    {"A": "many-candidates", "B": "few-candidates"}, "random", "candidates", "candidates",
)  # fmt: skip
_T12 = StrataRecipe(
    "t12", "Table 12. Long true paths (A), short ones (B), long ones not all named (A')",
    {"A": "long", "B": "short", "A'": "long-unnamed"}, "A", "hops", "hops of the true path",
)  # fmt: skip


def table_10(request: Request) -> Iterator[Table | Picture]:
    """Candidates alike and apart."""
    yield from _made(request, _T10)


def table_11(request: Request) -> Iterator[Table | Picture]:
    """Many candidates and few."""
    yield from _made(request, _T11)


def table_12(request: Request) -> Iterator[Table | Picture]:
    """Long and short true paths."""
    yield from _made(request, _T12)


def _made(request: Request, recipe: StrataRecipe) -> Iterator[Table | Picture]:
    study = study_of(request)
    arena = study.arena(strata=True)
    cells = {line: cell for line in LINES if (cell := line.cell(study.settings)) is not None}
    results = arena.results(cells.values(), f"ecpr-{recipe.name}")
    survey = arena.survey
    ids = [query.id for query in arena.protocol.measured]
    sets = {
        letter: stratum(name, ids, study.data.strata, survey)
        for letter, name in recipe.sets.items()
    }
    others = [letter for letter in sets if letter != recipe.against]
    columns = (
        "model", "figures", *(f"{letter} {metric}" for letter in sets for metric in METRICS),
        *(_difference(recipe, letter, metric) for letter in others for metric in METRICS),
    )  # fmt: skip
    done = {line: r for line, cell in cells.items() if isinstance(r := results[cell], Result)}
    figures = {line: _figures(done[line], sets.values()) for line in done}
    chance = figures.get(LINES[0], {})
    rows: list[tuple[object, ...]] = []
    for line, cell in cells.items():
        result = results[cell]
        if isinstance(result, Failed):
            rows.append((line.name, "here", result.why, *[""] * (len(columns) - 3)))
        else:
            rows.append((line.name, "here", *_row(recipe, sets, figures[line], chance)))
        if line.name in STRATA[recipe.name]:
            printed = _paper(recipe.name, line.name, sets)
            by_chance = _paper(recipe.name, "random", sets)
            rows.append((line.name, "paper", *_row(recipe, sets, printed, by_chance)))
    notes = [*about(arena), *(_said(letter, one, survey) for letter, one in sets.items())]
    notes += _intervals(done, sets, request.seed)
    yield Table(f"ecpr-{recipe.name}", recipe.title, columns, tuple(rows), tuple(notes))
    shown = {line.name: result for line, result in done.items()}
    groups = _groups(survey[recipe.figure])
    if shown and groups:
        title = f"MRR by {recipe.label}"
        yield by_group(f"ecpr-{recipe.name}", title, recipe.label, groups, shown, request.seed)


Figures = dict[tuple[int, str], float]


def _figures(result: Result, sets: Any) -> Figures:
    """The mean of both metrics over each set."""
    return {
        (at, metric): fmean(result.evaluation[metric][p] for p in one.places) if one.places else nan
        for at, one in enumerate(sets)
        for metric in METRICS
    }


def _paper(table: str, model: str, sets: dict[str, Stratum]) -> Figures:
    numbers = iter(STRATA[table].get(model, ()))
    return {(at, m): next(numbers, nan) for at in range(len(sets)) for m in METRICS}


def _row(
    recipe: StrataRecipe, sets: dict[str, Stratum], own: Figures, chance: Figures
) -> Iterator[float]:
    yield from own.values()
    letters = list(sets)
    for at, letter in enumerate(letters):
        if letter != recipe.against:
            for metric in METRICS:
                base = chance.get((at, metric), nan)
                if recipe.against in letters:
                    base = own[letters.index(recipe.against), metric]
                yield own[at, metric] - base


def _difference(recipe: StrataRecipe, letter: str, metric: str) -> str:
    chance = recipe.against == "random"
    return f"{letter} {metric} − chance" if chance else f"{letter} − {recipe.against} {metric}"


def _said(letter: str, one: Stratum, survey: dict[str, Any]) -> str:
    if not one.places:
        return f"{letter}: no question ({one.said})."
    candidates = fmean(survey["candidates"][at] for at in one.places)
    hops = fmean(survey["hops"][at] for at in one.places)
    spreads = [s for at in one.places if (s := survey["spread"][at]) is not None]
    spread = f", PED of candidates {fmean(spreads):.3f}" if spreads else ""
    return (
        f"{letter}: {len(one.places):,} questions ({one.said}); {candidates:.2f} candidates, "
        f"{hops:.2f} hops on average{spread}."
    )


def _intervals(done: dict[Line, Result], sets: dict[str, Stratum], seed: int) -> Iterator[str]:
    """How sure the figures are: sets are small."""
    for line, result in done.items():
        found = result.evaluation
        told = []
        for letter, one in sets.items():
            if one.places:
                values = [found["MRR"][at] for at in one.places]
                groups = [found.groups[at] for at in one.places]
                told.append("{} {:.3f} – {:.3f}".format(
                    letter, *bootstrap(values, groups, seed=seed)[1:]
                ))  # fmt: skip
        yield f"MRR of {line.name}, 95 % by document: {', '.join(told)}."


def _groups(values: Sequence[float | None]) -> list[tuple[str, list[int]]]:
    """The questions by whole numbers if these are few, else in five groups of equal size."""
    known = [(value, at) for at, value in enumerate(values) if value is not None]
    numbers = sorted({value for value, _ in known})
    if not numbers:
        return []
    say: Callable[[float], str] = lambda value: f"{value:.2f}".rstrip("0").rstrip(".")  # noqa: E731
    if len(numbers) <= 6:
        return [(say(n), [at for value, at in known if value == n]) for n in numbers]
    known.sort()
    groups = []
    for fifth in range(5):
        part = known[len(known) * fifth // 5 : len(known) * (fifth + 1) // 5]
        if part:
            low, high = say(part[0][0]), say(part[-1][0])
            groups.append((f"{low}–{high}", [at for _, at in part]))
    return groups
