"""Facts in plain words: varied, the same for a seed, and they say where they name whom."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.datasets.synthetic.fact_sentences import fact_sentence, kind_sentence
from kgpath.types import Entity

HEAD = Entity(3, "ex:h", "Casino Royale (2006 film)")
TAIL = Entity(5, "ex:t", "Aston Villa F.C.")


def variants(relation: str) -> set[str]:
    return {
        fact_sentence(HEAD, relation, TAIL, np.random.default_rng(seed)).text for seed in range(60)
    }


@pytest.mark.parametrize(
    ("relation", "one"),
    [
        ("director", "The director of Casino Royale is Aston Villa F.C."),
        ("based on", "Casino Royale is based on Aston Villa F.C."),
        ("is part of", "Casino Royale is part of Aston Villa F.C."),
        ("birth place", "Casino Royale was born in Aston Villa F.C."),
        ("former teams", "Aston Villa F.C. is one of the former teams of Casino Royale."),
        ("(political) office", "The political office of Casino Royale is Aston Villa F.C."),
        ("format (object)", "The format of Casino Royale is Aston Villa F.C."),
        (
            "Relates an entity to the populated place in which it is located.",
            "Casino Royale is linked with Aston Villa F.C.",
        ),
        ("", "Casino Royale is linked with Aston Villa F.C."),
    ],
)
def test_a_fact_is_expressed_in_several_ways(relation: str, one: str) -> None:
    told = variants(relation)
    assert one in told
    assert 3 <= len(told) <= 6


@given(
    st.text(max_size=20), st.text(min_size=1, max_size=12), st.text(min_size=1), st.integers(0, 9)
)
def test_names_stand_where_the_sentence_says(
    relation: str, head: str, tail: str, seed: int
) -> None:
    one, other = Entity(1, "ex:1", head), Entity(2, "ex:2", tail)
    sentence = fact_sentence(one, relation, other, np.random.default_rng(seed))
    named = {entity: sentence.text[start:end] for entity, start, end in sentence.names}
    assert set(named) == {1, 2}
    assert head.startswith(named[1])
    assert tail.startswith(named[2])
    again = fact_sentence(one, relation, other, np.random.default_rng(seed))
    assert again == sentence


def test_the_kind_of_an_entity() -> None:
    told = {kind_sentence(HEAD, "actor", np.random.default_rng(n)).text for n in range(20)}
    assert told == {
        "Casino Royale is an actor.",
        "Casino Royale is known as an actor.",
        "There is an actor called Casino Royale.",
    }
