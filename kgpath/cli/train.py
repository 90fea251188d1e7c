"""kgpath train: learn to rank paths, from queries with known answers or from texts without."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.json_rows import rows_written
from kgpath.cli.output import interruptible, note, print_json, progress
from kgpath.cli.own_input import READS, WRITES, Writes
from kgpath.paths import DEFAULT_LIMIT

if TYPE_CHECKING:
    from kgpath.learning.train import Trained


def train(
    graph: opt.GraphFile,
    queries: Annotated[
        str | None,
        typer.Argument(
            metavar="[QUERIES]",
            help="JSON lines with known answers, plain or .gz; - for stdin.",
            show_default=False,
        ),
        READS,
    ] = None,
    *,
    output: Annotated[str, typer.Option("-o", "--output", help="The folder of the model."), WRITES],
    ranker: Annotated[
        str | None,
        typer.Option(
            help="See: kgpath ls rankers. Mostly kgpath-ltr; kgpath-general from texts.",
            show_default=False,
        ),
    ] = None,
    texts: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|FILE",
            help="Texts without answers: a folder, or JSON lines with text.",
        ),
        READS,
    ] = None,
    teacher: Annotated[
        str, typer.Option(help="The ranker that answers the texts first.", show_default=False)
    ] = "",
    start: Annotated[
        str | None, typer.Option("--from", metavar="MODEL", help="Go on from this model."), READS
    ] = None,
    answered: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write down what the texts were asked and answered."),
        Writes("--answered"),
    ] = None,
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
    """Train a ranker on queries with answers, or on texts without.

    Example: kgpath train film.kg train.jsonl.gz -o model

    Example: kgpath train film.kg --texts news/ -o model

    Example: kgpath train film.kg film.jsonl --also music.kg music.jsonl -o model
    """
    import kgpath
    from kgpath.errors import BadOption
    from kgpath.io.queries import QueryFile
    from kgpath.learning.train import train as train_ranker

    files = [] if queries is None else [QueryFile(queries)]
    graphs = [graph]
    if also != ("", ""):
        graphs.append(also[0])
        files.append(QueryFile(also[1]))
    if answered is not None and texts is None:
        raise BadOption("--answered writes what texts were answered: give --texts, too.")
    with (
        ExitStack() as opened, interruptible(_stopped(output)), rows_written(answered) as write,
        progress() as report,
    ):  # fmt: skip
        kg, *others = (opened.enter_context(kgpath.open(name)) for name in graphs)
        own = None if queries is None else files[0].queries
        trained = train_ranker(
            kg, own, output, ranker=ranker, texts=texts, teacher=teacher, start=start,
            context_encoder=context_encoder, path_encoder=path_encoder, vectors=vectors,
            max_hops=max_hops, limit=limit, candidates=candidates, seed=seed,
            also=[(one, files[-1].queries) for one in others], progress=report,
        )  # fmt: skip
        write([trained])
    problems = [problem for file in files for problem in file.problems]
    for problem in (*problems, *trained.notes):
        note(problem)
    if json:
        about = {**trained._asdict(), "path": str(trained.path), "problems": problems}
        print_json({**about, "answered": len(trained.answered)})
        return
    _show(trained, graph)


def _show(trained: Trained, graph: str) -> None:
    """What was learned, from how much, and how to ask with it."""
    asked, texts = f"{trained.queries:,} queries", trained.report.get("texts")
    if texts:
        number = texts["asked"] + trained.queries
        asked = f"{number:,} questions that {texts['texts']:,} texts ask"
        asked += f", {trained.queries:,} of them with answers" if trained.queries else ""
    print(
        f"{trained.path}: {trained.ranker}, from {trained.examples:,} of {asked} in "
        f"{trained.seconds:.0f} s"
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
