"""kgpath demo: a first minute with the sample that ships."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kgpath.cli.output import note, print_styled
from kgpath.cli.own_input import WRITES
from kgpath.io.atomic import replacing


def demo(
    output: Annotated[
        str, typer.Option("-o", "--output", help="The graph file to make from the sample."), WRITES
    ] = "film.kg",
) -> None:
    """Build the sample film graph and show what kgpath can do.

    Two of the sample's texts, its queries and its dialogues are written beside the graph file.

    Example: kgpath demo
    """
    from kgpath.cli import build, dialogue, info, look, paths, query
    from kgpath.datasets.sample_files import (
        sample_dialogues,
        sample_files,
        sample_queries,
        sample_text,
    )

    name = Path(output).name

    def step(command: str) -> None:
        print_styled("\n", (f"$ kgpath {command}", "bold green"))

    step(f"build film.ttl ontology.ttl -o {name}")
    build.build(output, [str(path) for path in sample_files()])
    step(f'find {name} "casino roy"')
    look.find(output, "casino roy", limit=5)
    step(f'show {name} "Daniel Craig"')
    look.show(output, "Daniel Craig", limit=4)
    step(f'paths {name} "Emma Stone" "Andrew Garfield" --max-hops 3 --limit 5')
    paths.paths(output, "Emma Stone", "Andrew Garfield", max_hops=3, limit=5)
    for news, number in (("casting-news.txt", "sample-03"), ("oscar-news.txt", "sample-02")):
        file = _written(Path(output).with_name(news), sample_text(number))
        step(f'query {name} "Emma Stone" "Andrew Garfield" --context {file.name} -k 2')
        query.query(output, "Emma Stone", "Andrew Garfield", context=str(file), k=2)
    queries = _written(
        Path(output).with_name("queries.jsonl"), sample_queries().read_text(encoding="utf-8")
    )
    talk = _written(
        Path(output).with_name("dialogues.jsonl"), sample_dialogues().read_text(encoding="utf-8")
    )
    step(f"dialogue select {talk.name} --edges typed --graph {name} --limit 2")
    dialogue.select(str(talk), edges="typed", graph=output, limit=2)
    step(f"info {name}")
    info.info(output, top=5)
    note(
        f"\n{output} is yours to explore, with two texts, {queries.name} and {talk.name} beside "
        "it. "
        f"Next: kgpath evaluate {name} {queries.name}, or kgpath --help"
    )


def _written(path: Path, text: str) -> Path:
    """Where the text is now: at ``path``, unless somebody has another file of that name there."""
    if path.exists() and path.read_bytes() != text.encode():
        path = path.with_name(f"kgpath-{path.name}")
    with replacing(path) as temporary:
        temporary.write_bytes(text.encode())
    return path


COMMANDS = (demo,)
