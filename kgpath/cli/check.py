"""kgpath check: is a graph file sound, and its index fresh?"""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, progress


def check(
    graph: opt.GraphFile,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Bring a file of an older kgpath up to date first.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only SQLite's own quick test, and the schema.")
    ] = False,
    json: opt.AsJson = False,
) -> None:
    """Check that a graph file is sound and its index fresh.

    The exit code is 1 if it is not sound. Example: kgpath check film.kg
    """
    from kgpath.storage.check import index_is_fresh, problems, quick_problems
    from kgpath.storage.store import Store, graph_mark

    if upgrade:
        from kgpath.kg_build.upgrade import upgrade_file

        upgrade_file(graph)
    # Not as any other command opens it: that would refuse an unsound file at its first problem.
    with closing(Store(graph, checked=False)) as store, progress() as report:
        mark = graph_mark(store.path)
        looks = quick_problems(store.db, store.path) if quick else problems(store, report)
        found = list(looks)
        fresh = not found and index_is_fresh(store)
        if not found and not quick:
            store.remember(mark)  # it need not be checked again when it is used
    if json:
        print_json({"path": graph, "sound": not found, "problems": found, "index_fresh": fresh})
    else:
        for line in found:
            print(line)
        if not found and quick:
            print(f"{graph}: its schema and SQLite's quick test are fine.")
        elif not found:
            index = "the index is fresh" if fresh else "the index is made at the next use"
            print(f"{graph} is sound; {index}.")
    if found:
        note("Build the file again from its sources, or get it again from where it came from.")
        raise typer.Exit(1)


COMMANDS = (check,)
