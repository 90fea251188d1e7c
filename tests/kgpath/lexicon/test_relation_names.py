"""What two names of relations have in common, and what sets them apart."""

from __future__ import annotations

import pytest

from kgpath.lexicon.relation_names import (
    RelationName,
    distinctive,
    form,
    near,
    numbered_apart,
    same_form,
    set_apart,
)

DBO = "http://dbpedia.org/ontology/"


def name(label: str, iri: str = "urn:x:P1") -> RelationName:
    return RelationName.of(label, iri)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("leader", "leader name"),
        ("stylistic origin", "Stylistic origins"),
        ("place of birth", "birth place"),
        ("home town", "hometown"),
        ("political party", "political parties"),
        ("part of", "is part of"),
        ("official language", "has official language"),
    ],
)
def test_names_that_say_the_same_have_one_form(one: str, other: str) -> None:
    assert same_form(name(one), name(other)) and same_form(name(other), name(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("capital", "capital of"),
        ("influenced", "influenced by"),
        ("birth place", "death place"),
        ("pre", "pres"),
        ("class", "clas"),
        ("written by", "~written by"),
        ("", ""),
    ],
)
def test_names_that_do_not_have_two(one: str, other: str) -> None:
    assert not same_form(name(one), name(other))


def test_what_an_iri_says_goes_before_a_label() -> None:
    family, languages = name("family", DBO + "family"), name("family", DBO + "languageFamily")
    assert not same_form(family, languages)
    assert same_form(family, name("Familie", DBO + "families"))
    assert same_form(family, name("families", "http://www.wikidata.org/prop/direct/P53"))


def test_a_name_of_little_words_alone_keeps_them() -> None:
    assert form(("name",)) == "name"
    assert form(("with",)) == "with"
    assert form(()) == ""


def test_near_names_share_meaning_or_a_word_that_is_known() -> None:
    author, writer = (("author",),), (("auteur",), ("writer",))
    assert near(author, writer) > 0.8
    assert near(author, (("director",),)) < 0.6
    assert near((("postf",),), (("postr",),)) == 0  # no words, so no forms of one
    assert near((("postf",),), (("postf",),)) == 1
    assert near((), author) == 0


def test_names_are_set_apart_by_words_and_numbers() -> None:
    arrival, departure = (("arrival", "craft"),), (("departure", "craft"),)
    assert set_apart(arrival, departure)
    assert not set_apart(arrival, departure, inverse=True)
    president, vice = (("president",),), (("vice", "president"),)
    assert set_apart(president, vice) and set_apart(president, vice, inverse=True)
    assert not set_apart((("author",),), (("writer",),))
    assert not set_apart((("founded", "by"),), (("founder",),))
    assert numbered_apart((("crew", "1"),), (("crew", "2"),))
    assert not numbered_apart((("crew", "1"),), (("crew1",),))


def test_a_name_of_more_than_five_relations_is_left_out() -> None:
    few = [name("", f"http://example.org/{part}/currency") for part in "abcde"]
    assert distinctive(few) == few
    many = distinctive([*few, name("currencies", DBO + "currencies"), name("mayor")])
    assert [each.spellings for each in many] == [()] * 6 + [(("mayor",),)]
