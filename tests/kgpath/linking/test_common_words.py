"""A common word is a name only where the text supports it: by a neighbour, a link, an end."""

from __future__ import annotations

import pytest

from kgpath.linking.mentions import Link


@pytest.fixture
def music(build_graph):
    names = " ".join(
        f'ex:g{number} rdfs:label "{name} Governor" ; ex:in ex:texas .'
        for number, name in enumerate("First Second Last Good Bad Old Young Poor Rich".split())
    )
    return build_graph(
        """
        ex:band rdfs:label "+/- (band)" ; ex:made ex:lets .
        ex:lets rdfs:label "Let's Build a Fire" .
        ex:f42 rdfs:label "42 (film)" ; ex:star ex:boseman .
        ex:boseman rdfs:label "Chadwick Boseman" .
        ex:song rdfs:label "The Invisible Man (song)" ; ex:by ex:queen .
        ex:queen rdfs:label "Queen (band)" .
        ex:following rdfs:label "Following" ; ex:by ex:nolan . ex:nolan rdfs:label "Nolan" .
        ex:storm rdfs:label "The Storm" ; ex:from ex:rolie . ex:rolie rdfs:label "Gregg Rolie" .
        ex:blues rdfs:label "Rhythm and blues" ; ex:near ex:rolie .
        ex:governor rdfs:label "Governor" ; ex:in ex:texas . ex:texas rdfs:label "Texas" .
        """
        + names
    )


def named(kg, text: str, **options) -> list[str]:
    return [kg.entity(m.entity).iri.rpartition("/")[2] for m in kg.mentions(text, **options)]


@pytest.mark.parametrize(
    "text",
    [
        "A Band was formed in spring.",
        "Band practice is on Friday.",
        "He has seen 42 films.",
        "The studio made 42 Films that year.",
        "The Invisible Man scared us in the dark.",
        "Following the vote, nobody spoke. They were following him.",
        "The storm passed.",
        "The storms of autumn.",
        "Then the Governor spoke.",
        "Governor Smith resigned.",
        "She met Queen Silvia.",
    ],
)
def test_a_common_word_alone_names_nothing(music, text: str) -> None:
    assert named(music, text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Band played Let's Build a Fire.", ["band", "lets"]),
        ("They are called +/- (band).", ["band"]),
        ("Chadwick Boseman was in 42 films.", ["boseman", "f42"]),
        ("42 (film) was a hit.", ["f42"]),
        ("The Invisible Man (song) was a hit.", ["song"]),
        ("Nolan was following him in Following.", ["nolan", "following"]),
        ("Following was his first film.", ["following"]),
        ("The storm had Gregg Rolie at the keys.", ["storm", "rolie"]),
        ("The Storm played.", ["storm"]),
        ("THE STORM PLAYED.", ["storm"]),
        ("Rhythm and blues is older.", ["blues"]),
        ("The Governor of Texas spoke.", ["governor", "texas"]),
    ],
)
def test_what_the_text_supports_is_a_name(music, text: str, found: list[str]) -> None:
    assert named(music, text) == found


@pytest.mark.parametrize("text", ["Then the Governor spoke.", "The storm passed.", "The Band met."])
def test_who_gives_a_link_or_expects_an_entity_means_it(music, text: str) -> None:
    words = text.split()[1] if "Then" not in text else "Governor"
    entity = {"Governor": "ex:governor", "storm": "ex:storm", "Band": "ex:band"}[words]
    assert len(named(music, text, expected=[entity])) == 1
    assert len(named(music, text, links=[Link(music.entity(entity).id, words)])) == 1
