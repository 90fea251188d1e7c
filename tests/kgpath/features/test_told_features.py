"""What says whether a text tells a fact, on tiny graphs with texts made for each feature."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.datasets.sample_files import sample_text
from kgpath.features.path_features import PathFeatures
from kgpath.features.relation_meaning import MEANING_FEATURES
from kgpath.features.told_features import TOLD_FEATURES, ToldFeatures
from kgpath.lexicon.near_words import nearness
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for

COUPLE = """
ex:ann rdfs:label "Ann Lee" ; ex:spouse ex:bob ; ex:employer ex:bob ; ex:p99 ex:bob .
ex:bob rdfs:label "Bob Ray" ; ex:birthPlace ex:ulm .
ex:cid rdfs:label "Cid Poe" ; ex:spouse ex:dan .
ex:dan rdfs:label "Dan Fox" ; ex:birthPlace ex:ulm .
ex:eve rdfs:label "Eve May" ; ex:employer ex:ann ; ex:spouse ex:ann .
ex:ulm rdfs:label "Ulm" .
"""
MARRIED = "Ann Lee was married to Bob Ray. Much later the weather got worse near Ulm."


def rows(graph, head: str, tail: str, text: str) -> dict[tuple[str, str, str], dict[str, float]]:
    """All features of all facts, by head, relation and tail."""
    context = Context(graph, text)
    found = candidates_for(context, graph.entity(head), graph.entity(tail))
    features = PathFeatures(context, found)
    table, facts = ToldFeatures(features).table(), features.facts
    assert np.isfinite(table.values).all()
    relations = graph.store.relations
    return {
        (
            graph.entity(int(head)).label,
            relations[relation].label,
            graph.entity(int(tail)).label,
        ): dict(zip(table.names, row, strict=True))
        for head, relation, tail, row in zip(
            facts.heads, facts.relations, facts.tails, table.values.tolist(), strict=True
        )
    }


def of_couple(graph, text: str) -> tuple[dict[str, float], dict[str, float]]:
    """The features of spouse and of employer, which both join Ann and Bob."""
    facts = rows(graph, "Ann Lee", "Bob Ray", text)
    return facts["Ann Lee", "spouse", "Bob Ray"], facts["Ann Lee", "employer", "Bob Ray"]


@pytest.fixture
def couple(build_graph):
    return build_graph(COUPLE)


def test_married_to_means_spouse_more_than_employer(couple) -> None:
    spouse, employer = of_couple(couple, MARRIED)
    for name in ("meant near", "best meant near", "meant in sentence", "meant between"):
        assert spouse[name] > employer[name] + 0.1, name
    assert spouse["meant near"] == pytest.approx(0.7)  # as the table by hand says, between the ends
    for name in ("meant near behind", "meant in sentence behind", "best meant behind"):
        assert spouse[name] == 0 > employer[name], name
    assert employer["meant near behind"] == pytest.approx(
        employer["meant near"] - spouse["meant near"]
    )


def test_words_that_share_no_letters_and_no_table_are_near_in_meaning(couple) -> None:
    spouse, employer = of_couple(couple, "Ann Lee was the widow of Bob Ray.")
    assert spouse["relation near"] == employer["relation near"] == 0
    assert spouse["meant near"] > employer["meant near"]
    assert spouse["meant between"] > employer["meant between"]


def test_the_word_of_the_relation_itself_is_1_and_farther_away_less(couple) -> None:
    near, _ = of_couple(couple, "Ann Lee, the spouse of Bob Ray.")
    behind, _ = of_couple(couple, "Ann Lee saw Bob Ray, a spouse.")
    assert near["meant near"] == near["meant in sentence"] == 1
    # The spouse is the second token after the last end.
    assert behind["meant near"] == pytest.approx(np.exp(-2 / 8))
    assert behind["meant in sentence"] == 1
    assert near["meant between"] > behind["meant between"]


def test_a_word_in_another_sentence_is_not_in_the_sentence(couple) -> None:
    spouse, _ = of_couple(couple, "Ann Lee saw Bob Ray. A spouse came.")
    assert 0 < spouse["meant near"] < 1
    assert spouse["meant in sentence"] < 0.5 < spouse["meant near"]


def test_words_up_to_24_tokens_before_the_ends_are_looked_at(couple) -> None:
    far, near = (
        of_couple(couple, f"A spouse was {'so ' * count}there with Ann Lee and Bob Ray.")[0]
        for count in (30, 14)
    )
    assert near["meant in sentence"] == 1 > far["meant in sentence"]


def test_rare_words_of_a_relation_count_more(build_graph) -> None:
    graph = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:birthPlace ex:bob ; ex:deathPlace ex:bob .
        ex:bob rdfs:label "Bob Ray" ; ex:spouse ex:ann .
        """
    )
    facts = rows(graph, "Ann Lee", "Bob Ray", "Ann Lee saw a place of Bob Ray.")
    birth = nearness(["birth"], ["saw", "place"]).max()
    # Of three relations two are named with "place": it counts log 2, and "birth" log 4.
    expected = (np.log(2) + np.log(4) * birth) / np.log(8)
    assert facts["Ann Lee", "birth place", "Bob Ray"]["meant near"] == pytest.approx(expected)


