"""kgpath reproduce: tables and pictures of papers, made again from the user's own files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import interruptible, note, print_json, print_table, progress

if TYPE_CHECKING:
    from kgpath.reproduction import Picture, Reproduction, Table


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A table or picture; 'wikipath-*' for several."),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILES", help="What to make it from: FILE, or SPLIT=FILE."),
    ] = None,
    graph: Annotated[str | None, typer.Option(help="A graph file, where one is used.")] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="The same as FILES: a folder with splits, FILE, or SPLIT=FILE."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--set", help="NAME=VALUE; again for each.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="A folder for Markdown, CSV and pictures."),
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

    What takes long is kept in the output folder, cell by cell: a killed run goes on from there.

    Example: kgpath reproduce ecpr-t7 --graph film.kg --data synthetic-s -o out
    """
    from kgpath.errors import BadOption, NotWritable
    from kgpath.plugins import REPRODUCTIONS
    from kgpath.reproduction import Request, Table

    if show or name is None:
        rows = [(name, REPRODUCTIONS.entry(name).line) for name in _names("*")]
        if json:
            print_json([{"name": name, "line": line} for name, line in rows])
        else:
            print_table(("name", "what"), rows)
        return
    options = {}
    for text in option or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"Cannot read --set {text}. Write it like: --set alpha=0.5")
        options[key.strip()] = value.strip()
    names = _names(name)
    if output is not None and Path(output).is_file():
        raise NotWritable(f"{output} is a file. Name a folder to write to.")
    tables: list[Table] = []
    pictures: list[Picture] = []
    with (
        interruptible("What was made so far is kept." if output else "Nothing is kept without -o."),
        progress() as report,
        Request(
            (*(files or ()), *(data or ())), graph, seed, options, report, output, quick
        ) as request,
    ):
        for one in names:
            make: Reproduction = REPRODUCTIONS.load(one)
            made = list(make(request))
            found = [table for table in made if isinstance(table, Table)]
            drawn = [picture for picture in made if not isinstance(picture, Table)]
            if output is not None:
                _write(Path(output), found, drawn)
            tables += found
            pictures += drawn
    if pictures and not tables and output is None:
        raise BadOption(f"{pictures[0].name} is a picture: say where to write it, -o FOLDER.")
    if json:
        print_json([table.to_json() for table in tables])
    else:
        for table in tables:
            _show(table)
    if output is not None:
        note(f"{output}: {len(tables):,} tables, {len(pictures):,} pictures")
    elif pictures:
        note(f"{len(pictures):,} pictures were not written: -o FOLDER")


def _names(pattern: str) -> list[str]:
    from fnmatch import fnmatchcase

    from kgpath.errors import UnknownName
    from kgpath.plugins import REPRODUCTIONS

    if "*" not in pattern:
        return [REPRODUCTIONS.entry(pattern).name]
    found = [entry.name for entry in REPRODUCTIONS if fnmatchcase(entry.name, pattern)]
    # t2 before t10.
    found.sort(key=lambda name: [part.zfill(4) for part in re.findall(r"\d+|\D+", name)])
    if not found:
        raise UnknownName(f"Nothing fits {pattern!r}. See: kgpath reproduce --list")
    return found


def _show(table: Table) -> None:
    from kgpath.reproduction import cell_text

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


def _write(folder: Path, tables: list[Table], pictures: list[Picture]) -> None:
    from kgpath.io.atomic import replacing

    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        for ending, text in ((".md", table.to_markdown()), (".csv", table.to_csv())):
            with replacing(folder / (table.name + ending)) as temporary:
                temporary.write_text(text, encoding="utf-8")
    for picture in pictures:
        with replacing(folder / f"{picture.name}.png") as temporary:
            picture.draw(temporary)


COMMANDS = (reproduce,)
