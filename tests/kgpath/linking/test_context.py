"""A text's words, sentences, initials and windows, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import AmbiguousEntity, BadOption
from kgpath.linking.context import Context
from kgpath.linking.mentions import Link
from kgpath.linking.name_scores import name_match_scores

TEXT = "Dr. No met Daniel Craig. The directors of the U.S. met a director! Daniel Craig"
#       0   1  2   3      4     5   6         7  8   9 10 11 12 13        14     15


def test_every_token_knows_its_sentence(film) -> None:
    context = Context(film, TEXT)
    assert len(context.tokens) == 16
    assert context.sentence_of.tolist() == [0] * 5 + [1] * 9 + [2] * 2
    assert [TEXT[slice(*span)] for span in context.sentences] == [
        "Dr. No met Daniel Craig.",
        "The directors of the U.S. met a director!",
        "Daniel Craig",
    ]


@pytest.mark.parametrize("text", ["", " \n ", "…", "?!"])
def test_a_text_without_words_has_nothing(film, text: str) -> None:
    context = Context(film, text)
    assert context.tokens.words == context.window([0]) == context.mentions() == []
    assert context.sentence_of.tolist() == []
    assert context.places == context.beginnings == context.initials == {}
    assert not context.name_scores.any()
    assert context.name_scores.shape == (len(film),)


def test_words_before_the_first_sentence_belong_to_it(film) -> None:
    assert Context(film, "  \n one word").sentence_of.tolist() == [0, 0]


@given(st.lists(st.sampled_from(["Ann", "saw", "Bob", ".", "!", "\n\n", "Dr.", "U.S."])))
def test_a_token_lies_in_the_sentence_it_is_said_to_be_in(film, parts: list[str]) -> None:
    context = Context(film, " ".join(parts))
    assert len(context.sentence_of) == len(context.tokens)
    for number, start, end in zip(
        context.sentence_of, context.tokens.starts, context.tokens.ends, strict=True
    ):
        first, last = context.sentences[number]
        assert first <= start < end <= last


def test_places_of_words_and_of_beginnings(film) -> None:
    context = Context(film, TEXT)
    assert context.places["met"] == [2, 11]
    assert context.places["the"] == [5, 8]
    assert context.places["daniel"] == [3, 14]
    assert sorted(at for places in context.places.values() for at in places) == list(range(16))
    # Of longer words only: "director" and "directors" begin alike, "met" is too short.
    assert context.beginnings == {"dani": [3, 14], "crai": [4, 15], "dire": [6, 13]}


def test_a_word_of_four_letters_has_no_beginning(film) -> None:
    assert Context(film, "film films").beginnings == {"film": [1]}


def test_initials_by_their_letters(film) -> None:
    context = Context(film, "The UK, the U.S. and J. R. R. T. of the UK")
    assert context.initials == {"uk": [(1, 2), (12, 13)], "us": [(3, 5)], "jrrt": [(6, 10)]}
    assert Context(film, TEXT).initials == {"us": [(9, 11)]}


def test_naming_is_that_of_the_text_and_1_for_a_link(film) -> None:
    text = "Casino Royale, with him"
    fleming = film.entity("Ian Fleming").id
    plain, linked = Context(film, text), Context(film, text, [Link(fleming, "him")])
    assert np.array_equal(plain.name_scores, name_match_scores(film, text))
    assert plain.name_scores[fleming] == 0
    assert linked.name_scores[fleming] == 1
    others = np.arange(len(film)) != fleming
    assert np.array_equal(linked.name_scores[others], plain.name_scores[others])


def test_mentions_heed_links_and_expected_entities(film) -> None:
    text = "Bond, says he, is Bond."
    band, hero, moore = (
        film.entity(name).id for name in ("dbr:Bond_(band)", "James Bond", "Roger Moore")
    )
    for expected in (band, hero):
        found = Context(film, text).mentions([expected])
        assert [(one.first, one.last, one.entity) for one in found] == [
            (0, 1, expected),
            (4, 5, expected),
        ]
    linked = Context(film, text, [Link(moore, "he")]).mentions([hero])
    assert [one.entity for one in linked] == [hero, moore, hero]


def words(number: int, prefix: str = "w") -> list[str]:
    return [f"{prefix}{at}" for at in range(number)]


def test_a_window_has_15_words_on_either_side(film) -> None:
    craig = film.entity("Daniel Craig").id
    before, after = words(40, "b"), words(40, "a")
    context = Context(film, " ".join([*before, "Daniel Craig", *after]))
    assert context.window([craig]) == [*before[-15:], "daniel", "craig", *after[:15]]
    assert context.window([craig], size=2) == ["b38", "b39", "daniel", "craig", "a0", "a1"]


def test_windows_that_overlap_are_merged_and_others_are_not(film) -> None:
    craig, chester = film.entity("Daniel Craig").id, film.entity("Chester").id
    text = " ".join(["Daniel Craig", *words(20), "Chester", *words(50, "x"), "Daniel Craig"])
    near = ["daniel", "craig", *words(20), "chester", *words(50, "x")[:15]]
    far = [*words(50, "x")[-15:], "daniel", "craig"]
    context = Context(film, text)
    assert context.window([craig, chester]) == near + far
    assert context.window([craig]) == ["daniel", "craig", *words(15), *far]
    assert context.window([chester]) == [*words(20)[-15:], "chester", *words(50, "x")[:15]]


def test_a_window_around_nobody_is_all_of_the_text(film) -> None:
    context = Context(film, "Daniel Craig " + " ".join(words(50)))
    unseen = film.entity("Roger Moore").id
    assert context.window([unseen]) == context.window([]) == context.tokens.words
    assert len(context.window([unseen, film.entity("Daniel Craig").id])) == 2 + 15


def test_a_window_goes_by_the_words_of_a_link(film) -> None:
    moore = film.entity("Roger Moore").id
    text = " ".join([*words(30), "he", *words(30, "x")])
    context = Context(film, text, [Link(moore, "he")])
    assert context.window([moore], size=1) == ["w29", "he", "x0"]


@pytest.fixture
def queen(build_graph):
    return build_graph(
        """
        ex:band rdfs:label "Queen (band)" ; ex:member ex:may, ex:mercury .
        ex:album rdfs:label "Queen (album)" ; ex:producer ex:baker ; ex:label ex:emi .
        ex:film rdfs:label "Queen (film)" ; ex:star ex:ranaut .
        ex:may rdfs:label "Brian May" . ex:mercury rdfs:label "Freddie Mercury" .
        ex:baker rdfs:label "Roy Thomas Baker" . ex:ranaut rdfs:label "Kangana Ranaut" .
        ex:emi rdfs:label "EMI" . ex:highness rdfs:label "Her Highness" ; ex:near ex:emi .
        """
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Queen had Brian May.", "band"),
        ("Freddie Mercury sang for Queen.", "band"),
        ("Queen (band) was founded in 1970.", "band"),
        ("QUEEN and Brian May on stage.", "band"),
        ("Roy Thomas Baker made Queen sound new.", "album"),
        ("Queen came out at EMI.", "album"),
        ("EMI and Roy Thomas Baker paid for it, said Brian May of Queen.", "album"),
        ("Kangana Ranaut is great in Queen.", "film"),
        ("The queen is Kangana Ranaut.", "film"),
        ("The queen of pop met Freddie Mercury.", "band"),
        ("Queen (film) and Queen (band): Kangana Ranaut is in one.", "film"),
    ],
)
def test_the_text_decides_which_of_several_a_name_without_its_bracket_means(
    queen, text: str, meant: str
) -> None:
    assert queen.context(text).entity("Queen").iri.endswith(f"/{meant}")


@pytest.mark.parametrize(
    "text",
    [
        "Queen played.",
        "It rained.",
        "Kangana Ranaut is great.",  # of what is called so, the text does not speak
        "Queen (film) and Queen (band).",
        "",
    ],
)
def test_where_the_text_does_not_tell_all_choices_are_listed(queen, text: str) -> None:
    with pytest.raises(AmbiguousEntity, match="'Queen' names 3 entities"):
        queen.context(text).entity("Queen")


def test_words_linked_to_two_entities_are_refused(queen) -> None:
    links = [("ex:band", "Queen"), ("ex:album", "queen")]
    said = (
        "The words 'queen' are linked to two entities, http://example.org/band and"
        " http://example.org/album: keep the link that the text means."
    )
    for ask in (queen.context, queen.mentions):
        with pytest.raises(BadOption) as error:
            ask("Queen played.", links=links)
        assert str(error.value) == said
    same = [("ex:band", "Queen"), ("ex:band", "QUEEN"), ("ex:band", "the four")]
    assert queen.context("Queen played.", links=same).entity("Queen").label == "Queen (band)"
