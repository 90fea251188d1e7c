"""The options of a live SPARQL endpoint, for the commands that can ask one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from kgpath.kg_build.sparql.source import LiveSource

Sparql = Annotated[
    str | None,
    typer.Option(metavar="URL", help="A SPARQL endpoint, or: dbpedia, wikidata."),
]
Preset = Annotated[str, typer.Option(help="How the endpoint speaks: kgpath ls sparql_presets.")]
NamedGraphs = Annotated[
    list[str] | None, typer.Option("--graph", help="Ask only this graph of the endpoint.")
]
Timeout = Annotated[int, typer.Option(min=1, help="Seconds that an answer may take.")]
Rate = Annotated[
    float, typer.Option(min=0, help="Requests a second; 0: five, or any number on this machine.")
]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Forget what this endpoint answered before.")
]


def live_source_of(
    url: str,
    preset: str,
    graphs: list[str] | None,
    timeout: int,
    rate: float,
    refresh: bool,
    **selection: Any,
) -> LiveSource:
    """A live source from the options of a command."""
    from kgpath.kg_build.sparql.source import SourceSelection, live_source

    return live_source(
        url, preset, SourceSelection(**selection), graphs or (), refresh, timeout=timeout, rate=rate
    )
