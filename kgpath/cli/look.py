"""kgpath find, show: look around in a graph file, entity by entity."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgpath.cli import options as opt
from kgpath.cli.output import note, print_json, print_styled, print_table

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.types import Edge, Entity


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
        _show_names(kg, subject)
    print()
    print_table((f"{subject.degree:,} facts", ""), list(_fact_rows(subject, facts, limit)))


COMMANDS = (find, show)


def _show_names(kg: Graph, subject: Entity) -> None:
    """What an entity is called, its types and its text."""
    types = ", ".join(c.label for c in kg.types(subject))
    print_styled((subject.label, "bold"), f"  ({types})" if types else "")
    print_styled(subject.iri)
    aliases = kg.aliases(subject)
    if aliases:
        print_styled(f"also: {', '.join(aliases)}")
    text = kg.text(subject)
    if text:
        print_styled(f"\n{text}")


def _fact_rows(subject: Entity, facts: list[Edge], limit: int) -> Iterator[tuple[str, str]]:
    """A row for each relation and direction, with the entities at the other end."""
    for (forward, relation), group in groupby(
        facts, key=lambda fact: (fact.head.id == subject.id, fact.relation)
    ):
        others = [(fact.tail if forward else fact.head).label for fact in group]
        more = f" … and {len(others) - limit:,} more" if len(others) > limit else ""
        arrow = f"–{relation.label}→" if forward else f"←{relation.label}–"
        yield arrow, ", ".join(others[:limit]) + more


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
