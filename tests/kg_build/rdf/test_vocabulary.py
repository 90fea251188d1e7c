"""What becomes of each kind of RDF statement: edge, name, text, type, ontology, or left out."""

from __future__ import annotations

import pytest

EX = "http://example.org/"
FACT = "ex:a ex:p ex:b ."


def local(edges: set[tuple[str, str, str]]) -> set[str]:
    return {" ".join(iri.rpartition("/")[2] for iri in edge) for edge in edges}


@pytest.mark.parametrize(
    "predicate",
    [
        "rdfs:seeAlso",
        "owl:sameAs",
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>",
        "<http://www.w3.org/ns/prov#wasDerivedFrom>",
        "<http://purl.org/dc/terms/license>",
        "<http://purl.org/dc/terms/rights>",
        "<http://creativecommons.org/ns#license>",
        "<http://schema.org/license>",
    ],
)
def test_schema_provenance_and_licence_are_never_edges(
    predicate: str, build_graph, edges_of
) -> None:
    kg = build_graph(f"{FACT} ex:a {predicate} ex:c .")
    assert local(edges_of(kg)) == {"a p b"}
    assert kg.built.reports[0].left_out == {"schema, provenance or licence": 1}


@pytest.mark.parametrize(
    "predicate",
    ["dbo:starring", "<http://purl.org/dc/terms/subject>", "skos:broader", "dbo:wikiPageWikiLink"],
)
def test_links_between_things_are_edges(predicate: str, build_graph, edges_of) -> None:
    assert len(edges_of(build_graph(f"{FACT} ex:a {predicate} ex:c ."))) == 2


def test_literals_are_counted_and_left_out(build_graph, edges_of) -> None:
    kg = build_graph(f'{FACT} ex:a ex:height 180 ; ex:born "1968-03-02" ; ex:p "c" .')
    assert local(edges_of(kg)) == {"a p b"}
    assert kg.built.reports[0].left_out == {"literal": 3}


def test_blank_nodes_are_counted_and_left_out(build_graph, edges_of) -> None:
    kg = build_graph(f"{FACT} ex:a ex:q [ ex:r ex:c ] . _:x a ex:T ; rdfs:label 'x' .")
    assert local(edges_of(kg)) == {"a p b"}
    assert kg.built.reports[0].left_out == {"blank node": 4}


def test_an_alias_that_is_a_thing_is_an_edge(build_graph, edges_of) -> None:
    # DBpedia has them: dbo:alias with an IRI.
    kg = build_graph(f'{FACT} ex:a dbo:alias ex:c, "A. A."@en .')
    assert local(edges_of(kg)) == {"a p b", "a alias c"}
    assert kg.aliases(EX + "a") == ["A. A."]


def test_a_label_that_is_a_thing_is_no_edge(build_graph, edges_of) -> None:
    kg = build_graph(f"{FACT} ex:a rdfs:label ex:c .")
    assert local(edges_of(kg)) == {"a p b"}
    assert kg.built.reports[0].left_out == {"a name that is no literal": 1}


def test_an_ontology_document_is_no_entity(build_graph, edges_of) -> None:
    kg = build_graph(f"{FACT} ex:onto a owl:Ontology ; ex:publisher ex:c ; ex:p ex:b .")
    assert local(edges_of(kg)) == {"a p b"}
    assert kg.built.left_out["about an ontology document"] == 2


def test_names_by_every_predicate(build_graph) -> None:
    kg = build_graph(
        'ex:a rdfs:label "Label"@en ; skos:altLabel "Alt"@en ; dbo:alias "Alias"@en ; ex:p ex:b .'
        ' ex:b skos:prefLabel "Preferred"@en .'
    )
    assert kg.entity(EX + "a").label == "Label"
    assert sorted(kg.aliases(EX + "a")) == ["Alias", "Alt"]
    assert kg.entity(EX + "b").label == "Preferred"


def test_a_thing_without_a_label_keeps_its_aliases(build_graph) -> None:
    kg = build_graph('dbr:Daniel_Craig skos:altLabel "Danny"@en ; ex:p ex:b .')
    assert kg.entity("Danny").label == "Daniel Craig"
    assert kg.aliases("Daniel Craig") == ["Danny"]


