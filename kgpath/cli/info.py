"""kgpath info: a graph in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from kgpath.graph import Graph


def info(
    graph: opt.GraphFile,
    top: Annotated[int, typer.Option(min=1, help="How many relations and types to list.")] = 10,
    same_relations: Annotated[
        bool,
        typer.Option("--same-relations", help="List the relations that mean the same instead."),
    ] = False,
    json: opt.AsJson = False,
) -> None:
    """Show a graph in numbers: size, relations, types, sources.

    Example: kgpath info film.kg

    Example: kgpath info film.kg --same-relations
    """
    import kgpath
    from kgpath.storage.summary import summary

    with kgpath.open(graph) as kg:
        if same_relations:
            _show_same(kg, json)
            return
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


def _show_same(kg: Graph, json: bool) -> None:
    """The groups of relations that mean the same, those with the most facts first."""
    from kgpath.storage.same_relations import SameRelations

    groups = list(kg.derived(SameRelations).together())
    groups.sort(key=lambda hops: -sum(hop.relation.edges for hop in hops))
    if json:
        print_json(
            [
                [{**hop.to_json(), "label": hop.relation.label, "facts": hop.relation.edges}
                 for hop in hops]
                for hops in groups
            ]
        )  # fmt: skip
    elif not groups:
        note(f"No relations of {kg.path} were found to mean the same.")
    else:
        rows = [
            (number, "" if hop.forward else "^", hop.relation.label, hop.relation.edges,
             kg.shorten(hop.relation.iri))
            for number, hops in enumerate(groups, 1)
            for hop in hops
        ]  # fmt: skip
        print_table(("group", "", "relation", "facts", "IRI"), rows, right=("group", "facts"))


COMMANDS = (info,)
