"""What a dataset of contextual paths holds, file by file and as a whole, with the graph's size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.datasets.statistics import Tally, files_of, tally_of, together
from kgpath.datasets.synthetic.card import ABOUT
from kgpath.errors import BadSource
from kgpath.graph import open_graph
from kgpath.io.progress import Progress, silent

Figures = dict[str, dict[str, Any]]


class Description(NamedTuple):
    """Figures by split, those of all first; and the lines that could not be read."""

    figures: Figures
    problems: list[str]


def describe(
    dataset: str | Path, graph: str | None = None, progress: Progress = silent
) -> Description:
    """The figures of a folder or file; the graph's size is that of ``graph``, or of its notes."""
    files = files_of(dataset)
    problems: list[str] = []
    tallies = {name: _tally(name, path, problems, progress) for name, path in files.items()}
    if not any(tally.pairs for tally in tallies.values()):
        first = f" First problem: {problems[0]}" if problems else ""
        raise BadSource(
            f"{', '.join(path.name for path in files.values())}: no query there. Write one JSON "
            f"object a line, with document, head, tail and path.{first}"
        )
    figures = {"all": together(tallies.values()).figures()}
    if len(files) > 1:
        figures |= {name: tally.figures() for name, tally in tallies.items()}
    size = _noted_size(Path(dataset)) if graph is None else _size_of(graph)
    return Description({name: {**column, **size} for name, column in figures.items()}, problems)


def _tally(name: str, path: Path, problems: list[str], progress: Progress) -> Tally:
    done = 0

    def counted(start: int, query: object, record: object) -> None:
        nonlocal done
        done += 1
        progress(f"reading {name}", done, 0)

    return tally_of(path, problems, counted)


def _size_of(graph: str) -> Mapping[str, int]:
    with open_graph(graph) as kg:
        return {"graph_entities": len(kg), "graph_relations": len(kg.relations())}


def _noted_size(dataset: Path) -> Mapping[str, int]:
    """The size of the graph that a dataset was generated from, where its own notes say it."""
    try:
        known = json.loads((dataset / ABOUT).read_text("utf-8"))["figures"]["all"]
        return {key: known[key] for key in ("graph_entities", "graph_relations")}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
