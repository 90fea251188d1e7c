"""kgpath info: a graph in numbers."""

from __future__ import annotations

from typing import Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import print_json, print_table


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


COMMANDS = (info,)
