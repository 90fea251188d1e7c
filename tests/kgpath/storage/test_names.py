"""From what a person types to an entity: every spelling, every ambiguity, any character."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kgpath
from kgpath.errors import AmbiguousEntity, UnknownEntity, UnknownName

DBR = "http://dbpedia.org/resource/"


@pytest.mark.parametrize(
    ("name", "local"),
    [
        (DBR + "Daniel_Craig", "Daniel_Craig"),
        (f"<{DBR}Daniel_Craig>", "Daniel_Craig"),
        ("dbr:Daniel_Craig", "Daniel_Craig"),
        ("dbr:Daniel Craig", "Daniel_Craig"),
        ("dbr:Alien:_Covenant", "Alien:_Covenant"),
        ("Daniel Craig", "Daniel_Craig"),
        ("daniel  CRAIG", "Daniel_Craig"),
        ("007", "James_Bond"),
        ("sir roger moore", "Roger_Moore"),
        ("Alien: Covenant", "Alien:_Covenant"),
        ("alien covenant", "Alien:_Covenant"),
        ("Beyonce", "Beyoncé"),
        ("BEYONCÉ", "Beyoncé"),
        ("dbr:Beyoncé", "Beyoncé"),
        ("London", "London"),  # has no label: named by its IRI
    ],
)
def test_every_way_to_write_a_name_finds_its_entity(
    film: kgpath.Graph, name: str, local: str
) -> None:
    assert film.entity(name).iri == DBR + local


def test_a_label_beats_an_alias(film: kgpath.Graph) -> None:
    assert film.entity("Bond").iri == DBR + "Bond_(band)"


def test_the_exact_spelling_beats_a_folded_one(build_graph) -> None:
    kg = build_graph(
        'ex:a rdfs:label "Ali" ; ex:p ex:b . ex:b rdfs:label "ALI" ; ex:p ex:c .'
        ' ex:c rdfs:label "Other" ; skos:altLabel "ali" .'
    )
    assert kg.entity("Ali").iri == "http://example.org/a"
    assert kg.entity("ALI").iri == "http://example.org/b"
    with pytest.raises(AmbiguousEntity):  # two labels fold to it, none is spelled so
        kg.entity("ali")


def test_an_iri_beats_a_name(build_graph) -> None:
    kg = build_graph('ex:a rdfs:label "dbr:X" ; ex:p dbr:X .')
    assert kg.entity("dbr:X").iri == DBR + "X"


def test_an_ambiguous_name_lists_the_choices(film: kgpath.Graph) -> None:
    with pytest.raises(AmbiguousEntity) as caught:
        film.entity("casino royale")
    assert caught.value.choices == (
        ("Casino Royale", "film", DBR + "Casino_Royale_(2006_film)"),
        ("Casino Royale", "book", DBR + "Casino_Royale_(novel)"),
    )
    assert "names 2 entities" in str(caught.value)
    assert DBR + "Casino_Royale_(novel)" in str(caught.value)


def test_an_unknown_name_lists_the_closest(film: kgpath.Graph) -> None:
    with pytest.raises(UnknownEntity) as caught:
        film.entity("Daniel Crag")
    assert caught.value.closest[0] == "Daniel Craig"
    assert "No entity 'Daniel Crag'. Closest: Daniel Craig" in str(caught.value)
    assert "See: kgpath find" in str(caught.value)


def test_a_name_like_nothing_has_no_closest(film: kgpath.Graph) -> None:
    with pytest.raises(UnknownEntity) as caught:
        film.entity("zzzzqqqq")
    assert caught.value.closest == ()


# "star" in all four ways. Degrees: Starlight 1, Star Trek 2, Star Wars 3.
STARS = """
ex:s rdfs:label "Star" ; ex:p ex:x1 .
ex:sl rdfs:label "Starlight" ; ex:p ex:x1 .
ex:st rdfs:label "Star Trek" ; ex:p ex:x1, ex:x2 .
ex:sw rdfs:label "Star Wars" ; ex:p ex:x1, ex:x2, ex:x3 .
ex:f rdfs:label "Five Star Final" ; ex:p ex:x1, ex:x2, ex:x3, ex:x4 .
ex:g rdfs:label "Gold" ; skos:altLabel "Star" ; ex:p ex:x1, ex:x2 .
"""


def test_find_orders_by_kind_of_match_then_by_degree(build_graph) -> None:
    matches = build_graph(STARS).find("star")
    assert [(m.entity.label, m.how) for m in matches] == [
        ("Gold", "exact"),  # by its alias, and two facts
        ("Star", "exact"),
        ("Star Wars", "prefix"),
        ("Star Trek", "prefix"),
        ("Starlight", "prefix"),
        ("Five Star Final", "words"),
    ]
    assert matches[0].name == "Star"


def test_find_keeps_to_its_limit_with_the_best(build_graph) -> None:
    kg = build_graph(STARS)
    for limit in range(7):
        assert kg.find("star", limit) == kg.find("star")[:limit]


def test_an_entity_is_found_once_however_many_names_fit(build_graph) -> None:
    names = ", ".join(f'"Star {n:02}"' for n in range(30))
    kg = build_graph(f'ex:a skos:altLabel {names} ; ex:p ex:b . ex:b rdfs:label "Star Z" .')
    assert [m.entity.label for m in kg.find("star", 5)] == ["a", "Star Z"]


@pytest.mark.parametrize("text", ["royale cas", "roy", "ROYALE", "casino-royale", "royale, casino"])
def test_find_by_words_in_any_order_and_by_their_beginnings(film: kgpath.Graph, text: str) -> None:
    assert {m.entity.label for m in film.find(text)} == {"Casino Royale"}


@pytest.mark.parametrize("text", ["Danial Craig", "dainel crag"])
def test_find_guesses_nearly_right_names(film: kgpath.Graph, text: str) -> None:
    match = film.find(text)[0]
    assert (match.entity.label, match.how) == ("Daniel Craig", "fuzzy")


def test_find_gives_the_types_the_rarest_first(film: kgpath.Graph) -> None:
    # dbo:Person is one entity's type, dbo:Actor two's.
    assert film.find("Daniel Craig")[0].types == ("person", "actor")


@given(text=st.text(max_size=12))
@example(text='"')
@example(text='""')
@example(text="*")
@example(text="-")
@example(text="^")
@example(text="\0")
@example(text="a\0b")
@example(text="☆")
@example(text="🎬")
@example(text="a🎬b")
@example(text="𞤀𞤁b")  # Adlam, younger than the tokeniser of FTS5
@example(text="a\U0001e900b")
@example(text="ʼn")
@example(text="हिन्दी")
@example(text="AND")
@example(text="OR NOT NEAR")
@example(text="NEAR(casino royale)")
@example(text="casino AND")
@example(text="text:casino")
@example(text="rank MATCH 'x'")
@example(text="casino' OR 1=1 --")
@example(text="(casino")
@example(text="dbr:")
@example(text="<")
@example(text="<>")
@example(text=":")
def test_find_and_entity_take_any_text(text: str, film: kgpath.Graph) -> None:
    found = film.find(text, 3)
    assert len(found) <= 3
    try:
        film.entity(text)
    except (UnknownEntity, AmbiguousEntity) as error:
        assert repr(text) in str(error)


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_an_empty_text_finds_nothing(film: kgpath.Graph, text: str) -> None:
    assert film.find(text) == []


NAMES = st.text(min_size=1, max_size=10).filter(lambda name: name.strip())


@given(names=st.lists(NAMES, min_size=1, max_size=4))
@example(names=['"', "☆"])
@example(names=["!!!", "a-b"])
@example(names=["𞤀𞤁b"])
def test_every_name_finds_its_entity_exactly(names: list[str], build_graph) -> None:
    from rdflib import Literal

    facts = [f"ex:e{n} rdfs:label {Literal(name).n3()} ; ex:p ex:hub ." for n, name in
             enumerate(names)]  # fmt: skip
    with build_graph("\n".join(facts)) as kg:
        for n, name in enumerate(names):
            exact = {m.entity.iri for m in kg.find(name) if m.how == "exact"}
            assert f"http://example.org/e{n}" in exact


@pytest.mark.parametrize(
    "name", ["dbo:starring", "starring", "http://dbpedia.org/ontology/starring", "Starring"]
)
def test_a_relation_by_every_spelling(film: kgpath.Graph, name: str) -> None:
    assert film.relation(name).iri == "http://dbpedia.org/ontology/starring"


def test_a_relation_by_its_words(film: kgpath.Graph) -> None:
    assert film.relation("birth place") == film.relation("birthPlace")


def test_an_unknown_relation_lists_the_closest(film: kgpath.Graph) -> None:
    with pytest.raises(UnknownName, match=r"No relation 'staring'. Closest: starring"):
        film.relation("staring")


def test_an_ambiguous_relation_lists_the_choices(build_graph) -> None:
    kg = build_graph("ex:a dbo:near ex:b . ex:a ex:near ex:b .")
    with pytest.raises(UnknownName, match="names 2 relations"):
        kg.relation("near")
    assert kg.relation("dbo:near").iri == "http://dbpedia.org/ontology/near"


def test_a_shortened_iri_finds_the_same_entity(film: kgpath.Graph) -> None:
    for number in range(len(film)):
        entity = film.entity(number)
        assert film.shorten(entity.iri).startswith("dbr:")
        assert film.entity(film.shorten(entity.iri)) == entity


# "Queen" is no name in full. Degrees: the band 3, the album 2, the film 1.
QUEENS = """
ex:band rdfs:label "Queen (band)" ; skos:altLabel "Smile (group)" ; ex:member ex:may, ex:taylor .
ex:album rdfs:label "Queen (album)" ; ex:by ex:band ; ex:producer ex:baker .
ex:film rdfs:label "Queen (film)" ; ex:star ex:kangana .
ex:victoria rdfs:label "Queen Victoria" ; ex:of ex:britain, ex:india, ex:ireland, ex:canada .
ex:smiths rdfs:label "Smiths (band)" ; ex:member ex:marr .
ex:symbols rdfs:label "+/- (band)" ; ex:member ex:baluyut .
ex:bracket rdfs:label "(What's the Story) Morning Glory?" ; ex:by ex:oasis .
ex:oasis rdfs:label "Oasis" . ex:oasisfilm rdfs:label "Oasis (film)" ; ex:star ex:sol .
ex:may rdfs:label "Brian May" . ex:baker rdfs:label "Roy Baker" .
"""


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("Smiths", "smiths"),
        ("SMITHS", "smiths"),
        ("smile", "band"),  # an alias without its bracket
        ("Queen (album)", "album"),
        ("queen film", "film"),
        ("Oasis", "oasis"),  # the full name of one beats the shortened name of another
        ("+/-", "symbols"),  # signs alone, which fold to nothing beside letters
        ("(What's the Story) Morning Glory?", "bracket"),
    ],
)
def test_a_name_without_its_bracket_is_a_name(build_graph, name: str, local: str) -> None:
    assert build_graph(QUEENS).entity(name).iri == f"http://example.org/{local}"


def test_several_with_the_name_before_a_bracket_are_listed_by_degree(build_graph) -> None:
    with pytest.raises(AmbiguousEntity) as caught:
        build_graph(QUEENS).entity("Queen")
    assert [label for label, _, _ in caught.value.choices] == [
        "Queen (band)", "Queen (album)", "Queen (film)",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["Quee", "Queen Vic", "Morning Glory", "What's the Story"])
def test_only_what_stands_before_a_last_bracket_is_a_name(build_graph, name: str) -> None:
    with pytest.raises(UnknownEntity):
        build_graph(QUEENS).entity(name)


def test_find_has_names_without_their_bracket_before_longer_names(build_graph) -> None:
    matches = build_graph(QUEENS).find("queen")
    assert [(m.entity.label, m.how) for m in matches] == [
        ("Queen (band)", "exact"),
        ("Queen (album)", "exact"),
        ("Queen (film)", "exact"),
        ("Queen Victoria", "prefix"),
    ]


# Degrees: Quentin Tarantino 3, Tarantino (a rule of style) 1, Taranto 2.
DIRECTORS = """
ex:qt rdfs:label "Quentin Tarantino" ; ex:made ex:x1, ex:x2, ex:x3 .
ex:style rdfs:label "Tarantino" ; ex:p ex:x1 . ex:town rdfs:label "Taranto" ; ex:p ex:x1, ex:x2 .
ex:book rdfs:label "Trentino" ; ex:p ex:x1, ex:x2, ex:x3, ex:x4 .
"""


@pytest.mark.parametrize("text", ["tarntino", "Tarantinno", "quentin tarntino", "Tarantno Quentn"])
def test_find_guesses_by_the_nearest_word_then_by_degree(build_graph, text: str) -> None:
    assert build_graph(DIRECTORS).find(text)[0].entity.label == "Quentin Tarantino"


def test_words_like_the_one_asked_for_come_before_words_less_like_it(build_graph) -> None:
    matches = build_graph(DIRECTORS).find("tarntino")
    assert [m.entity.label for m in matches][:3] == ["Quentin Tarantino", "Tarantino", "Trentino"]