def test_a_name_of_a_relation_in_one_word_is_taken_apart(build_graph) -> None:
    graph = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:youthclub ex:bob . ex:bob rdfs:label "Bob Ray" .
        """
    )
    facts = rows(graph, "Ann Lee", "Bob Ray", "Ann Lee joined the club for the youth of Bob Ray.")
    assert facts["Ann Lee", "youthclub", "Bob Ray"]["meant near"] == pytest.approx(1)


def test_a_fact_without_words_near_it_means_nothing(couple) -> None:
    spouse, employer = of_couple(couple, "Ann Lee and Bob Ray.")
    for name in MEANING_FEATURES:
        assert spouse[name] == employer[name] == 0


def test_words_of_names_say_no_relation(build_graph) -> None:
    graph = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:spouse ex:bob .
        ex:bob rdfs:label "Bob Ray" . ex:film rdfs:label "Spouse" ; ex:starring ex:ann .
        """
    )
    fact = rows(graph, "Ann Lee", "Bob Ray", "Ann Lee saw the Spouse, and Bob Ray.")
    assert fact["Ann Lee", "spouse", "Bob Ray"]["meant near"] < 0.5


def test_of_facts_of_one_relation_at_one_end_the_one_told_is_ahead(build_graph) -> None:
    graph = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:spouse ex:bob, ex:cid .
        ex:bob rdfs:label "Bob Ray" ; ex:friend ex:cid . ex:cid rdfs:label "Cid Poe" .
        """
    )
    text = "Ann Lee was married to Bob Ray. Years went by. Then Ann Lee met Cid Poe."
    facts = rows(graph, "Bob Ray", "Cid Poe", text)
    told, other = facts["Ann Lee", "spouse", "Bob Ray"], facts["Ann Lee", "spouse", "Cid Poe"]
    assert told["meant elsewhere"] == 0 > other["meant elsewhere"]
    assert other["meant elsewhere"] == pytest.approx(other["meant near"] - told["meant near"])
    assert facts["Bob Ray", "friend", "Cid Poe"]["meant elsewhere"] == 0


# Said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MARRIED, 1),
        ("Ann Lee was never married to Bob Ray.", 0),
        ("Did Ann Lee marry Bob Ray?", 0),
        ("Perhaps Ann Lee will marry Bob Ray.", 0),
        ("Ann Lee was not only married to Bob Ray.", 1),
        ("Ann Lee came. Rain fell.", 1),
        ("Ann Lee was never married.", 1),  # of an end that is not seen nothing is denied
    ],
)
def test_what_is_denied_asked_or_supposed_is_not_said(couple, text: str, said: int) -> None:
    spouse, employer = of_couple(couple, text)
    assert spouse["said"] == employer["said"] == said


# Any graph


def test_features_that_count_what_one_graph_has_are_left_out(couple) -> None:
    spouse, _ = of_couple(couple, MARRIED)
    assert tuple(spouse) == tuple(TOLD_FEATURES)
    assert not {"frequency", "head degree", "tail degree", "less degree"} & spouse.keys()
    assert all(TOLD_FEATURES.values())


def test_shares_of_the_ends(couple) -> None:
    spouse, _ = of_couple(couple, MARRIED)
    # Ann has five facts, Bob four; two others have two, Cid one and Ulm two.
    assert spouse["head share"] > spouse["tail share"] == spouse["less share"] > 0.5


def test_a_graph_with_one_relation(build_graph) -> None:
    graph = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:spouse ex:bob . ex:bob rdfs:label "Bob Ray" .
        """
    )
    fact = rows(graph, "Ann Lee", "Bob Ray", MARRIED)["Ann Lee", "spouse", "Bob Ray"]
    assert fact["relation share"] == fact["head share"] == fact["tail share"] == 0.5
    assert fact["meant near"] == pytest.approx(0.7)
    assert fact["meant near behind"] == fact["meant elsewhere"] == 0


