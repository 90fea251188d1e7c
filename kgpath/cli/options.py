"""Options and arguments that several commands have, and old names that still work."""

from __future__ import annotations

from typing import Annotated

import typer
import typer.core

from kgpath.registry import renamed_notice

GraphFile = Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file, such as film.kg.")]
Queries = Annotated[
    str, typer.Argument(metavar="QUERIES", help="JSON lines, plain or .gz; - for stdin.")
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
]
Base = Annotated[
    str | None,
    typer.Option(help="For a model trained with a folder of a language model: that folder."),
]

#: Options by their old names, which work for one more release.
RENAMED = {"--anew": "--restart", "--most": "--max-added"}


class Command(typer.core.TyperCommand):
    """A command that knows its options by their old names, too; its help shows only the new."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        known = {name for parameter in self.params for name in parameter.opts}
        return super().parse_args(ctx, [_renamed(text, known) for text in args])


def _renamed(text: str, known: set[str]) -> str:
    old, equals, value = text.partition("=")
    new = RENAMED.get(old)
    if new is None or new not in known or old in known:
        return text
    renamed_notice(old, new)
    return f"{new}{equals}{value}"
