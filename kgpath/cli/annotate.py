"""kgpath annotate: tasks for annotators from linked news, and what their answers agree on."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, print_table, progress, show_problems
from kgpath.cli.own_input import READS, WRITES, WRITES_CARD

if TYPE_CHECKING:
    from kgpath.datasets.annotation.agreement import AnnotatorAnswers

app = typer.Typer(
    help="Tasks for annotators of news, and what they agree on.\n\n"
    "Example: kgpath annotate tasks articles.jsonl.gz --graph film.kg -o wiki-film",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Graph = Annotated[str, typer.Option("--graph", help="A graph file, such as film.kg."), READS]
TaskFile = Annotated[
    str | None,
    typer.Option("--tasks", help="The tasks that were answered, such as one-hop.jsonl."),
    READS,
]


@app.command(cls=opt.Command)
def tasks(
    articles: Annotated[
        str,
        typer.Argument(metavar="ARTICLES", help="Wikinews: a MediaWiki dump or JSON lines."),
        READS,
    ],
    graph: Graph,
    output: Annotated[str, typer.Option("-o", "--output", help="A new folder."), WRITES],
    max_added: Annotated[
        int, typer.Option(min=0, help="Entities that Algorithm 1 may add to a document; 0: none.")
    ] = 3,
    hub_cap: Annotated[
        int, typer.Option(min=0, help="Not by way of entities with more neighbours; 0: of any.")
    ] = 1000,
    answers: Annotated[
        str | None,
        typer.Option(help="One-hop answers: longer paths use only what was accepted."),
        READS,
    ] = None,
    task_file: TaskFile = None,
    max_hops: Annotated[int, typer.Option(min=2, max=6, help="Longest path.")] = 4,
    paths: Annotated[int, typer.Option(min=1, help="How many to choose from in a task.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="For the sentences that are drawn.")] = 0,
    json: opt.AsJson = False,
) -> None:
    """Write one-hop and multi-hop tasks, and the documents they are about.

    Example: kgpath annotate tasks articles.jsonl.gz --graph film.kg -o wiki-film
    """
    import kgpath
    from kgpath.datasets.annotation.network_completion import Completion
    from kgpath.datasets.annotation.news_tasks import accepted_paths, prepare, read_tasks

    if bool(answers) != bool(task_file):
        raise typer.BadParameter("--answers and --tasks belong together")
    accepted = None
    if answers and task_file:
        asked = read_tasks(task_file)
        accepted = accepted_paths(asked, _answers(answers, asked))
    with kgpath.open(graph) as kg, progress() as report:
        completion = Completion(kg, max_added=max_added, hub_cap=hub_cap, seed=seed)
        made = prepare(
            kg, articles, output, completion=completion if max_added else None, accepted=accepted,
            max_hops=max_hops, most_paths=paths, progress=report,
        )  # fmt: skip
    show_problems("Lines left out", made.problems)
    if json:
        print_json({"path": output, "figures": dict(made.figures), "problems": made.problems})
        return
    print_table(("", output), list(made.figures.items()), right=(output,))


@app.command(cls=opt.Command)
def agree(
    answers: Annotated[
        str,
        typer.Argument(metavar="ANSWERS", help="JSON lines of task, annotator and answer."),
        READS,
    ],
    task_file: TaskFile = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Write what was accepted, as queries."),
        WRITES_CARD,
    ] = None,
    json: opt.AsJson = False,
) -> None:
    """What annotators agree on: the answers of a majority, and Fleiss' kappa.

    Example: kgpath annotate agree answers.jsonl --tasks one-hop.jsonl -o queries.jsonl
    """
    from kgpath.datasets.annotation.agreement import agree as agreed
    from kgpath.datasets.annotation.news_tasks import accepted_queries, read_tasks
    from kgpath.datasets.conversion import Conversion, write_conversion

    if output and not task_file:
        raise typer.BadParameter("-o needs --tasks: the queries are made of them")
    asked = read_tasks(task_file) if task_file else None
    given = _answers(answers, asked)
    found = agreed(given, _choices(asked))
    if output and asked:
        made = Conversion("wikinews", accepted_queries(asked, given))
        write_conversion(made, output)
        note(f"{output}: {len(made.records):,} queries")
    if json:
        kappa = None if math.isnan(found.kappa) else found.kappa
        print_json({**asdict(found), "kappa": kappa, "problems": given.problems})
        return
    rows: list[tuple[str, Any]] = [
        ("tasks answered", found.tasks),
        ("answers", found.answers),
        ("annotators", found.annotators),
        ("decided by a majority", len(found.decided)),
        ("unanimous", found.unanimous),
        ("Fleiss' kappa", "–" if math.isnan(found.kappa) else f"{found.kappa:.3f}"),
    ]
    print_table(("", "agreement"), rows, right=("agreement",))
    if found.kappa_left_out:
        note(
            f"Kappa leaves out {found.kappa_left_out:,} tasks with another number of answers "
            "than most."
        )


def _choices(asked: dict[str, dict[str, Any]] | None) -> dict[str, list[str]] | None:
    if asked is None:
        return None
    return {name: task["choices"] for name, task in asked.items()}


def _answers(path: str, asked: dict[str, dict[str, Any]] | None) -> AnnotatorAnswers:
    from kgpath.datasets.annotation.agreement import read_answers

    given = read_answers(path, _choices(asked))
    show_problems("Answers with a problem", given.problems)
    return given
