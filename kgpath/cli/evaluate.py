"""kgpath evaluate: how good are rankers on queries with known answers?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli import options as opt
from kgpath.cli.json_rows import rows_written
from kgpath.cli.output import interruptible, note, print_json, print_table, progress, show_problems
from kgpath.cli.own_input import READS, WRITES
from kgpath.paths import DEFAULT_LIMIT

if TYPE_CHECKING:
    from kgpath.io.queries import QueryFile

DEFAULT = ("random", "shortest", "tfidf-cosine", "zero-shot")


def evaluate(
    graph: opt.GraphFile,
    queries: opt.Queries,
    ranker: Annotated[
        list[str] | None,
        typer.Option(help=f"Again for each; without any: {', '.join(DEFAULT)}."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A trained model beside the rankers; again for each."),
        READS,
    ] = None,
    max_hops: opt.MaxHops = 4,
    limit: opt.RankLimit = DEFAULT_LIMIT,
    candidates: opt.GivenOrFound = "found",
    metric: Annotated[
        list[str] | None, typer.Option(help="Again for each; see: kgpath ls metrics.")
    ] = None,
    path_encoder: Annotated[
        str,
        typer.Option(help="For PED: see kgpath ls path_encoders, or the folder of a model."),
        READS,
    ] = "",
    folds: Annotated[int, typer.Option(min=2, help="For rankers that must be fitted.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="For folds and intervals.")] = 0,
    vectors: opt.Vectors = None,
    base: opt.Base = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Write a JSON line per query and ranker."),
        WRITES,
    ] = None,
    json: opt.AsJson = False,
) -> None:
    """Measure rankers on queries whose true paths are known.

    A query is a JSON line with document, head, tail and path (or paths). Every query counts: a
    true path that is not among the candidates has rank infinity.

    Example: kgpath evaluate film.kg dev.jsonl.gz --ranker shortest --ranker zero-shot
    """
    import kgpath
    from kgpath.io.queries import QueryFile
    from kgpath.learning.evaluate import METRICS, Evaluator, make_rankers
    from kgpath.learning.models import load_model
    from kgpath.learning.report import as_json
    from kgpath.paths.finder import PathOptions

    rankers = make_rankers(ranker or (() if model else DEFAULT), vectors=vectors or "")
    file = QueryFile(queries)
    with (
        interruptible("Nothing was measured to the end, so nothing is shown or written."),
        kgpath.open(graph) as kg,
        rows_written(output) as write,
        progress() as report,
    ):
        trained = {
            folder: load_model(folder, kg, vectors=vectors or "", base=base or "")
            for folder in model or ()
        }
        if path_encoder and not Path(path_encoder).is_dir():
            note(f"PED by {path_encoder}; if it has to learn, it learns now, unless it did before.")
        evaluator = Evaluator(
            kg, file.queries, options=PathOptions(max_hops=max_hops), limit=limit,
            metrics=metric or METRICS, candidates=candidates, path_encoder=path_encoder,
            vectors=vectors or "", base=base or "",
        )  # fmt: skip
        runs = evaluator.run(rankers, trained, folds=folds, seed=seed, progress=report)
        write(runs)
    asked = {"file": file.name, "candidates": candidates, "max_hops": max_hops, "limit": limit}
    data = {"asked": asked, **as_json(runs, seed)}
    _tell(file, evaluator.notes)
    if json:
        print_json({**data, "problems": file.problems, "notes": evaluator.notes})
    else:
        _show(data)


def _show(data: dict[str, Any]) -> None:
    def figure(value: float | None) -> str:
        return "–" if value is None else f"{value:.4f}"

    first = data["rankers"][0]
    metrics = list(first["all"])
    print_table(
        ("ranker", *metrics, *(f"entities {name}" for name in first["entities"])),
        [
            (
                row["ranker"],
                *map(figure, row["all"].values()),
                *map(figure, row["entities"].values()),
            )
            for row in data["rankers"]
        ],
        right=(*metrics, *(f"entities {name}" for name in first["entities"])),
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
                *("{:.4f} – {:.4f}".format(*row["interval"][name]) for name in chosen),
                *(figure(row["with_choice"][name]) for name in chosen),
                _difference(row["difference"]),
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


def _difference(difference: dict[str, Any] | None) -> str:
    if difference is None:
        return "best"
    return (
        f"{difference['metric']} {difference['mean']:+.4f} "
        f"({difference['low']:+.4f} to {difference['high']:+.4f}), p {difference['p']:.4f}"
    )


def _tell(file: QueryFile, notes: list[str]) -> None:
    for problems, what in ((file.problems, "Lines left out"), (notes, "Counted as missed")):
        show_problems(what, problems)
    if file.ignored:
        note(f"Fields without a meaning here: {', '.join(sorted(file.ignored))}.")


COMMANDS = (evaluate,)
