"""Questions over an open graph: which entity is meant, which pairs can be asked, and with what."""

from __future__ import annotations

import pytest

import kgpath
from kgpath.datasets.sample_files import sample_text
from kgpath.errors import (
    AmbiguousEntity,
    BadOption,
    SameEntity,
    UnknownEntity,
    UnknownName,
)
from kgpath.linking.mentions import Link
from kgpath.plugins import DEFAULT_RANKER
from kgpath.rankers.shortest import Shortest
from kgpath.retriever import Pair, Retriever

DBR = "http://dbpedia.org/resource/"
TEXT = "Roger Moore and Daniel Craig both played James Bond."
CROWD = "Roger Moore and Daniel Craig and Beyoncé met James Bond in London."


def listed(pairs: list[Pair]) -> list[tuple[str, str, int, int]]:
    return [(str(pair.head), str(pair.tail), pair.hops, pair.gap) for pair in pairs]


def test_swapped_entities_have_the_same_paths_from_the_other_end(sample: kgpath.Graph) -> None:
    for name, head, tail in (
        ("sample-02", "Emma Stone", "Andrew Garfield"),
        ("sample-06", "Barack Obama", "Bill Clinton"),
    ):
        there = sample.query(head, tail, sample_text(name), k=20)
        back = sample.query(tail, head, sample_text(name), k=20)
        assert [a.path.iris() for a in there] == [a.path.reversed().iris() for a in back]
        assert [a.score for a in there] == pytest.approx([a.score for a in back], abs=1e-12)
        assert [(a.support, a.quotes) for a in there] == [(a.support, a.quotes) for a in back]


# Which entity is meant


def test_a_name_of_several_is_settled_by_the_text(sample: kgpath.Graph) -> None:
    text = sample.context(sample_text("sample-04"))
    with pytest.raises(AmbiguousEntity, match="names 3 entities"):
        sample.entity("Casino Royale")
    assert sample.context(text).entity("Casino Royale").iri == DBR + "Casino_Royale_(2006_film)"
    answers = sample.query("Casino Royale", "Charlie and the Chocolate Factory", text, k=1)
    assert [str(node) for node in answers[0].path.nodes][1] == "Pinewood Studios"


def test_another_text_means_another_one(film: kgpath.Graph) -> None:
    for text, iri in (
        ("Casino Royale, a novel by Ian Fleming.", "Casino_Royale_(novel)"),
        ("Casino Royale, the film of 2006 with Daniel Craig.", "Casino_Royale_(2006_film)"),
    ):
        assert film.context(text).entity("Casino Royale").iri == DBR + iri


def test_where_the_text_does_not_settle_it_the_choices_are_shown(film: kgpath.Graph) -> None:
    with pytest.raises(AmbiguousEntity, match="names 2 entities"):
        film.query("Casino Royale", "Daniel Craig", "Daniel Craig went to Paris.")
    links = [
        Link(film.entity(DBR + iri).id, words)
        for iri, words in (("Casino_Royale_(novel)", "book"), ("Casino_Royale_(2006_film)", "film"))
    ]
    both = film.context("First came the book, then the film.", links)
    with pytest.raises(AmbiguousEntity, match=r"Casino_Royale_\(novel\)"):
        both.entity("Casino Royale")
    one = film.context("First came the book, then the film.", links[:1])
    assert one.entity("Casino Royale").iri == DBR + "Casino_Royale_(novel)"


def test_a_link_says_what_is_meant(film: kgpath.Graph) -> None:
    text = "Roger Moore and Daniel Craig both played the agent."
    bond = film.entity("James Bond")
    plain, linked = (
        film.query("Roger Moore", "Daniel Craig", text, links=links)
        for links in ([], [Link(bond.id, "the agent")])
    )
    assert (plain.verdict, linked.verdict) == ("none", "relevant")
    assert linked[0].quotes[0].marked() == (
        "[Roger Moore] and [Daniel Craig] both [played] [the agent]."
    )


# Which pairs can be asked about


def test_pairs_are_mentioned_and_connected_the_closest_first(film: kgpath.Graph) -> None:
    assert listed(film.pairs(CROWD)) == [
        ("Daniel Craig", "James Bond", 1, 3),
        ("Roger Moore", "James Bond", 1, 6),
        ("Roger Moore", "London", 1, 9),
        ("James Bond", "London", 2, 1),
        ("Roger Moore", "Daniel Craig", 2, 1),
        ("Daniel Craig", "London", 3, 6),
    ]
    assert len(film.pairs(CROWD, max_hops=1)) == 3
    assert film.pairs("It rained.") == []
    assert film.pairs("Beyoncé and London.") == []  # nothing leads there


