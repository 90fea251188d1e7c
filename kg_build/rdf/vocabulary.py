"""What RDF predicates mean to a graph: which are names, types and ontology, which are edges."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from kgpath.kg_build.report import Report
from kgpath.storage import statements as st
from kgpath.storage.namespaces import DBO, DCT, OWL, PROV, RDF, RDFS, SKOS

TEXT_ROLES = {
    RDFS + "label": st.LABEL,
    SKOS + "prefLabel": st.LABEL,
    SKOS + "altLabel": st.ALIAS,
    DBO + "alias": st.ALIAS,
    RDFS + "comment": st.COMMENT,
    DBO + "abstract": st.ABSTRACT,
}
LINK_ROLES = {
    RDF + "type": st.TYPE,
    RDFS + "subClassOf": st.SUBCLASS,
    RDFS + "subPropertyOf": st.SUBPROPERTY,
}
DECLARATIONS = {
    OWL + "Class": st.CLASS,
    RDFS + "Class": st.CLASS,
    OWL + "Ontology": st.ONTOLOGY,
    RDF + "Property": st.PROPERTY,
} | {
    OWL + kind + "Property": st.PROPERTY
    for kind in (
        "Object", "Datatype", "Functional", "InverseFunctional", "Transitive", "Symmetric",
        "Asymmetric", "Reflexive", "Irreflexive", "Annotation",
    )
}  # fmt: skip

# They speak of the data, not of the world: schema, provenance, licence.
NEVER_EDGES = (RDF, RDFS, OWL, PROV)
LICENCES = frozenset(
    {
        "http://creativecommons.org/ns#license",
        "http://www.w3.org/1999/xhtml/vocab#license",
        "http://schema.org/license",
        "http://purl.org/dc/elements/1.1/rights",
        DCT + "license",
        DCT + "rights",
        DCT + "rightsHolder",
    }
)
_SCHEMA = -1


def interpret(quads: Iterable[Quad], report: Report) -> st.Statements:
    """RDF statements as statements of a graph; what has no place in one is counted."""
    roles: dict[str, int] = {}
    left_out = report.left_out
    for quad in quads:
        subject, predicate, object_, _ = quad
        predicate_iri = predicate.value
        role = roles.get(predicate_iri)
        if role is None:
            role = roles[predicate_iri] = _role(predicate_iri)
        kind = type(object_)
        if type(subject) is not NamedNode or kind is BlankNode:
            left_out["blank node"] += 1
        elif role == st.EDGE:
            if kind is NamedNode:
                yield st.EDGE, subject.value, predicate_iri, object_.value
            else:
                left_out["literal"] += 1
        elif role == _SCHEMA:
            left_out["schema, provenance or licence"] += 1
        elif role in _TEXT:
            if kind is Literal:
                yield role, subject.value, object_.value, object_.language or ""
            elif predicate_iri.startswith(NEVER_EDGES):
                left_out["a name that is no literal"] += 1
            else:  # DBpedia has a few aliases that are things: a fact like any other
                yield st.EDGE, subject.value, predicate_iri, object_.value
        elif kind is not NamedNode:
            left_out["literal"] += 1
        elif role == st.TITLE:
            if found := st.wikipedia_title(subject.value):
                yield st.TITLE, object_.value, *found
            else:
                yield st.EDGE, subject.value, predicate_iri, object_.value
        elif role == st.TYPE:
            yield from _typed(subject.value, object_.value, report)
        else:
            yield role, subject.value, object_.value, ""


_TEXT = frozenset(TEXT_ROLES.values())


def _typed(subject: str, class_: str, report: Report) -> Iterable[st.Statement]:
    declares = DECLARATIONS.get(class_)
    if declares is not None:
        return ((declares, subject, "", ""),)
    if class_.startswith((OWL, RDF, RDFS)):
        report.left_out["schema, provenance or licence"] += 1
        return ()
    return ((st.TYPE, subject, class_, ""),)


def _role(predicate: str) -> int:
    if predicate in TEXT_ROLES:
        return TEXT_ROLES[predicate]
    if predicate == st.ABOUT:
        return st.TITLE
    if predicate in LINK_ROLES:
        return LINK_ROLES[predicate]
    if predicate.startswith(NEVER_EDGES) or predicate in LICENCES:
        return _SCHEMA
    return st.EDGE
