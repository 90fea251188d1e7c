"""What Wikidata's RDF means to a graph: truthy statements, P31, P279 and P1647, page titles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import IO

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from kgpath.kg_build.rdf.ntriples import read_quads
from kgpath.kg_build.report import Report
from kgpath.storage import statements as st
from kgpath.storage.namespaces import PREFIXES, RDFS, SCHEMA, SKOS

ITEM = PREFIXES["wd"]
DIRECT = PREFIXES["wdt"]
TEXT_KINDS = {
    RDFS + "label": st.LABEL,
    SKOS + "altLabel": st.ALIAS,
    SCHEMA + "description": st.COMMENT,
}
TEXTS = tuple(TEXT_KINDS)
#: Properties that are the ontology, by what they say.
ONTOLOGY = {"P31": st.TYPE, "P279": st.SUBCLASS, "P1647": st.SUBPROPERTY}
_NUMBER = re.compile(r"[QP][1-9]\d*\Z")


def read_truthy(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of a truthy dump in N-Triples."""
    return interpret_wikidata(read_quads(stream, report, RdfFormat.N_TRIPLES), report)


def interpret_wikidata(quads: Iterable[Quad], report: Report) -> st.Statements:
    """Wikidata's RDF as statements of a graph; what has no place in one is counted."""
    left_out = report.left_out
    for subject, predicate, object_, _ in quads:
        relation = predicate.value
        if type(subject) is not NamedNode:
            left_out["blank node"] += 1
        elif relation == st.ABOUT:
            yield from _article(subject.value, object_.value, report)
        elif (name := _name(subject.value)) is None:
            left_out["about something else than an item"] += 1
        elif relation in TEXT_KINDS:
            if type(object_) is Literal:
                kind = TEXT_KINDS[relation]
                yield kind, described(name), object_.value, untagged(object_.language or "")
            else:
                left_out["a name that is no literal"] += 1
        elif not relation.startswith(DIRECT):
            left_out["not a direct statement"] += 1
        elif type(object_) is not NamedNode or (value := _name(object_.value)) is None:
            left_out["literal"] += 1
        else:
            yield from fact(name, relation.removeprefix(DIRECT), value, report)


def fact(subject: str, relation: str, value: str, report: Report) -> Iterable[st.Statement]:
    """What one statement between items, or between properties, says: ``Q1``, ``P2``, ``Q3``."""
    kind = ONTOLOGY.get(relation, st.EDGE)
    if (subject[0] == "P", value[0] == "P") != (kind == st.SUBPROPERTY,) * 2:
        report.left_out["about a property"] += 1
    elif kind == st.EDGE:
        yield kind, ITEM + subject, DIRECT + relation, ITEM + value
    else:
        yield kind, described(subject), described(value), ""


def described(name: str) -> str:
    """The IRI of an item; for a property, of the relation it is in a graph."""
    return (DIRECT if name.startswith("P") else ITEM) + name


def is_name(name: str) -> bool:
    """Whether this is the number of an item or a property."""
    return bool(_NUMBER.match(name))


def untagged(language: str) -> str:
    """The language of a text; ``mul`` stands for all of them, as no tag does."""
    return "" if language == "mul" else language


def _name(iri: str) -> str | None:
    name = iri.removeprefix(ITEM)
    return name if name != iri and is_name(name) else None


def _article(page: str, item: str, report: Report) -> Iterable[st.Statement]:
    """The title of a page of Wikipedia is in its address."""
    found, name = st.wikipedia_title(page), _name(item)
    if name is None or found is None:
        report.left_out["page that is not of Wikipedia"] += 1
    else:
        yield st.TITLE, ITEM + name, *found
