"""Long texts with many names and pronouns: each pronoun is looked up, not searched for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kgpath.linking.coreference import Kind, coreference

PERSON = Kind(frozenset({"actor"}), person=True)
CITY = Kind(frozenset({"city"}), person=False)


def context(words: list[str]) -> Any:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return SimpleNamespace(
        places=places,
        sentence_of=np.zeros(len(words), dtype=np.int64),
        tokens=SimpleNamespace(words=words),
    )


def test_a_pronoun_means_the_first_that_fits_and_the_city_the_last() -> None:
    words = "ann paris he the city and bonn it the city".split()
    found = coreference(
        context(words), {1: PERSON, 2: CITY, 3: CITY}, {1: [(0, 1)], 2: [(1, 2)], 3: [(6, 7)]}
    )
    assert found == {1: [(2, 3)], 2: [(7, 8), (3, 5)], 3: [(8, 10)]}


@pytest.mark.parametrize("text", ["paris he", "paris the actor", "paris he the city it they"])
def test_no_pronoun_walks_through_all_names(text: str) -> None:
    # 50,000 names and as many pronouns that fit none of them: once, 2,500,000,000 steps.
    repeated = 50_000
    words = text.split() * repeated
    named = {2: [(place, place + 1) for place, word in enumerate(words) if word == "paris"]}
    kinds = {2: CITY, 1: PERSON}
    coreference(context(words), kinds, {**named, 1: [(len(words), len(words) + 1)]})
