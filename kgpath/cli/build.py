"""kgpath build, add, remove: make and change graph files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli import endpoint
from kgpath.cli import options as opt
from kgpath.cli.output import interruptible, note, print_json, progress
from kgpath.cli.own_input import READS, READS_FILE, WRITES

if TYPE_CHECKING:
    from kgpath.kg_build.build import Built
    from kgpath.kg_build.filters import Filters

Sources = Annotated[
    list[str] | None,
    typer.Argument(metavar="SRC...", help="Files, plain or .gz or .bz2; - for stdin."),
    READS,
]
MoreSources = Annotated[
    list[str] | None, typer.Argument(metavar="[SRC...]", help="As in build."), READS
]
Format = Annotated[
    str | None,
    typer.Option(
        help="Format of the sources, if their names do not tell; then SRC may be folders."
    ),
]
Articles = Annotated[
    list[str] | None,
    typer.Option(help="Texts of entities: JSON lines, TSV or a MediaWiki dump; again for each."),
    READS,
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first malformed line.")]
Keep = Annotated[
    list[str] | None, typer.Option(help="Only these relations, such as dbo:starring or starring.")
]
Drop = Annotated[list[str] | None, typer.Option(help="Not these relations; dbo:wiki* drops many.")]
Lang = Annotated[
    str, typer.Option(help="Languages of names and texts, the preferred first; 'all' for all.")
]
_NOTHING = "Nothing was written."


def build(
    output: Annotated[str, typer.Option("-o", "--output", help="The graph file to write."), WRITES],
    sources: Sources = None,
    keep: Keep = None,
    drop: Drop = None,
    types: Annotated[
        list[str] | None,
        typer.Option(help="Only entities of these types; 'film' is the preset of the paper."),
    ] = None,
    lang: Lang = "en",
    hub_cap: Annotated[
        int, typer.Option(min=0, help="Leave out entities with more facts than this; 0: none.")
    ] = 0,
    articles: Articles = None,
    format: Format = None,
    strict: Strict = False,
    sparql: endpoint.Sparql = None,
    seed: Annotated[
        list[str] | None, typer.Option(help="With --sparql: what is around this thing.")
    ] = None,
    hops: Annotated[
        int, typer.Option(min=1, max=6, help="With --seed: how far around, both ways.")
    ] = 2,
    query: Annotated[
        str,
        typer.Option(help="With --sparql: a CONSTRUCT, or SELECT of 3 columns; or a file."),
        READS_FILE,
    ] = "",
    preset: endpoint.Preset = "",
    graph: endpoint.NamedGraphs = None,
    timeout: endpoint.Timeout = 60,
    rate: endpoint.Rate = 0,
    refresh: endpoint.Refresh = False,
    json: opt.AsJson = False,
) -> None:
    """Build a graph file from files or a live SPARQL endpoint.

    Example: kgpath build facts.nt.gz labels.nt.gz ontology.owl -o film.kg

    Example: kgpath build --sparql dbpedia --seed dbr:Roger_Moore --hub-cap 500 -o moore.kg
    """
    from kgpath.kg_build import build as builder

    filters = filters_of(keep, drop, lang, types=tuple(types or ()), hub_cap=hub_cap)
    live = None
    if sparql:
        from kgpath.kg_build.sparql.user_query import query_text

        chosen = {"seeds": tuple(seed or ()), "hops": hops, "query": query_text(query)}
        live = endpoint.live_source_of(sparql, preset, graph, timeout, rate, refresh, **chosen)
    elif seed or query or refresh:
        raise typer.BadParameter("--seed, --query and --refresh need an endpoint: --sparql URL")
    elif not sources:
        raise typer.BadParameter("name a source: files, - for stdin, or --sparql URL")
    fetched = "What was fetched is cached: the same command goes on from there."
    with interruptible(fetched if live else _NOTHING), progress() as report:
        built = builder.build(
            sources or (), output, filters=filters, format=format, articles=articles or (),
            live=live, strict=strict, progress=report,
        )  # fmt: skip
    _tell(built, json)


def add(
    graph: opt.GraphFile,
    sources: MoreSources = None,
    keep: Keep = None,
    drop: Drop = None,
    articles: Articles = None,
    format: Format = None,
    strict: Strict = False,
    json: opt.AsJson = False,
) -> None:
    """Add sources or articles to a graph file, in one step.

    Example: kgpath add film.kg more.nt --articles extracts.jsonl
    """
    from kgpath.kg_build import build as builder

    if not sources and not articles:
        raise typer.BadParameter("name a source to add, or --articles")
    with progress() as report:
        built = builder.add(
            graph, sources or (), filters=filters_of(keep, drop, ""), format=format,
            articles=articles or (), strict=strict, progress=report,
        )  # fmt: skip
    _tell(built, json)


def remove(
    graph: opt.GraphFile,
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SRC...]", help="Statements to take out."), READS
    ] = None,
    entity: Annotated[
        list[str] | None, typer.Option(help="An entity to take out with all of its facts.")
    ] = None,
    format: Format = None,
    strict: Strict = False,
    json: opt.AsJson = False,
) -> None:
    """Take statements or entities out of a graph file, in one step.

    Example: kgpath remove film.kg --entity "Daniel Craig"
    """
    from kgpath.kg_build import build as builder

    if not sources and not entity:
        raise typer.BadParameter("name a source with statements to take out, or an --entity")
    with progress() as report:
        built = builder.remove(
            graph, sources or (), entities=entity or (), format=format, strict=strict,
            progress=report,
        )  # fmt: skip
    _tell(built, json)


COMMANDS = (build, add, remove)


def filters_of(
    keep: Sequence[str] | None, drop: Sequence[str] | None, lang: str, **rest: Any
) -> Filters:
    """What to take, from the options of a command."""
    from kgpath.kg_build.filters import Filters, languages_of

    return Filters(tuple(keep or ()), tuple(drop or ()), languages=languages_of(lang), **rest)


def _tell(built: Built, json: bool) -> None:
    """What was made on stdout; what was left out, and why, on stderr."""
    left_out = built.left_out.copy()
    for report in built.reports:
        left_out.update(report.left_out)
    for report in built.reports:
        if report.malformed:
            note(f"{report.name}: {report.malformed:,} malformed lines left out, such as")
            for example in report.examples:
                note(f"  {example}")
    for line in built.notes:
        note(line)
    if json:
        print_json(
            {
                "path": str(built.path),
                "entities": built.entities,
                "edges": built.edges,
                "relations": built.relations,
                "classes": built.classes,
                "statements": built.statements,
                "malformed": built.malformed,
                "left_out": {reason: count for reason, count in left_out.items() if count},
                "articles": [asdict(counts) for counts in built.articles],
                "notes": built.notes,
                "fingerprint": built.fingerprint,
            }
        )
        return
    reasons = [f"{reason} {count:,}" for reason, count in left_out.most_common() if count]
    if reasons:
        note(f"Left out: {', '.join(reasons)}.")
    print(
        f"{built.path}: {built.entities:,} entities, {built.edges:,} edges, "
        f"{built.relations:,} relations, {built.classes:,} classes"
    )
