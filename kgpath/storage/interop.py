"""A graph, or a cut of it, as the graph objects of other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgpath.storage import statements as st
from kgpath.storage.namespaces import DBO, OWL, RDF, RDFS, SKOS
from kgpath.storage.store import Store

if TYPE_CHECKING:
    import networkx
    import rdflib

#: The predicate that states a kind of statement, for those that are not edges.
PREDICATES = {
    st.LABEL: RDFS + "label",
    st.ALIAS: SKOS + "altLabel",
    st.COMMENT: RDFS + "comment",
    st.ABSTRACT: DBO + "abstract",
    st.TYPE: RDF + "type",
    st.SUBCLASS: RDFS + "subClassOf",
    st.SUBPROPERTY: RDFS + "subPropertyOf",
    st.CLASS: RDF + "type",
}
LITERALS = (st.LABEL, st.ALIAS, st.COMMENT, st.ABSTRACT)
CLASS_OF_CLASSES = OWL + "Class"


def to_networkx(store: Store, entities: Sequence[int] | None = None) -> networkx.MultiDiGraph:
    """Nodes are IRIs with a ``label``; an edge's key is the relation's IRI."""
    import networkx

    labels = dict(store.db.execute("SELECT iri, label FROM relation"))
    rows = store.db.execute("SELECT id, iri, label FROM entity ORDER BY id")
    chosen = None if entities is None else set(entities)
    graph = networkx.MultiDiGraph(name=store.path.name)
    graph.add_nodes_from(
        (iri, {"label": label}) for number, iri, label in rows if chosen is None or number in chosen
    )
    graph.add_edges_from(
        (head, tail, relation, {"label": labels[relation]})
        for head, relation, tail in st.edges_of(store, entities)
    )
    return graph


def to_rdflib(store: Store, entities: Sequence[int] | None = None) -> rdflib.Graph:
    """Facts, names, types, texts and the ontology as RDF."""
    from rdflib import Graph, Literal, URIRef

    graph = Graph()
    for kind, subject, value, extra in st.for_rdf(st.statements_of(store, entities)):
        if kind == st.PREFIX:
            graph.bind(subject, value)
        elif kind == st.EDGE:
            graph.add((URIRef(subject), URIRef(value), URIRef(extra)))
        elif kind in LITERALS:
            literal = Literal(value, lang=extra or None)
            graph.add((URIRef(subject), URIRef(PREDICATES[kind]), literal))
        else:
            object_ = URIRef(value or CLASS_OF_CLASSES)
            graph.add((URIRef(subject), URIRef(PREDICATES[kind]), object_))
    return graph
