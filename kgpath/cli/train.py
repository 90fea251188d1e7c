"""kgpath train: learn to rank paths from queries with known answers."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import interruptible, note, print_json, progress
from kgpath.cli.own_input import READS, WRITES
from kgpath.paths import DEFAULT_LIMIT


def train(
    graph: opt.GraphFile,
    queries: opt.Queries,
    output: Annotated[str, typer.Option("-o", "--output", help="The folder of the model."), WRITES],
    ranker: Annotated[str, typer.Option(help="See: kgpath ls rankers.")] = "kgpath-ltr",
    context_encoder: Annotated[
        str | None, typer.Option(help="For binary and xendcg; see: kgpath ls context_encoders.")
    ] = None,
    path_encoder: Annotated[
        str | None, typer.Option(help="For binary and xendcg; see: kgpath ls path_encoders.")
    ] = None,
    max_hops: opt.MaxHops = 4,
    limit: opt.RankLimit = DEFAULT_LIMIT,
    candidates: opt.GivenOrFound = "found",
    seed: Annotated[int, typer.Option(help="For all that is drawn at random.")] = 0,
    vectors: opt.Vectors = None,
    also: Annotated[
        tuple[str, str],
        typer.Option(
            metavar="GRAPH QUERIES",
            show_default=False,
            help="Learn from another graph and its queries, too: one model for both.",
        ),
        READS,
    ] = ("", ""),
    json: opt.AsJson = False,
) -> None:
    """Train a ranker on queries whose true paths are known.

    Example: kgpath train film.kg train.jsonl.gz -o model

    Example: kgpath train film.kg film.jsonl --also music.kg music.jsonl -o model
    """
    import kgpath
    from kgpath.io.queries import QueryFile
    from kgpath.learning.train import train as train_ranker

    graphs, asked = [graph], [queries]
    if also != ("", ""):
        graphs.append(also[0])
        asked.append(also[1])
    files = list(map(QueryFile, asked))
    with ExitStack() as opened, interruptible(_stopped(output)), progress() as report:
        kg, *others = (opened.enter_context(kgpath.open(name)) for name in graphs)
        first, *more = (file.queries for file in files)
        trained = train_ranker(
            kg, first, output, ranker=ranker, context_encoder=context_encoder,
            path_encoder=path_encoder, vectors=vectors, max_hops=max_hops, limit=limit,
            candidates=candidates, seed=seed,
            also=list(zip(others, more, strict=True)), progress=report,
        )  # fmt: skip
    problems = [problem for file in files for problem in file.problems]
    for problem in (*problems, *trained.notes):
        note(problem)
    if json:
        print_json({**trained._asdict(), "path": str(trained.path), "problems": problems})
        return
    print(
        f"{trained.path}: {trained.ranker}, from {trained.examples:,} of {trained.queries:,} "
        f"queries in {trained.seconds:.0f} s"
    )
    for name, figures in trained.report.items():
        said = figures.items() if isinstance(figures, dict) else ()
        if said:
            note(f"{name}: {', '.join(f'{key} {value}' for key, value in said)}")
    note(f"Ask with it: kgpath query {graph} HEAD TAIL --context FILE --model {trained.path}")


def _stopped(output: str) -> str:
    """What is left of a training that was interrupted."""
    from kgpath.io.cache import cache_enabled

    said = f"{output} was not written. The same command begins again"
    if not cache_enabled():
        return f"{said}: KGPATH_USE_CACHE=0 keeps nothing."
    return f"{said}, but its encoders go on where they were: what they learned and made is cached."


COMMANDS = (train,)
