"""kgpath info, find, show, check, ls: look around in a graph file and among the plug-ins."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import console, note, print_json, print_table, progress

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.types import Edge, Entity


def info(
    graph: opt.GraphFile,
    top: Annotated[int, typer.Option(min=1, help="How many relations and types to list.")] = 10,
    json: opt.AsJson = False,
) -> None:
    """Show a graph in numbers: size, relations, types, sources.

    Example: kgpath info film.kg
    """
    import kgpath
    from kgpath.storage.summary import summary

    with kgpath.open(graph) as kg:
        data = summary(kg.store, top)
        if json:
            print_json(data)
            return
        for row in (*data["top_relations"], *data["top_types"]):
            row["iri"] = kg.shorten(row["iri"])
    degree = data["degree"]
    print(
        f"{data['path']}: {data['entities']:,} entities, {data['edges']:,} edges, "
        f"{data['relations']:,} relations, {data['classes']:,} classes"
    )
    print(
        f"{data['names']:,} names, {data['typed_entities']:,} entities with a type, "
        f"{data['entities_with_text']:,} with a text, {data['bytes'] / 1e6:,.1f} MB"
    )
    print(
        f"facts per entity: median {degree['median']:,}, mean {degree['mean']:,}, "
        f"99 % below {degree['p99'] + 1:,}, most {degree['max']:,} ({data['hubs'][0]['label']})"
    )
    for title, key, count in (
        ("relation", "top_relations", "edges"),
        ("type", "top_types", "entities"),
    ):
        if data[key]:
            print()
            rows = [(row["label"], row[count], row["iri"]) for row in data[key]]
            print_table((title, count, "IRI"), rows, right=(count,))
    print()
    print_table(
        ("source", "", "statements", "edges", "malformed", "loaded"),
        [
            (
                s["name"],
                s["action"],
                s["statements"],
                s["edges"],
                s["malformed"],
                s["loaded_at"][:10],
            )
            for s in data["sources"]
        ],
        right=("statements", "edges", "malformed"),
    )


def find(
    graph: opt.GraphFile,
    text: Annotated[str, typer.Argument(help="A name, the start of one, or words of it.")],
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="At most so many.")] = 10,
    json: opt.AsJson = False,
) -> None:
    """Find entities by name: exact, prefix, words, or nearly so.

    Example: kgpath find film.kg "casino roy"
    """
    import kgpath

    with kgpath.open(graph) as kg:
        matches = kg.find(text, limit)
        short = {match.entity.iri: kg.shorten(match.entity.iri) for match in matches}
    if json:
        print_json(
            [
                {
                    **_entity(match.entity),
                    "types": match.types,
                    "name": match.name,
                    "match": match.how,
                }
                for match in matches
            ]
        )
    elif not matches:
        note(f"Nothing like {text!r} in {graph}. Try fewer letters or another spelling.")
    else:
        if matches[0].how == "fuzzy":
            note(f"No name has {text!r}. Did you mean:")
        print_table(
            ("entity", "type", "facts", "match", "IRI"),
            [
                (
                    m.entity.label if m.name == m.entity.label else f"{m.entity.label} ({m.name})",
                    ", ".join(m.types[:2]),
                    m.entity.degree,
                    m.how,
                    short[m.entity.iri],
                )
                for m in matches
            ],
            right=("facts",),
        )


def show(
    graph: opt.GraphFile,
    entity: Annotated[str, typer.Argument(help="An IRI, dbr:Name, label or alias.")],
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Entities per relation.")] = 5,
    json: opt.AsJson = False,
) -> None:
    """Show an entity: names, types, text, and its facts both ways.

    Example: kgpath show film.kg "Daniel Craig"
    """
    import kgpath

    with kgpath.open(graph) as kg:
        subject = kg.entity(entity)
        facts = kg.neighbours(subject)
        if json:
            print_json(_described(kg, subject, facts))
            return
        out = console()
        types = ", ".join(c.label for c in kg.types(subject))
        out.print(
            f"[bold]{_plain(subject.label)}[/bold]" + (f"  ({_plain(types)})" if types else "")
        )
        out.print(_plain(subject.iri))
        aliases = kg.aliases(subject)
        if aliases:
            out.print(f"also: {_plain(', '.join(aliases))}")
        text = kg.text(subject)
        if text:
            out.print(f"\n{_plain(text)}")
    out.print()
    rows = []
    for (forward, relation), group in groupby(
        facts, key=lambda fact: (fact.head.id == subject.id, fact.relation)
    ):
        others = [(fact.tail if forward else fact.head).label for fact in group]
        more = f" … and {len(others) - limit:,} more" if len(others) > limit else ""
        arrow = f"–{relation.label}→" if forward else f"←{relation.label}–"
        rows.append((arrow, ", ".join(others[:limit]) + more))
    print_table((f"{subject.degree:,} facts", ""), rows)


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


def ls(
    kind: Annotated[str | None, typer.Argument(help="A kind of plug-in; none lists all.")] = None,
    json: opt.AsJson = False,
) -> None:
    """List the plug-ins: name, what it is, the extra it needs.

    Example: kgpath ls sources
    """
    from kgpath.errors import UnknownName
    from kgpath.plugins import REGISTRIES

    if kind is not None and kind not in REGISTRIES:
        raise UnknownName(f"No kind of plug-in {kind!r}. Known: {', '.join(REGISTRIES)}.")
    rows = [
        (name, entry.name, entry.line, entry.extra)
        for name, registry in REGISTRIES.items()
        if kind in (None, name)
        for entry in registry
    ]
    columns = ("kind", "name", "what", "extra")
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        print_table(columns, rows)


COMMANDS = (info, find, show, check, ls)


def _entity(entity: Entity) -> dict[str, Any]:
    return {
        "iri": entity.iri,
        "label": entity.label,
        "description": entity.description,
        "degree": entity.degree,
    }


def _described(kg: Graph, subject: Entity, facts: list[Edge]) -> dict[str, Any]:
    return {
        **_entity(subject),
        "aliases": kg.aliases(subject),
        "types": [{"iri": c.iri, "label": c.label} for c in kg.types(subject)],
        "text": kg.text(subject),
        "facts": [
            {"head": fact.head.iri, "relation": fact.relation.iri, "tail": fact.tail.iri}
            for fact in facts
        ],
    }


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
