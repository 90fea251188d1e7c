"""What is known of each fact on the paths: by hand on a small graph, and what must always hold."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.datasets.sample_files import sample_text
from kgpath.features.hop_features import HOP_FEATURES, HopFeatures
from kgpath.features.path_features import PathFeatures
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for

TEXT = "Ann Lee was born in Ulm. Ann Lee later died in Ulm, a town of Germany."


@pytest.fixture
def graph(build_graph):
    return build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:birthPlace ex:ulm ; ex:deathPlace ex:ulm .
        ex:bob rdfs:label "Bob Ray" ; ex:birthPlace ex:ulm .
        ex:ulm rdfs:label "Ulm" ; ex:country ex:germany .
        ex:germany rdfs:label "Germany" .
        ex:birthPlace rdfs:label "birth place" .
        """
    )


def hops(kg, head: str, tail: str, text: str = TEXT) -> HopFeatures:
    context = Context(kg, text)
    found = candidates_for(context, kg.entity(head), kg.entity(tail))
    return HopFeatures(PathFeatures(context, found))


def by_fact(kg, made: HopFeatures) -> dict[tuple[str, str, str], dict[str, float]]:
    table, facts = made.table(), made.facts
    rows = table.values.tolist()
    return {
        (kg.entity(int(h)).label, kg.store.relations[r].label, kg.entity(int(t)).label): dict(
            zip(table.names, row, strict=True)
        )
        for h, r, t, row in zip(facts.heads, facts.relations, facts.tails, rows, strict=True)
    }


def test_every_feature_by_hand(graph) -> None:
    facts = by_fact(graph, hops(graph, "Ann Lee", "Germany"))
    assert set(facts) == {
        ("Ann Lee", "birth place", "Ulm"),
        ("Ann Lee", "death place", "Ulm"),
        ("Ulm", "country", "Germany"),
    }
    born, died = facts["Ann Lee", "birth place", "Ulm"], facts["Ann Lee", "death place", "Ulm"]
    assert (born["least named"], born["head named"], born["tail named"]) == (1, 1, 1)
    assert (born["together"], born["seen"], born["head first"]) == (1, 1, 1)
    assert born["gap"] == pytest.approx(np.log1p(3))  # was born in
    assert (born["head order"], born["tail order"], born["order apart"]) == (0, 1, 1)
    assert (born["head shown"], born["tail shown"]) == (2, 2)
    assert born["frequency"] == pytest.approx(np.log(3)) and died["frequency"] == np.log(2)
    assert (born["labelled"], died["labelled"]) == (1, 0)
    assert (born["labelled behind"], died["labelled behind"]) == (0, -1)
    assert died["frequency behind"] == pytest.approx(np.log(2) - np.log(3))
    assert born["parallels"] == died["parallels"] == pytest.approx(np.log(2))
    assert born["head choices"] == pytest.approx(np.log(2))  # one birth place
    assert born["tail choices"] == pytest.approx(np.log(3))  # two were born there
    assert born["tail degree"] == pytest.approx(np.log(5)) == born["tail degree"]
    country = facts["Ulm", "country", "Germany"]
    assert (country["parallels"], country["labelled behind"]) == (0, 0)
    assert country["tail order"] == 2


def test_where_the_ends_stand_among_other_names(graph) -> None:
    text = "Ann Lee and Bob Ray came from Ulm. It rained. Germany is where Ulm lies."
    facts = by_fact(graph, hops(graph, "Ann Lee", "Germany", text))
    far = by_fact(graph, hops(graph, "Bob Ray", "Germany", "Bob Ray. Rain fell. Ulm, Germany."))
    born, country = facts["Ann Lee", "birth place", "Ulm"], facts["Ulm", "country", "Germany"]
    assert (born["sentences apart"], born["opens"], country["opens"]) == (0, 0, 0)
    assert (country["others between"], country["tail nearer"]) == (0, 0)
    assert born["tail nearer"] == pytest.approx(np.log(6) - np.log(3))  # Germany is closer to Ulm
    assert far["Bob Ray", "birth place", "Ulm"]["sentences apart"] == 2
    assert facts["Ulm", "country", "Germany"]["head partners"] == pytest.approx(np.log(3))


def test_a_name_between_the_ends_is_counted(graph) -> None:
    text = "Ann Lee, Bob Ray, Ulm and Germany."
    facts = by_fact(graph, hops(graph, "Ann Lee", "Bob Ray", text))
    assert facts["Ann Lee", "birth place", "Ulm"]["others between"] == 1
    assert facts["Bob Ray", "birth place", "Ulm"]["others between"] == 0
    assert facts["Bob Ray", "birth place", "Ulm"]["opens"] == 1


def test_words_of_a_relation_belong_to_the_fact_they_stand_at(build_graph) -> None:
    kg = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:death ex:ulm ; ex:death ex:bonn .
        ex:ulm rdfs:label "Ulm" ; ex:near ex:bonn . ex:bonn rdfs:label "Bonn" .
        """
    )
    facts = by_fact(kg, hops(kg, "Ann Lee", "Bonn", "Ann Lee came to Ulm. Her death in Bonn."))
    assert facts["Ann Lee", "death", "Bonn"]["words elsewhere"] == 0
    assert facts["Ann Lee", "death", "Ulm"]["words elsewhere"] < 0


def test_what_the_text_does_not_name_comes_last(graph) -> None:
    facts = by_fact(graph, hops(graph, "Bob Ray", "Germany", "A town of Germany."))
    fact = facts["Bob Ray", "birth place", "Ulm"]
    assert (fact["seen"], fact["least named"], fact["head order"]) == (0, 0, 20)


def test_swapping_the_ends_changes_nothing(sample) -> None:
    text = sample_text("sample-02")
    one = by_fact(sample, hops(sample, "Emma Stone", "Andrew Garfield", text))
    other = by_fact(sample, hops(sample, "Andrew Garfield", "Emma Stone", text))
    assert one == other and len(one) > 50


def test_without_paths_there_are_no_rows(graph, build_graph) -> None:
    apart = build_graph(
        'ex:a rdfs:label "A1" ; ex:p ex:b . ex:c rdfs:label "C1" ; ex:p ex:d .', output="apart.kg"
    )
    assert hops(apart, "A1", "C1").table().values.shape == (0, len(HOP_FEATURES))
