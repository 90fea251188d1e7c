"""Table 2, what the data hold; and sections 9.6 and 9.7, lengths and time."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from statistics import fmean
from typing import Any

from kgpath.datasets.statistics import ROWS, Tally
from kgpath.reproduce.ecpr import published_figures as published
from kgpath.reproduce.ecpr.experiments import Result
from kgpath.reproduce.ecpr.result_tables import about
from kgpath.reproduce.ecpr.study import study_of
from kgpath.reproduce.ecpr.table_definitions import TABLES, experiments_of
from kgpath.reproduction import Request, Table


def table_2(request: Request) -> Iterator[Table]:
    """Statistics of the dataset, by split; of candidates where they are measured on."""
    study = study_of(request)
    benchmark = study.benchmark()
    splits = {
        **study.data.splits,
        **({"all": study.data.all} if len(study.data.splits) > 1 else {}),
    }
    columns: dict[str, dict[str, Any]] = {}
    for name, queries in splits.items():
        tally = Tally()
        for query in queries:
            tally.add(query, {})
        columns[name] = {
            **tally.figures(),
            "graph_entities": len(study.graph),
            "graph_relations": len(study.graph.relations()),
        }
    statistics = benchmark.statistics
    measured = columns.get(benchmark.protocol.name) or next(iter(columns.values()))
    total = sum(statistics["candidates"])
    measured |= {
        "candidates": fmean(statistics["candidates"]),
        "candidate_hops": sum(statistics["candidate_hops"]) / total if total else nan,
        "candidate_entities": statistics["entities"],
        "candidate_relations": statistics["relations"],
        "single": sum(n == 1 for n in statistics["candidates"]),
    }
    rows = []
    for key, title, decimals in ROWS:
        if any(key in column for column in columns.values()) or key in published.DATA:
            own = [_figure(column.get(key), decimals) for column in columns.values()]
            paper = [_figure(value, decimals) for value in published.DATA.get(key, ("",) * 4)]
            rows.append((title, *own, *paper))
    notes = (
        f"Length counts hops. Candidates of {benchmark.protocol.name}: {statistics['mode']}.",
        *about(benchmark),
    )
    yield Table(
        "ecpr-t2", "Table 2. The data", ("", *columns, *published.DATA_COLUMNS), tuple(rows), notes
    )


def _figure(value: object, decimals: int) -> object:
    if not isinstance(value, int | float):
        return ""
    return f"{value:.{decimals}f}" if decimals else int(value)


def lengths_and_time(request: Request) -> Iterator[Table]:
    """Sections 9.6 and 9.7: hops of what is chosen; time of candidates, training and a query."""
    benchmark = study_of(request).benchmark()
    experiments = experiments_of(TABLES["ecpr-t6"].lines, benchmark.study.settings)
    results = benchmark.results(experiments.values(), "ecpr-s9")
    statistics = benchmark.statistics
    paper = published.LENGTHS
    rows: list[tuple[object, ...]] = [
        ("true path: hops", "", fmean(statistics["hops"]), paper["true"]),
        ("shortest candidate: hops", "", fmean(statistics["shortest"]), paper["shortest"]),
        (
            f"candidates ({statistics['mode']}): CPU seconds a pair", "",
            statistics["seconds"] / max(len(statistics["hops"]), 1), published.CANDIDATE_SECONDS,
        ),
    ]  # fmt: skip
    for line, experiment in experiments.items():
        result = results[experiment]
        who = " ".join(filter(None, line))
        if not isinstance(result, Result):
            rows.append((f"{line.ranker}: training", who, result.why, ""))
            continue
        first = paper["first"] if (line.name, line.ranker) == ("kepler", "ltr") else ""
        query = 1000 * result.seconds["score"] / max(len(result.hops), 1)
        rows += [
            ("path ranked first: hops", who, fmean(result.hops), first),
            ("context encoder: CPU seconds to learn", who, result.seconds["learning"], ""),
            (
                f"{line.ranker}: CPU seconds to train", who, result.seconds["fit"],
                published.TRAINING.get(line.ranker, ""),
            ),
            (
                f"{line.ranker}: CPU milliseconds a query", who, query,
                published.QUERY.get(line.ranker, ""),
            ),
        ]  # fmt: skip
    notes = (
        "Training and query hold the encoding of texts and paths, unless it was cached by an "
        "earlier experiment. In cross-validation, training is that of all folds together.",
        *about(benchmark),
    )
    yield Table(
        "ecpr-s9", "Sections 9.6 and 9.7. Lengths and time", ("what", "model", "here", "paper"),
        tuple(rows), notes,
    )  # fmt: skip
