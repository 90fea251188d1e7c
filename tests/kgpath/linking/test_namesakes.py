"""Words of brackets tell namesakes apart where one name stands for two things."""

from __future__ import annotations

import pytest

from kgpath.linking.context import Context
from kgpath.linking.namesakes import told_apart
from kgpath.linking.occurrences import MEANT_AS_NAMESAKE, MEANT_OTHERWISE, find_occurrences

SONG, FILM = "Live and Let Die (song)", "Live and Let Die (film)"


@pytest.mark.parametrize(
    ("text", "names", "others", "places", "share"),
    [
        ("The film was a hit.", [FILM], [SONG], [1], 1),
        ("The new film was a hit, the song too.", [FILM], [SONG], [2], 1),
        ("The new film was a hit, the song too.", [SONG], [FILM], [7], 1),
        # Any film, or one with a name, is not the one that is called like the song.
        ("A film was a hit.", [FILM], [SONG], [], 0),
        ("The film Rocky was a hit.", [FILM], [SONG], [], 0),
        ("At last the film.", [FILM], [SONG], [3], 1),
        # What both have in brackets tells nothing; a year tells wherever it stands.
        ("the film of 1976", ["A Star (1976 film)"], ["A Star (1954 film)"], [3], 1),
        ("remade in 1976", ["A Star (1976 film)"], ["A Star (song)"], [2], 0.5),
        ("The film was a hit.", ["Live and Let Die"], [SONG], [], 0),
    ],
)
def test_what_brackets_say_of_one_alone(
    build_graph, text: str, names, others, places: list[int], share: float
) -> None:
    kg = build_graph('ex:a rdfs:label "A" ; ex:near ex:b . ex:b rdfs:label "B" .')
    spans = [(place, place + 1) for place in places]
    assert told_apart(Context(kg, text), names, others) == (spans, share)


def test_a_text_about_both_names_both(build_graph) -> None:
    kg = build_graph(
        f"""
        ex:song rdfs:label "{SONG}" ; ex:writer ex:paul ; ex:of ex:film .
        ex:film rdfs:label "{FILM}" ; ex:star ex:roger .
        ex:paul rdfs:label "Paul McCartney" . ex:roger rdfs:label "Roger Moore" .
        """
    )
    song, film, paul = (kg.entity(name).id for name in ("ex:song", "ex:film", "ex:paul"))

    def named(text: str) -> dict[int, float]:
        found = find_occurrences(Context(kg, text), [song, film], [paul])
        return dict(zip(found.entities.tolist(), found.named.tolist(), strict=True))

    both = named("Paul McCartney wrote Live and Let Die. The film starred nobody.")
    assert both == {song: 1.0, film: pytest.approx(MEANT_AS_NAMESAKE)}
    one = named("Paul McCartney wrote Live and Let Die. Some film starred nobody.")
    assert one == {song: 1.0, film: pytest.approx(MEANT_OTHERWISE)}