def test_relations_whose_names_say_nothing(build_graph) -> None:
    graph = build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; ex:P26 ex:bob ; ex:17 ex:bob ; <http://ex.org/!!!> ex:bob .
        ex:bob rdfs:label "Bob Ray" .
        """
    )
    facts = rows(graph, "Ann Lee", "Bob Ray", MARRIED)
    assert len(facts) == 3
    assert all(row["meant near"] == 0 == row["meant between"] for row in facts.values())


@pytest.mark.parametrize(
    "text", ["", "!", "Ann Lee", "Ann Lee Bob Ray", "Ann Lee and Bob Ray in 1990", "it was of the"]
)
def test_a_text_without_free_words(couple, text: str) -> None:
    spouse, _ = of_couple(couple, text)
    assert all(spouse[name] == 0 for name in MEANING_FEATURES)
    assert spouse["said"] == 1


def test_a_text_in_chinese(build_graph) -> None:
    graph = build_graph(
        """
        ex:li rdfs:label "李安" ; ex:wife ex:lin ; ex:teacher ex:lin .
        ex:lin rdfs:label "林惠嘉" . ex:wife rdfs:label "妻" . ex:teacher rdfs:label "师" .
        """,
    )
    facts = rows(graph, "李安", "林惠嘉", "李安的妻子是林惠嘉。")
    wife = next(row for (_, label, _), row in facts.items() if label in ("妻", "wife"))
    teacher = next(row for (_, label, _), row in facts.items() if label in ("师", "teacher"))
    assert wife["seen"] == wife["together"] == wife["said"] == 1
    # A sign of the text is a sign of the relation's name; of the other's there is none.
    assert wife["meant near"] == 1 > teacher["meant near"] == 0
    assert wife["meant between"] == 0  # no vectors for it


def test_the_ids_of_a_graph_change_no_row(build_graph) -> None:
    text = f"{MARRIED} Cid Poe, the husband of Dan Fox, was born in Ulm."
    plain = build_graph(COUPLE, output="plain.kg")
    names = "ann bob cid dan eve ulm spouse employer p99 birthPlace".split()
    turned_facts = COUPLE
    for number, name in enumerate(names):  # the same last part of every name, in another order
        turned_facts = turned_facts.replace(f"ex:{name} ", f"<http://ex.org/{9 - number}/{name}> ")
    turned = build_graph(turned_facts, output="turned.kg")
    labels = [[relation.label for relation in graph.store.relations] for graph in (plain, turned)]
    assert labels[0] != labels[1] and sorted(labels[0]) == sorted(labels[1])
    assert plain.entity("Ann Lee").id < plain.entity("Ulm").id
    assert turned.entity("Ann Lee").id > turned.entity("Ulm").id
    one, other = (rows(graph, "Ann Lee", "Dan Fox", text) for graph in (plain, turned))
    assert one == other and len(one) >= 5


def test_swapping_the_ends_of_the_query_changes_no_row(sample) -> None:
    text = sample_text("sample-02")
    one = rows(sample, "Emma Stone", "Andrew Garfield", text)
    other = rows(sample, "Andrew Garfield", "Emma Stone", text)
    assert one == other and len(one) > 50


def test_other_candidates_change_nothing_that_is_meant_near_a_fact(sample) -> None:
    context = Context(sample, sample_text("sample-02"))
    ends = sample.entity("Emma Stone"), sample.entity("Andrew Garfield")
    found = candidates_for(context, *ends)

    def meant(candidates) -> dict[tuple[int, ...], list[float]]:
        """By fact and by where its ends stand, which names of other candidates may change."""
        features = PathFeatures(context, candidates)
        table, facts, found = ToldFeatures(features).table(), features.facts, features.evidence
        names = ("meant near", "best meant near", "meant in sentence", "meant between", "said")
        keys = np.stack([facts.heads, facts.relations, facts.tails, found.first, found.last])
        values = table.select(names).values.tolist()
        return dict(zip(map(tuple, keys.T.tolist()), values, strict=True))

    whole, same = meant(found), 0
    for row in range(0, len(found), 5):
        for fact, numbers in meant(found.take(np.array([row]))).items():
            if fact in whole:
                assert numbers == whole[fact]  # to the last digit
                same += 1
    assert same > 100


def test_without_paths_there_are_no_rows(build_graph) -> None:
    apart = build_graph(
        'ex:a rdfs:label "A1" ; ex:p ex:b . ex:c rdfs:label "C1" ; ex:p ex:d .', output="apart.kg"
    )
    assert rows(apart, "A1", "C1", "A1 was married to C1.") == {}


def test_a_fact_of_a_very_long_text(couple) -> None:
    # More words between the ends than are looked at: those in the middle count.
    text = f"Ann Lee {'walked slowly home ' * 40} and married {'walked slowly home ' * 40} Bob Ray."
    spouse, employer = of_couple(couple, text)
    assert spouse["meant near"] == pytest.approx(0.7)
    assert spouse["meant near"] > employer["meant near"]
