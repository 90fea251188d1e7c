"""How a text calls things: kinds, names, pronouns."""

from __future__ import annotations

import pytest

import kgpath
from kgpath.datasets.told_texts.things import Things


@pytest.fixture
def things(sample: kgpath.Graph) -> Things:
    return Things(sample)


@pytest.mark.parametrize(
    ("name", "kind", "noun", "pronoun"),
    [
        ("Daniel Craig", "p", "actor", "he"),
        ("Emma Stone", "p", "actor", "she"),
        ("La La Land", "w", "film", "it"),
    ],
)
def test_classes_say_what_kind_of_thing_it_is(
    things: Things, name: str, kind: str, noun: str, pronoun: str
) -> None:
    entity = things.graph.entity(name).id
    assert things.kind(entity) == kind
    assert things.noun(entity) == noun
    assert things.pronoun(entity, kind) == pronoun


def test_names_of_lists_tables_and_numbers_are_left_alone(build_graph) -> None:
    labels = {"a": "List of rivers", "b": "1999", "c": "Ann Lee", "d": "ann", "e": "X: Y"}
    facts = " ".join(f'ex:{k} rdfs:label "{v}" ; ex:r ex:c .' for k, v in labels.items())
    with build_graph(facts) as kg:
        things = Things(kg)
        usable = {k for k in labels if things.is_nameable(kg.entity(f"ex:{k}").id)}
    assert usable == {"c"}


def test_a_last_name_stands_alone_only_if_it_is_a_word(build_graph) -> None:
    labels = {"a": "Ann Lee", "b": "Robert Downey Jr.", "c": "Ann Peters", "d": "Mary of Burgundy"}
    facts = " ".join(f'ex:{k} rdfs:label "{v}" ; ex:r ex:c .' for k, v in labels.items())
    with build_graph(facts) as kg:
        things = Things(kg)
        found = {things.last_name(kg.entity(f"ex:{k}").id) for k in labels}
    assert found == {"", "Peters"}
