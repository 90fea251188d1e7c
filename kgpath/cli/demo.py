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
    train: Annotated[
        bool,
        typer.Option("--train", help="Also train a model of Lo & Lim (2023): half a minute more."),
    ] = False,
) -> None:
    """Build the sample film graph and show what kgpath can do.

    Two of the sample's texts, its queries and its dialogues are written beside the graph file. With
    --train one of the paper's own models is learned from the queries and asked; that needs
    pip install "kgpath[learn,neural]".

    Example: kgpath demo

    Example: kgpath demo --train
    """
    from kgpath.cli import build, dialogue, info, look, paths, query
    from kgpath.datasets.sample_files import (
        sample_dialogues,
        sample_files,
        sample_queries,
        sample_text,
    )

    name = Path(output).name
    _step(f"build film.ttl ontology.ttl -o {name}")
    build.build(output, [str(path) for path in sample_files()])
    _step(f'find {name} "casino roy"')
    look.find(output, "casino roy", limit=5)
    _step(f'show {name} "Daniel Craig"')
    look.show(output, "Daniel Craig", limit=4)
    _step(f'paths {name} "Emma Stone" "Andrew Garfield" --max-hops 3 --limit 5')
    paths.paths(output, "Emma Stone", "Andrew Garfield", max_hops=3, limit=5)
    texts = {"casting-news.txt": "sample-03", "oscar-news.txt": "sample-02"}
    news = [_written(Path(output).with_name(file), sample_text(of)) for file, of in texts.items()]
    for file in news:
        _step(f'query {name} "Emma Stone" "Andrew Garfield" --context {file.name} -k 2')
        query.query(output, "Emma Stone", "Andrew Garfield", context=str(file), k=2)
    queries = _written(
        Path(output).with_name("queries.jsonl"), sample_queries().read_text(encoding="utf-8")
    )
    talk = _written(
        Path(output).with_name("dialogues.jsonl"), sample_dialogues().read_text(encoding="utf-8")
    )
    _step(f"dialogue select {talk.name} --edges typed --graph {name} --limit 2")
    dialogue.select(str(talk), edges="typed", graph=output, limit=2)
    _step(f"info {name}")
    info.info(output, top=5)
    if train:
        _train(output, queries, news[0])
    note(
        f"\n{output} is yours to explore, with two texts, {queries.name} and {talk.name} beside "
        "it. "
        f"Next: kgpath evaluate {name} {queries.name}{'' if train else ', kgpath demo --train'}, "
        "or kgpath --help"
    )


def _step(command: str) -> None:
    """What is typed for what follows."""
    print_styled("\n", (f"$ kgpath {command}", "bold green"))


def _train(output: str, queries: Path, news: Path) -> None:
    """One of the models of Lo & Lim (2023): vectors, a training, a question."""
    from kgpath.cli import embed, query
    from kgpath.cli import train as training

    name, model = Path(output).name, Path(output).with_name("fused-model")
    context, path, ranker = "fused-inout", "path-vae", "xendcg"
    _step(f"embed {name}")
    embed.embed(output)
    _step(
        f"train {name} {queries.name} --context-encoder {context} --path-encoder {path} "
        f"--ranker {ranker} -o {model.name}"
    )
    training.train(
        output,
        str(queries),
        output=str(model),
        ranker=ranker,
        context_encoder=context,
        path_encoder=path,
    )
    _step(
        f'query {name} "Emma Stone" "Andrew Garfield" --context {news.name} -k 2 '
        f"--model {model.name}"
    )
    query.query(output, "Emma Stone", "Andrew Garfield", context=str(news), k=2, model=str(model))


def _written(path: Path, text: str) -> Path:
    """Where the text is now: at ``path``, unless somebody has another file of that name there."""
    if path.exists() and path.read_bytes() != text.encode():
        path = path.with_name(f"kgpath-{path.name}")
    with replacing(path) as temporary:
        temporary.write_bytes(text.encode())
    return path


COMMANDS = (demo,)
