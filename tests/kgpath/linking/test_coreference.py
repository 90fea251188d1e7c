"""Pronouns and "the city" for what a text named before."""

from __future__ import annotations

import pytest

from kgpath.features.path_features import PathFeatures
from kgpath.linking.context import Context
from kgpath.linking.occurrences import find_occurrences
from kgpath.paths.candidates import candidates_for


@pytest.fixture
def graph(build_graph):
    return build_graph(
        """
        ex:Painter rdfs:subClassOf ex:Person . ex:Person rdfs:label "person" .
        ex:Town a owl:Class ; rdfs:label "town" .
        ex:BigTown rdfs:subClassOf ex:Town ; rdfs:label "big town" .
        ex:ann rdfs:label "Ann Lee" ; a ex:Painter ; ex:birthPlace ex:ulm ; ex:residence ex:bonn .
        ex:ulm rdfs:label "Ulm" ; a ex:BigTown ; ex:twin ex:bonn .
        ex:bonn rdfs:label "Bonn" ; a ex:BigTown .
        ex:club rdfs:label "Red Club" ; ex:ground ex:ulm .
        """
    )


def shown(kg, text: str, name: str) -> list[str]:
    """The words by which the text shows an entity."""
    context = Context(kg, text)
    wanted = [kg.entity(label).id for label in ("Ann Lee", "Ulm", "Bonn", "Red Club")]
    words = context.tokens.words
    return [
        " ".join(words[a:b]) for a, b in find_occurrences(context, wanted).of(kg.entity(name).id)
    ]


def test_a_pronoun_means_what_its_sentence_or_the_one_before_begins_with(graph) -> None:
    text = "Ann Lee was born in Ulm. She lives in Bonn."
    assert shown(graph, text, "Ann Lee") == ["ann lee", "she"]
    assert shown(graph, text, "Ulm") == ["ulm"]
    assert shown(graph, "In Ulm it rains on its Bonn road.", "Ulm") == ["ulm", "it", "its"]


def test_a_person_is_no_it_and_a_town_no_she(graph) -> None:
    assert shown(graph, "Ann Lee likes Ulm. It is old.", "Ulm") == ["ulm", "it"]
    assert shown(graph, "Ulm is where Ann Lee paints. Her work hangs there.", "Ulm") == ["ulm"]


def test_of_what_has_no_class_anything_may_be_said(graph) -> None:
    assert shown(graph, "Red Club plays in Ulm. It wins, and he is glad.", "Red Club") == [
        "red club", "it", "he",
    ]  # fmt: skip


def test_the_town_is_the_one_named_last(graph) -> None:
    text = "Ulm is near Bonn. Ann Lee loves the town."
    assert shown(graph, text, "Bonn") == ["bonn", "the town"]
    assert shown(graph, text, "Ulm") == ["ulm"]


@pytest.mark.parametrize("text", ["Ann Lee. The town of Bonn.", "Ulm. The town Bonn.", "A town."])
def test_a_town_with_its_name_beside_it_stands_for_no_other(graph, text: str) -> None:
    assert shown(graph, text, "Ulm") in ([], ["ulm"])


def test_a_pronoun_does_not_look_back_farther_than_two_sentences(graph) -> None:
    text = "Ann Lee paints. {}She sells."
    assert "she" in shown(graph, text.format("It rains. "), "Ann Lee")
    assert "she" not in shown(graph, text.format("It rains. It snows. "), "Ann Lee")


def test_a_fact_expressed_by_a_pronoun_counts_as_expressed_in_one_sentence(graph) -> None:
    context = Context(graph, "Ann Lee was born in Ulm. She lives in Bonn.")
    found = candidates_for(context, graph.entity("Ann Lee"), graph.entity("Bonn"))
    together = dict(zip(map(str, found), PathFeatures(context, found)["together"], strict=True))
    assert together["Ann Lee –residence→ Bonn"] == 1