def test_with_a_given_entity_all_pairs_have_it_mentioned_or_not(film: kgpath.Graph) -> None:
    assert listed(film.pairs(CROWD, ["London"], max_hops=2)) == [
        ("London", "Roger Moore", 1, 9),
        ("London", "James Bond", 2, 1),
    ]
    # 12 tokens: as far as the text is long.
    assert listed(film.pairs(CROWD, ["Ian Fleming"], max_hops=1)) == [
        ("Ian Fleming", "James Bond", 1, 12)
    ]
    assert film.pairs(CROWD, ["Alien: Covenant"])[0].tail.label == "Beyoncé"


def test_a_given_name_of_several_is_settled_by_the_text_too(film: kgpath.Graph) -> None:
    (pair,) = film.pairs("Casino Royale, a novel by Ian Fleming.", ["Casino Royale"])
    assert (pair.head.iri, str(pair.tail)) == (DBR + "Casino_Royale_(novel)", "Ian Fleming")


# With what


def test_a_ranker_by_name_or_as_an_object(film: kgpath.Graph) -> None:
    assert film.query("Roger Moore", "Daniel Craig", TEXT).ranker == DEFAULT_RANKER
    named = film.query("Roger Moore", "Daniel Craig", TEXT, ranker="shortest")
    given = film.query("Roger Moore", "Daniel Craig", TEXT, ranker=Shortest())
    assert (named.ranker, given.ranker) == ("shortest", "Shortest")
    assert named[0] == given[0]
    assert named[0].parts == {"length": -2.0}


def test_ties_stay_in_the_order_of_the_candidates(sample: kgpath.Graph) -> None:
    text = sample.context(sample_text("sample-01"))
    ends = sample.entity("Roger Moore"), sample.entity("Daniel Craig")
    retriever = sample.retriever("random", limit=40)
    assert retriever.rank(text, *ends).order.tolist() == list(range(40))
    iris = [path.iris() for path in retriever.candidates(text, *ends)]
    shown = [iris.index(a.path.iris()) for a in retriever.query(*ends, text, k=40)]
    assert shown == sorted(shown) and shown[0] == 0


def test_k_and_the_limit_say_how_many(sample: kgpath.Graph) -> None:
    text = sample_text("sample-01")
    answers = sample.query("Roger Moore", "Daniel Craig", text, k=3, limit=7)
    assert (len(answers), answers.candidates, answers.truncated) == (3, 7, True)
    assert len(sample.query("Roger Moore", "Daniel Craig", text, k=50, limit=7)) == 7
    few = sample.query("Roger Moore", "Daniel Craig", text, max_hops=2)
    assert (len(few), few.candidates, few.truncated) == (4, 4, False)


def test_what_was_made_for_a_question_serves_the_next(film: kgpath.Graph) -> None:
    assert film.retriever() is film.retriever(DEFAULT_RANKER)
    assert film.retriever(max_hops=2) is not film.retriever(max_hops=3)
    assert film.retriever("shortest") is not film.retriever("random")
    text = film.context(TEXT)
    assert film.context(text) is text
    assert film.query("Roger Moore", "Daniel Craig", text) == film.query(
        "Roger Moore", "Daniel Craig", TEXT
    )


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_text_cannot_choose(film: kgpath.Graph, text: str) -> None:
    with pytest.raises(BadOption, match="The text is empty"):
        film.query("Roger Moore", "Daniel Craig", text)


def test_bad_questions_say_what_is_wrong(film: kgpath.Graph) -> None:
    with pytest.raises(SameEntity, match="Both ends are James Bond"):
        film.query("007", "James Bond", TEXT)
    with pytest.raises(UnknownEntity, match="Closest: Daniel Craig"):
        film.query("Roger Moore", "Danil Craig", TEXT)
    with pytest.raises(UnknownName, match="Known: avg-cosine"):
        film.query("Roger Moore", "Daniel Craig", TEXT, ranker="best")
    with pytest.raises(BadOption, match="max_hops is 9"):
        film.query("Roger Moore", "Daniel Craig", TEXT, max_hops=9)
    with pytest.raises(BadOption, match="limit is 0; it can be 1 or more"):
        Retriever(film, limit=0)
    with pytest.raises(UnknownName, match="nonsense"):
        film.query("Roger Moore", "Daniel Craig", TEXT, drop=["nonsense"])