def test_names_lose_outer_and_double_spaces_and_repetitions(build_graph) -> None:
    kg = build_graph(
        'ex:a rdfs:label "  The \\n Name "@en ; skos:altLabel "The Name", " "@en ; ex:p ex:b .'
    )
    assert kg.entity(EX + "a").label == "The Name"
    assert kg.aliases(EX + "a") == []


@pytest.mark.parametrize(
    ("statements", "description", "text"),
    [
        ('rdfs:comment "One. Two."', "One.", "One. Two."),
        ('dbo:abstract "Long. Text."', "Long.", "Long. Text."),
        ('rdfs:comment "Short. More." ; dbo:abstract "Long. Text."', "Short.", "Long. Text."),
        ('rdfs:comment "  "', "", ""),
    ],
)
def test_comment_and_abstract_give_sentence_and_text(
    statements: str, description: str, text: str, build_graph
) -> None:
    kg = build_graph(f"ex:a {statements} ; ex:p ex:b .")
    assert (kg.entity(EX + "a").description, kg.text(EX + "a")) == (description, text)


def test_types_and_the_ontology(build_graph) -> None:
    kg = build_graph(
        "ex:a a ex:Actor, owl:NamedIndividual, owl:Thing ; ex:p ex:b . ex:Actor a owl:Class ;"
        ' rdfs:subClassOf ex:Person ; rdfs:label "thespian"@en .'
        " ex:p a owl:ObjectProperty ; rdfs:subPropertyOf ex:related . ex:Unused a rdfs:Class ."
    )
    assert [c.label for c in kg.types(EX + "a")] == ["thespian"]
    assert {c.label: c.entities for c in kg.classes()} == {"thespian": 1, "person": 0, "unused": 0}
    assert kg.relation("related").edges == 0
    rows = (
        "SELECT c.iri, p.iri FROM {0}_parent JOIN {0} c ON c.id = child JOIN {0} p ON p.id = parent"
    )
    for table, pair in (("class", ("Actor", "Person")), ("relation", ("p", "related"))):
        assert kg.store.db.execute(rows.format(table)).fetchall() == [(EX + pair[0], EX + pair[1])]
    assert len(kg) == 2  # classes and properties are no entities


def test_a_class_linked_by_a_fact_is_an_entity_too(build_graph) -> None:
    kg = build_graph("ex:a a ex:T ; ex:studies ex:T .")
    assert kg.entity(EX + "T").degree == 1
    assert [c.iri for c in kg.types(EX + "a")] == [EX + "T"]


def test_of_several_labels_a_relation_takes_the_one_its_iri_spells(build_graph) -> None:
    kg = build_graph('ex:a ex:writer ex:b . ex:writer rdfs:label "auteur"@en, "Writer"@en .')
    assert kg.relations()[0].label == "Writer"


def test_duplicates_and_self_loops_are_counted(build_graph) -> None:
    kg = build_graph(f"{FACT} {FACT} ex:a ex:p ex:a . ex:a ex:p ex:b .", FACT)
    assert kg.built.left_out == {"duplicate": 3, "self-loop": 1}
    assert (kg.built.edges, kg.built.entities) == (1, 2)
    assert kg.built.statements == 5


def test_a_thing_with_only_a_self_loop_is_no_entity(build_graph) -> None:
    assert len(build_graph(f"{FACT} ex:lonely ex:p ex:lonely .")) == 2


@pytest.mark.parametrize(
    ("predicate", "what"), [("rdfs:subClassOf", "subClassOf"), ("rdfs:subPropertyOf", "subProp")]
)
def test_a_circle_in_the_ontology_is_noted_and_does_no_harm(
    predicate: str, what: str, build_graph
) -> None:
    kg = build_graph(f"{FACT} ex:p a ex:X . ex:X {predicate} ex:Y . ex:Y {predicate} ex:X .")
    (note,) = kg.built.notes
    assert note.startswith(what)
    assert "X → Y → X" in note or "Y → X → Y" in note


def test_a_class_below_itself_is_no_circle(build_graph) -> None:
    assert build_graph(f"{FACT} ex:X rdfs:subClassOf ex:X .").built.notes == []
