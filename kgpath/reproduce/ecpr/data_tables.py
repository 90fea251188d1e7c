"""Table 2, what the data hold; and sections 9.6 and 9.7, lengths and time."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from statistics import fmean
from typing import Any

from kgpath.datasets.statistics import ROWS, Tally
from kgpath.reproduce.ecpr import printed
from kgpath.reproduce.ecpr.cells import Result
from kgpath.reproduce.ecpr.recipes import RECIPES
from kgpath.reproduce.ecpr.result_tables import about
from kgpath.reproduce.ecpr.runner import study_of
from kgpath.reproduction import Request, Table


def table_2(request: Request) -> Iterator[Table]:
    """Statistics of the dataset, by split; of candidates where they are measured on."""
    study = study_of(request)
    arena = study.arena()
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
    survey = arena.survey
    measured = columns.get(arena.protocol.name) or next(iter(columns.values()))
    total = sum(survey["candidates"])
    measured |= {
        "candidates": fmean(survey["candidates"]),
        "candidate_hops": sum(survey["candidate_hops"]) / total if total else nan,
        "candidate_entities": survey["entities"],
        "candidate_relations": survey["relations"],
        "single": sum(n == 1 for n in survey["candidates"]),
    }
    rows = []
    for key, title, decimals in ROWS:
        if any(key in column for column in columns.values()) or key in printed.DATA:
            own = [_figure(column.get(key), decimals) for column in columns.values()]
            paper = [_figure(value, decimals) for value in printed.DATA.get(key, ("",) * 4)]
            rows.append((title, *own, *paper))
    notes = (
        f"Length counts hops. Candidates of {arena.protocol.name}: {survey['mode']}.",
        *about(arena),
    )
    yield Table(
        "ecpr-t2", "Table 2. The data", ("", *columns, *printed.DATA_COLUMNS), tuple(rows), notes
    )


def _figure(value: object, decimals: int) -> object:
    if not isinstance(value, int | float):
        return ""
    return f"{value:.{decimals}f}" if decimals else int(value)


def lengths_and_time(request: Request) -> Iterator[Table]:
    """Sections 9.6 and 9.7: hops of what is chosen; time of candidates, training and a query."""
    arena = study_of(request).arena()
    lines = RECIPES["ecpr-t6"].lines
    cells = {line: c for line in lines if (c := line.cell(arena.study.settings)) is not None}
    results = arena.results(cells.values(), "ecpr-s9")
    survey = arena.survey
    paper = printed.LENGTHS
    rows: list[tuple[object, ...]] = [
        ("true path: hops", "", fmean(survey["hops"]), paper["true"]),
        ("shortest candidate: hops", "", fmean(survey["shortest"]), paper["shortest"]),
        (
            f"candidates ({survey['mode']}): CPU seconds a pair", "",
            survey["seconds"] / max(len(survey["hops"]), 1), printed.CANDIDATE_SECONDS,
        ),
    ]  # fmt: skip
    for line, cell in cells.items():
        result = results[cell]
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
                printed.TRAINING.get(line.ranker, ""),
            ),
            (
                f"{line.ranker}: CPU milliseconds a query", who, query,
                printed.QUERY.get(line.ranker, ""),
            ),
        ]  # fmt: skip
    notes = (
        "Training and query hold the encoding of texts and paths, unless it was kept from an "
        "earlier cell. In cross-validation, training is that of all folds together.",
        *about(arena),
    )
    yield Table(
        "ecpr-s9", "Sections 9.6 and 9.7. Lengths and time", ("what", "model", "here", "paper"),
        tuple(rows), notes,
    )  # fmt: skip
