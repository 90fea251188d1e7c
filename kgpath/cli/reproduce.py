"""kgpath reproduce: tables and pictures of papers, made again from the user's own files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import interruptible, note, print_json, print_table, progress
from kgpath.cli.own_input import READS, WRITES

if TYPE_CHECKING:
    from kgpath.reproduction import Table


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A table or picture; 'wikipath-*' for several."),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILES", help="What to make it from: FILE, or SPLIT=FILE."),
        READS,
    ] = None,
    graph: Annotated[
        str | None, typer.Option(help="A graph file, where one is used."), READS
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="The same as FILES: a folder with splits, FILE, or SPLIT=FILE."),
        READS,
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--set", help="NAME=VALUE; again for each.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="A folder for Markdown, CSV and pictures."),
        WRITES,
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version in minutes, where there is one.")
    ] = False,
    seed: Annotated[int, typer.Option(help="For chance and intervals.")] = 42,
    show: Annotated[bool, typer.Option("--list", help="Show what can be made, and stop.")] = False,
    json: opt.AsJson = False,
) -> None:
    """Make a table or picture of a paper again, from your own files.

    Example: kgpath reproduce wikipath-t5 test_seen.json test_unseen.json --graph film.kg -o out

    What takes long is cached in the output folder as it is made: a killed run goes on from there.

    Example: kgpath reproduce ecpr-t7 --graph film.kg --data synthetic-s -o out
    """
    from kgpath.plugins import REPRODUCTIONS
    from kgpath.reproduce.run import names_of, options_of
    from kgpath.reproduce.run import reproduce as make
    from kgpath.reproduction import Request

    if show or name is None:
        rows = [(name, REPRODUCTIONS.entry(name).line) for name in names_of("*")]
        if json:
            print_json([{"name": name, "line": line} for name, line in rows])
        else:
            print_table(("name", "what"), rows)
        return
    sources, options = (*(files or ()), *(data or ())), options_of(option or ())
    with (
        interruptible("What was made so far is kept." if output else "Nothing is kept without -o."),
        progress() as report,
        Request(sources, graph, seed, options, report, output, quick) as request,
    ):
        tables, pictures = make(names_of(name), request)
    if json:
        print_json([table.to_json() for table in tables])
    else:
        for table in tables:
            _show(table)
    if output is not None:
        note(f"{output}: {len(tables):,} tables, {len(pictures):,} pictures")
    elif pictures:
        note(f"{len(pictures):,} pictures were not written: -o FOLDER")


def _show(table: Table) -> None:
    from kgpath.reproduce.report import cell_text

    print(table.title)
    numbers = [
        name
        for at, name in enumerate(table.columns)
        if any(isinstance(row[at], int | float) for row in table.rows)
    ]
    print_table(table.columns, [[cell_text(c) for c in row] for row in table.rows], right=numbers)
    print()
    for line in table.notes:
        note(line)


COMMANDS = (reproduce,)
