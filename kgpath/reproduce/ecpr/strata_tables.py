"""Tables 10 to 12: two models on queries that are hard and easy, and how the figures change.

The paper learns from Wiki-film and measures on Synthetic (S): ``--set train=FILE``. Without it,
folds by document over the whole dataset, so that every stratum is measured in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from statistics import fmean
from typing import Any, NamedTuple

from kgpath.metrics import bootstrap
from kgpath.reproduce.ecpr.experiments import Failed, Result
from kgpath.reproduce.ecpr.pictures import by_group
from kgpath.reproduce.ecpr.published_figures import STRATA
from kgpath.reproduce.ecpr.result_tables import about
from kgpath.reproduce.ecpr.strata import Stratum, stratum
from kgpath.reproduce.ecpr.study import study_of
from kgpath.reproduce.ecpr.table_definitions import Line, experiments_of
from kgpath.reproduction import Picture, Reproduction, Request, Table

LINES = (
    Line("random"),
    Line("avg-wiki2vec", "window", "ltr"),
    Line("kepler", "window", "ltr"),
    Line("minilm", "window", "ltr"),
)
METRICS = ("MRR", "Hits@1")


class StrataTable(NamedTuple):
    """A table over sets of queries, and a picture of all queries by ``figure``."""

    title: str
    sets: dict[str, str]
    #: What the last columns show: how the second set differs from the first, or all from chance.
    against: str
    figure: str
    axis: str


_TABLES = {
    "t10": StrataTable(
        "Table 10. Candidates that are alike (A) and apart (B)",
        {"A": "alike", "B": "apart"}, "A", "spread", "PED of candidates, two by two",
    ),
    "t11": StrataTable(
        "Table 11. Many candidates (A) and few (B)",
        {"A": "many-candidates", "B": "few-candidates"}, "random", "candidates", "candidates",
    ),
    "t12": StrataTable(
        "Table 12. Long true paths (A), short ones (B), long ones not all named (A')",
        {"A": "long", "B": "short", "A'": "long-unnamed"}, "A", "hops", "hops of the true path",
    ),
}  # fmt: skip


def _table(name: str) -> Reproduction:
    """The reproduction that makes a table of this name."""

    def make(request: Request) -> Iterator[Table | Picture]:
        return _made(request, name, _TABLES[name])

    return make


table_10, table_11, table_12 = _table("t10"), _table("t11"), _table("t12")


def _made(request: Request, name: str, table: StrataTable) -> Iterator[Table | Picture]:
    study = study_of(request)
    benchmark = study.benchmark(strata=True)
    experiments = experiments_of(LINES, study.settings)
    results = benchmark.results(experiments.values(), f"ecpr-{name}")
    statistics = benchmark.statistics
    ids = [query.id for query in benchmark.protocol.measured]
    sets = {
        letter: stratum(chosen, ids, study.data.strata, statistics)
        for letter, chosen in table.sets.items()
    }
    others = [letter for letter in sets if letter != table.against]
    columns = (
        "model", "figures", *(f"{letter} {metric}" for letter in sets for metric in METRICS),
        *(_difference(table, letter, metric) for letter in others for metric in METRICS),
    )  # fmt: skip
    done = {
        line: r
        for line, experiment in experiments.items()
        if isinstance(r := results[experiment], Result)
    }
    figures = {line: _figures(done[line], sets.values()) for line in done}
    chance = figures.get(LINES[0], {})
    rows: list[tuple[object, ...]] = []
    for line, experiment in experiments.items():
        result = results[experiment]
        if isinstance(result, Failed):
            rows.append((line.name, "here", result.why, *[""] * (len(columns) - 3)))
        else:
            rows.append((line.name, "here", *_row(table, sets, figures[line], chance)))
        if line.name in STRATA[name]:
            printed = _paper(name, line.name, sets)
            by_chance = _paper(name, "random", sets)
            rows.append((line.name, "paper", *_row(table, sets, printed, by_chance)))
    notes = [*about(benchmark), *(_said(letter, one, statistics) for letter, one in sets.items())]
    notes += _intervals(done, sets, request.seed)
    yield Table(f"ecpr-{name}", table.title, columns, tuple(rows), tuple(notes))
    shown = {line.name: result for line, result in done.items()}
    groups = _groups(statistics[table.figure])
    if shown and groups:
        title = f"MRR by {table.axis}"
        yield by_group(f"ecpr-{name}", title, table.axis, groups, shown, request.seed)


Figures = dict[tuple[int, str], float]


def _figures(result: Result, sets: Any) -> Figures:
    """The mean of both metrics over each set."""
    return {
        (at, metric): fmean(result.evaluation[metric][p] for p in one.places) if one.places else nan
        for at, one in enumerate(sets)
        for metric in METRICS
    }


def _paper(name: str, model: str, sets: dict[str, Stratum]) -> Figures:
    numbers = iter(STRATA[name].get(model, ()))
    return {(at, m): next(numbers, nan) for at in range(len(sets)) for m in METRICS}


def _row(
    table: StrataTable, sets: dict[str, Stratum], own: Figures, chance: Figures
) -> Iterator[float]:
    yield from own.values()
    letters = list(sets)
    for at, letter in enumerate(letters):
        if letter != table.against:
            for metric in METRICS:
                base = chance.get((at, metric), nan)
                if table.against in letters:
                    base = own[letters.index(table.against), metric]
                yield own[at, metric] - base


def _difference(table: StrataTable, letter: str, metric: str) -> str:
    chance = table.against == "random"
    return f"{letter} {metric} − chance" if chance else f"{letter} − {table.against} {metric}"


def _said(letter: str, one: Stratum, statistics: dict[str, Any]) -> str:
    if not one.places:
        return f"{letter}: no query ({one.said})."
    candidates = fmean(statistics["candidates"][at] for at in one.places)
    hops = fmean(statistics["hops"][at] for at in one.places)
    spreads = [s for at in one.places if (s := statistics["spread"][at]) is not None]
    spread = f", PED of candidates {fmean(spreads):.3f}" if spreads else ""
    return (
        f"{letter}: {len(one.places):,} queries ({one.said}); {candidates:.2f} candidates, "
        f"{hops:.2f} hops on average{spread}."
    )


def _intervals(done: dict[Line, Result], sets: dict[str, Stratum], seed: int) -> Iterator[str]:
    """How sure the figures are: sets are small."""
    for line, result in done.items():
        found = result.evaluation
        said = []
        for letter, one in sets.items():
            if one.places:
                values = [found["MRR"][at] for at in one.places]
                groups = [found.groups[at] for at in one.places]
                said.append("{} {:.3f} – {:.3f}".format(
                    letter, *bootstrap(values, groups, seed=seed)[1:]
                ))  # fmt: skip
        yield f"MRR of {line.name}, 95 % by document: {', '.join(said)}."


def _groups(values: Sequence[float | None]) -> list[tuple[str, list[int]]]:
    """The queries by whole numbers if these are few, else in five groups of equal size."""
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
