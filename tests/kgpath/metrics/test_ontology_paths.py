"""Ontology paths: the paper's figures, several types and parents, cycles, and real graph files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import kgpath
from kgpath.errors import UnknownName
from kgpath.metrics import OntologyPaths
from kgpath.metrics.ontology_paths import distance, distance_to_root

OWL_THING = "http://www.w3.org/2002/07/owl#Thing"


def between(paths: OntologyPaths, one: str, other: str) -> float:
    return distance(paths.entity_nodes(one), paths.entity_nodes(other))


def test_the_figures_of_the_paper(ontology: OntologyPaths) -> None:
    assert ontology.entity("The Godfather") == ("root", "Work", "Film", "<The Godfather>")
    assert ontology.entity("Yungblud") == (
        "root", "Person", "Artist", "MusicalArtist", "<Yungblud>",
    )  # fmt: skip
    assert between(ontology, "The Godfather", "Yungblud") == 7 / 8
    assert between(ontology, "The Godfather", "Skyfall") == 2 / 5
    assert distance_to_root(ontology.entity_nodes("The Godfather")) == 3 / 4


def test_an_entity_without_types_is_directly_below_the_root(ontology: OntologyPaths) -> None:
    assert ontology.entity("Nobody") == ("root", "<Nobody>")
    assert between(ontology, "Nobody", "Nobody else") == 2 / 3


def test_an_entity_is_never_taken_for_a_class_of_the_same_name(ontology: OntologyPaths) -> None:
    assert between(ontology, "Film", "The Godfather") == 4 / 5  # only the root in common


def test_of_several_types_the_deepest_counts_then_the_alphabet() -> None:
    paths = OntologyPaths.from_dicts(
        {"e": ["A", "Z"], "f": ["C", "B"]}, {"Z": ["Y"], "B": ["X"], "C": ["W"]}
    )
    assert paths.entity("e") == ("root", "Y", "Z", "<e>")
    assert paths.entity("f") == ("root", "X", "B", "<f>")


def test_of_several_parents_the_longest_way_counts_then_the_alphabet() -> None:
    parents = {"a": ["top", "b"], "b": ["c"], "c": ["top"], "d": ["z", "y"]}
    paths = OntologyPaths.from_dicts({"e": ["a"], "f": ["d"]}, parents)
    assert paths.entity("e") == ("root", "top", "c", "b", "a", "<e>")
    assert paths.entity("f") == ("root", "y", "d", "<f>")


@pytest.mark.parametrize("first", ["a", "b", "c", "below"])
def test_the_members_of_a_cycle_are_equals(first: str) -> None:
    parents = {"below": ["a"], "a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["top"]}
    paths = OntologyPaths.from_dicts({name: [name] for name in parents}, parents)
    paths.entity(first)  # what is asked first makes no difference
    assert paths.entity("a") == ("root", "top", "d", "a", "<a>")
    assert paths.entity("b") == ("root", "top", "d", "b", "<b>")
    assert paths.entity("c") == ("root", "top", "d", "c", "<c>")
    assert paths.entity("below") == ("root", "top", "d", "a", "below", "<below>")


def test_a_cycle_with_nothing_above_and_a_class_above_itself() -> None:
    paths = OntologyPaths.from_dicts({"e": ["a"], "f": ["s"]}, {"a": ["b"], "b": ["a"], "s": ["s"]})
    assert paths.entity("e") == ("root", "a", "<e>")
    assert paths.entity("f") == ("root", "s", "<f>")


def test_a_long_chain_needs_no_recursion() -> None:
    parents = {f"c{i}": [f"c{i + 1}"] for i in range(1200)}
    assert len(OntologyPaths.from_dicts({"e": ["c0"]}, parents).entity("e")) == 1203


def test_owl_thing_is_the_root_itself() -> None:
    paths = OntologyPaths.from_dicts(
        {"e": ["Film", OWL_THING], "f": [OWL_THING]}, {"Film": [OWL_THING]}
    )
    assert paths.entity("e") == ("root", "Film", "<e>")
    assert paths.entity("f") == ("root", "<f>")


def test_relations_stand_below_their_super_relations(ontology: OntologyPaths) -> None:
    assert ontology.relation("starring") == ("root", "participant", "starring")
    nodes = ontology.relation_nodes
    assert distance(nodes("starring"), nodes("director")) == 2 / 4
    assert distance(nodes("starring"), nodes("participant")) == 1 / 3
    assert distance(nodes("spouse"), nodes("country")) == 2 / 3  # flat: nothing is known of them


def test_backwards_a_relation_is_a_leaf_below_itself_or_the_same() -> None:
    leaf = OntologyPaths.from_dicts({}, {}, {})
    assert leaf.relation("spouse", forward=False) == ("root", "spouse", "^spouse")
    assert distance(leaf.relation_nodes("spouse"), leaf.relation_nodes("spouse", False)) == 1 / 3
    same = OntologyPaths.from_dicts({}, inverse="same")
    assert same.relation("spouse", forward=False) == same.relation("spouse")
    with pytest.raises(UnknownName, match=r"No inverse 'reverse'. Known: leaf, same"):
        OntologyPaths.from_dicts({}, inverse="reverse")


def test_a_graph_file_is_read(film: kgpath.Graph) -> None:
    paths = OntologyPaths.from_graph(film)
    dbo = "http://dbpedia.org/ontology/"
    craig = film.entity("Daniel Craig").iri  # an Actor and a Person: the deeper one counts
    assert paths.entity(craig) == ("root", f"{dbo}Person", f"{dbo}Actor", f"<{craig}>")
    assert paths.entity(film.entity("London").iri)[0::2] == ("root",)
    assert paths.entity("not in the graph") == ("root", "<not in the graph>")
    starring = film.relation("starring").iri
    assert paths.relation(starring) == ("root", f"{dbo}participant", starring)


def test_cycles_in_a_graph_file_do_not_hang(build_graph: Callable[..., kgpath.Graph]) -> None:
    kg = build_graph(
        "ex:e ex:knows ex:f ; a ex:A . ex:A rdfs:subClassOf ex:B, ex:A . ex:B rdfs:subClassOf ex:A,"
        " owl:Thing . ex:knows rdfs:subPropertyOf ex:meets . ex:meets rdfs:subPropertyOf ex:knows ."
    )
    paths = OntologyPaths.from_graph(kg)
    ex = "http://example.org/"
    assert paths.entity(f"{ex}e") == ("root", f"{ex}A", f"<{ex}e>")
    assert paths.relation(f"{ex}knows") == ("root", f"{ex}knows")


def test_a_graph_file_is_read_when_needed_and_once(film: kgpath.Graph) -> None:
    said: list[str] = []
    with kgpath.open(film.path, tracer=said.append) as kg:
        said.clear()
        paths = OntologyPaths.from_graph(kg)
        assert said == []
        for _ in range(3):
            paths.entity_nodes("http://dbpedia.org/resource/Roger_Moore")
        assert len(said) == 2  # his types, all classes
