"""kgpath check: is a graph file sound, and its index fresh?"""

from __future__ import annotations

from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, progress


def check(
    graph: opt.GraphFile,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Bring a file of an older kgpath up to date first.")
    ] = False,
    json: opt.AsJson = False,
) -> None:
    """Check that a graph file is sound and its index fresh.

    The exit code is 1 if it is not sound. Example: kgpath check film.kg
    """
    import kgpath
    from kgpath.storage.check import index_is_fresh, problems

    if upgrade:
        from kgpath.kg_build.upgrade import upgrade_file

        upgrade_file(graph)
    with kgpath.open(graph) as kg, progress() as report:
        found = list(problems(kg.store, report))
        fresh = not found and index_is_fresh(kg.store)
    if json:
        print_json({"path": graph, "sound": not found, "problems": found, "index_fresh": fresh})
    else:
        for line in found:
            print(line)
        if not found:
            index = "the index is fresh" if fresh else "the index is made at the next use"
            print(f"{graph} is sound; {index}.")
    if found:
        note("Build the file again from its sources: kgpath info lists them.")
        raise typer.Exit(1)


COMMANDS = (check,)
