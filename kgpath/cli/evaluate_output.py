"""What kgpath evaluate prints for people: rankings, verdicts, evidence, a table each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgpath.cli.output import note, print_table
from kgpath.learning.evidence import counted

#: What is said of verdicts: key of the report, column.
_SUPPORT = (
    ("AUC", "AUC"),
    ("AUC_interval", "AUC, 95 %"),
    ("calibration_error", "calibration error"),
    ("told_relevant", "told: relevant"),
    ("untold_relevant", "untold: relevant"),
    ("untold_doubtful", "untold: doubtful"),
    ("untold_kept", "untold at 90 % of told"),
)
_EVIDENCE = (
    ("P", "evidence P"),
    ("R", "evidence R"),
    ("F1", "evidence F1"),
    ("F1_interval", "F1, 95 %"),
)


def show(data: dict[str, Any]) -> None:
    """Print what a report says."""
    if data["queries"]:
        _rankings(data)
    if data["untold"]:
        print("\n" * bool(data["queries"]), end="")
        _table(_SUPPORT, [(row["ranker"], row["support"]) for row in data["rankers"]])
        _explain_verdicts(data)
    if "evidence" in data["rankers"][0]:
        print()
        _table(_EVIDENCE, [(row["ranker"], row["evidence"]) for row in data["rankers"]])


def _rankings(data: dict[str, Any]) -> None:
    first = data["rankers"][0]
    metrics = list(first["all"])
    merged = [called for called in ("entities", "same") if called in first]
    names = (*metrics, *(f"{called} {name}" for called in merged for name in first[called]))
    print_table(
        ("ranker", *names),
        [
            (
                row["ranker"],
                *map(_figure, row["all"].values()),
                *(_figure(value) for called in merged for value in row[called].values()),
            )
            for row in data["rankers"]
        ],
        right=names,
    )
    print()
    chosen = [name for name in ("MRR", "Hits@1") if name in metrics] or metrics[:1]
    columns = [f"{name}, 95 %" for name in chosen]
    print_table(
        (
            "ranker",
            *columns,
            *(f"{name} with a choice" for name in chosen),
            "difference to the best",
        ),
        [
            (
                row["ranker"],
                *(_figure(row["interval"][name]) for name in chosen),
                *(_figure(row["with_choice"][name]) for name in chosen),
                _difference(row, data["rankers"]),
            )
            for row in data["rankers"]
        ],
        right=(*columns, *(f"{name} with a choice" for name in chosen)),
    )
    note(
        f"Queries: {data['queries']:,} over {data['documents']:,} documents, with "
        f"{data['candidates']:.1f} candidates on average; {data['single']:,} with only one, "
        "which 'with a choice' leaves out. Intervals and p are by document."
    )
    if "same" in merged:
        note("'same': relations that mean the same count as one (kgpath info --same-relations).")


def _explain_verdicts(data: dict[str, Any]) -> None:
    said = f"Untold: {counted(data['untold'], 'question')} whose text tells no path"
    if not data["queries"]:
        note(f"{said}. None is told: there is nothing to rank, and AUC is not defined.")
        return
    note(
        f"{said}. AUC: how often a told one has the higher support of its first path. "
        "Calibration error: how far this support is from the share of first paths that are true. "
        "'at 90 % of told': the untold ones above the threshold that keeps 90 % of the told."
    )


def _table(columns: Sequence[tuple[str, str]], rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
    names = [name for _, name in columns]
    print_table(
        ("ranker", *names),
        [(ranker, *(_figure(row[key]) for key, _ in columns)) for ranker, row in rows],
        right=names,
    )


def _figure(value: float | Sequence[float] | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float | int) else "{:.4f} – {:.4f}".format(*value)


def _difference(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    difference = row["difference"]
    if difference is None:
        # Of metrics that not every query has, two rankers may have nothing to compare.
        to_it = any(other["difference"] for other in rows if other is not row)
        return "best" if to_it or len(rows) == 1 else "–"
    return (
        f"{difference['metric']} {difference['mean']:+.4f} "
        f"({difference['low']:+.4f} to {difference['high']:+.4f}), p {difference['p']:.4f}"
    )
