"""Options and arguments that several commands have, and old names that still work."""

from __future__ import annotations

from typing import Annotated, Any

import typer
import typer.core

from kgpath.cli.own_input import READS, refuse_own_input
from kgpath.registry import renamed_notice

GraphFile = Annotated[
    str, typer.Argument(metavar="GRAPH", help="A graph file, such as film.kg."), READS
]
Queries = Annotated[
    str, typer.Argument(metavar="QUERIES", help="JSON lines, plain or .gz; - for stdin."), READS
]
Head = Annotated[str | None, typer.Argument(help="An entity: IRI, dbr:Name or label.")]
Tail = Annotated[str | None, typer.Argument(help="The other entity.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
MaxHops = Annotated[int, typer.Option(min=1, max=6, help="Longest path.")]
RankLimit = Annotated[int, typer.Option("--limit", min=1, help="How many paths to rank.")]
KeepRelations = Annotated[
    list[str] | None, typer.Option("--keep", help="Only over these relations.")
]
DropRelations = Annotated[
    list[str] | None, typer.Option("--drop", help="Not over these relations.")
]
OfTypes = Annotated[
    list[str] | None, typer.Option("--types", help="Only through entities of these types.")
]
Exclude = Annotated[list[str] | None, typer.Option(help="Not through these entities.")]
Through = Annotated[list[str] | None, typer.Option(help="Only through these entities.")]
GivenOrFound = Annotated[
    str, typer.Option(help="The paths to rank: found in the graph, or given with each query.")
]
Vectors = Annotated[
    str | None,
    typer.Option(help="For avg-cosine, avg-word, models with them: a file of word vectors."),
    READS,
]
Base = Annotated[
    str | None,
    typer.Option(help="For a model trained with a folder of a language model: that folder."),
    READS,
]
# Before the command; see kgpath.io.limits.
MaxUnpacked = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE", help="What may come out of a packed file: 32M, or 100 × its size."
    ),
]
MaxLine = Annotated[str | None, typer.Option(metavar="SIZE", help="The longest line: mostly 64M.")]
MaxFile = Annotated[
    str | None, typer.Option(metavar="SIZE", help="A file that is held in memory: up to 1G.")
]
MaxNesting = Annotated[
    str | None, typer.Option(metavar="DEPTH", help="How deep lists, elements, triples may be: 500.")
]

#: Options by their old names, which work for one more release.
RENAMED = {"--anew": "--restart", "--most": "--max-added"}


class Command(typer.core.TyperCommand):
    """A command that overwrites nothing that it reads, and knows its options by old names, too.

    Its help shows only the new ones.
    """

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        known = {name for parameter in self.params for name in parameter.opts}
        return super().parse_args(ctx, [_renamed(text, known) for text in args])

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        if self.callback is not None:
            refuse_own_input(self.callback, ctx.params)
        return super().invoke(ctx)


def _renamed(text: str, known: set[str]) -> str:
    old, equals, value = text.partition("=")
    new = RENAMED.get(old)
    if new is None or new not in known or old in known:
        return text
    renamed_notice(old, new)
    return f"{new}{equals}{value}"
