"""Texts from given facts: what is told stands there, what is not told is not said to be so."""

from __future__ import annotations

import numpy as np
import pytest

import kgpath
from kgpath.datasets.told_texts.text import Style, Writer, draw_style
from kgpath.datasets.told_texts.things import Things
from kgpath.datasets.told_texts.tree import Fact

PLAIN = Style(own_words=True, joins=0, pronouns=0, filler=0, labels=0)
JOINED = Style(own_words=True, joins=1, pronouns=1, filler=0, labels=0)


def fact(kg: kgpath.Graph, head: str, relation: str, tail: str) -> Fact:
    return Fact(kg.entity(head).id, kg.relation(relation).id, kg.entity(tail).id)


def texts(kg: kgpath.Graph, style: Style, told: list[Fact], untold: list[Fact]) -> set[str]:
    things = Things(kg)
    return {
        Writer(things, np.random.default_rng(seed), style).write(told, untold)
        for seed in range(120)
    }


def test_a_fact_is_told_in_many_ways(film: kgpath.Graph) -> None:
    born = fact(film, "Daniel Craig", "birth place", "Chester")
    told = texts(film, PLAIN, [born], [])
    assert "Daniel Craig was born in Chester." in told
    assert "Daniel Craig is a native of Chester." in told
    assert len(told) >= 4


def test_facts_of_one_entity_are_joined_into_one_sentence(film: kgpath.Graph) -> None:
    stars = fact(film, "dbr:Casino_Royale_(2006_film)", "starring", "Daniel Craig")
    born = fact(film, "Daniel Craig", "birth place", "Chester")
    told = texts(film, JOINED, [stars, born], [])
    assert any(text.count(".") == 1 and ", who " in text for text in told)
    assert any("He " in text for text in told)


@pytest.mark.parametrize("told_too", [False, True])
def test_a_fact_left_untold_is_never_stated(film: kgpath.Graph, told_too: bool) -> None:
    born = fact(film, "Daniel Craig", "birth place", "Chester")
    stars = fact(film, "dbr:Casino_Royale_(2006_film)", "starring", "Daniel Craig")
    made = texts(film, PLAIN, [stars] if told_too else [], [born])
    assert len(made) > 40
    assert all("Chester" in text and "Craig" in text for text in made)
    assert not any(text.startswith("Daniel Craig was born in Chester.") for text in made)
    assert any("not born in" in text for text in made)
    assert any(text.endswith("?") for text in made) or told_too


def test_two_of_a_kind_make_a_list(film: kgpath.Graph) -> None:
    one = fact(film, "James Bond", "portrayer", "Roger Moore")
    other = fact(film, "James Bond", "portrayer", "Daniel Craig")
    made = texts(film, PLAIN, [one, other], [])
    assert any("Roger Moore and Daniel Craig" in text for text in made)


def test_styles_differ_between_texts() -> None:
    styles = [draw_style(np.random.default_rng(seed)) for seed in range(50)]
    assert 10 < sum(style.own_words for style in styles) < 40
    assert len({style.joins for style in styles}) == 50
