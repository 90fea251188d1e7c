"""A span that several entities could be shown by shows one of them: an end, or what fits best."""

from __future__ import annotations

import pytest

from kgpath.linking.context import Context
from kgpath.linking.occurrences import MEANT_OTHERWISE, find_occurrences


@pytest.fixture
def queen(build_graph):
    return build_graph(
        """
        ex:band rdfs:label "Queen (band)" ; ex:member ex:may, ex:mercury ; ex:made ex:opera .
        ex:album rdfs:label "Queen (album)" ; ex:by ex:band ; ex:producer ex:baker .
        ex:film rdfs:label "Queen (film)" ; ex:star ex:ranaut .
        ex:may rdfs:label "Brian May" . ex:mercury rdfs:label "Freddie Mercury" .
        ex:baker rdfs:label "Roy Thomas Baker" . ex:ranaut rdfs:label "Kangana Ranaut" .
        ex:opera rdfs:label "A Night at the Opera" . ex:two rdfs:label "Queen II" ; ex:by ex:band .
        ex:canada rdfs:label "Canada" ; ex:people ex:canadian .
        ex:canadian rdfs:label "Canadian" ; ex:near ex:band .
        """
    )


HOMONYMS = ("ex:band", "ex:album", "ex:film")


def named(kg, text: str, *names: str, ends: tuple[str, ...] = ()) -> dict[str, float]:
    """How clearly the text names each of some entities."""
    ids = {kg.entity(name).id: name for name in names}
    found = find_occurrences(Context(kg, text), ids, [kg.entity(end).id for end in ends])
    return {ids[e]: float(how) for e, how in zip(found.entities, found.named, strict=True)}


def shown(kg, text: str, name: str, *others: str) -> list[tuple[int, int]]:
    number = kg.entity(name).id
    return find_occurrences(Context(kg, text), [kg.entity(n).id for n in (name, *others)]).of(
        number
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Queen released it in 1975.", "ex:band"),  # the one with most facts
        ("Queen had Brian May and Freddie Mercury.", "ex:band"),
        ("Brian May of Queen met Kangana Ranaut and Freddie Mercury.", "ex:band"),
        ("A Night at the Opera made Queen rich.", "ex:band"),
        ("Roy Thomas Baker produced Queen.", "ex:album"),
        ("Queen, produced by Roy Thomas Baker, came out first.", "ex:album"),
        ("Kangana Ranaut starred in Queen.", "ex:film"),
        ("Queen made Kangana Ranaut famous. She was great in Queen.", "ex:film"),
        ("They saw Queen, with Kangana Ranaut, in the cinema.", "ex:film"),
        ("Freddie Mercury sang. Queen was his band.", "ex:band"),
    ],
)
def test_one_of_all_homonyms_has_the_name(queen, text: str, meant: str) -> None:
    assert named(queen, text, *HOMONYMS) == {
        name: 1 if name == meant else MEANT_OTHERWISE for name in HOMONYMS
    }
    assert [bool(shown(queen, text, name, *HOMONYMS)) for name in HOMONYMS] == [
        name == meant for name in HOMONYMS
    ]


@pytest.mark.parametrize("end", HOMONYMS)
@pytest.mark.parametrize("text", ["Queen met Brian May.", "Roy Thomas Baker heard Queen."])
def test_an_end_of_the_query_has_its_name_whatever_else_fits(queen, text: str, end: str) -> None:
    found = named(queen, text, *HOMONYMS, ends=(end,))
    assert {name for name, how in found.items() if how == 1} == {end}


def test_both_ends_may_have_one_name(queen) -> None:
    found = named(queen, "Queen made Queen.", *HOMONYMS, ends=("ex:band", "ex:album"))
    assert found == {"ex:band": 1, "ex:album": 1, "ex:film": MEANT_OTHERWISE}


@pytest.mark.parametrize(
    ("text", "name", "others"),
    [
        ("Queen played.", "ex:album", ()),  # nobody else asks for it
        ("Queen (album) is by Queen.", "ex:album", ("ex:band",)),  # a place of its own
        ("Canada and a Canadian band.", "ex:canada", ("ex:canadian",)),
        ("Canada and a Canadian band.", "ex:canadian", ("ex:canada",)),
        ("Queen II is by Queen.", "ex:two", ("ex:band",)),
        ("Queen II is by Queen.", "ex:band", ("ex:two",)),
    ],
)
def test_names_of_their_own_are_not_touched(queen, text: str, name: str, others) -> None:
    assert named(queen, text, name, *others)[name] == 1
    assert shown(queen, text, name, *others)


def test_a_place_of_its_own_remains_when_a_shared_one_is_lost(queen) -> None:
    text = "Queen had Brian May. Queen (album) did well."
    assert shown(queen, text, "ex:album", "ex:band") == [(4, 6)]
    assert shown(queen, text, "ex:band", "ex:album") == [(0, 1)]


def test_no_path_leads_through_two_meanings_of_one_word(queen) -> None:
    text = "Freddie Mercury sang with Queen, whose sound was Roy Thomas Baker's."
    best = queen.query("Freddie Mercury", "Roy Thomas Baker", text, k=1)[0]
    assert best.verdict != "relevant"
    text = "Queen is a band, and Freddie Mercury and Brian May are members."
    assert queen.query("Freddie Mercury", "Brian May", text, k=1)[0].verdict == "relevant"
