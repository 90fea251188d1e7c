"""kgpath demo: a first minute with the sample that ships."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kgpath.cli.output import console, note


def demo(
    output: Annotated[
        str, typer.Option("-o", "--output", help="The graph file to make from the sample.")
    ] = "film.kg",
) -> None:
    """Build the sample film graph and walk through what kgpath can do.

    Example: kgpath demo
    """
    from kgpath.cli import build, look, paths
    from kgpath.datasets.sample_files import sample_files

    out = console()
    name = Path(output).name

    def step(command: str) -> None:
        out.print(f"\n[bold green]$ kgpath {command}[/bold green]")

    step(f"build film.ttl ontology.ttl -o {name}")
    build.build([str(path) for path in sample_files()], output)
    step(f'find {name} "casino roy"')
    look.find(output, "casino roy", limit=5)
    step(f'show {name} "Daniel Craig"')
    look.show(output, "Daniel Craig", limit=4)
    step(f'paths {name} "Roger Moore" "Daniel Craig" --max-hops 2')
    paths.paths(output, "Roger Moore", "Daniel Craig", max_hops=2)
    step(f"info {name}")
    look.info(output, top=5)
    note(f"\n{output} is yours to explore. Next: kgpath --help")


COMMANDS = (demo,)
