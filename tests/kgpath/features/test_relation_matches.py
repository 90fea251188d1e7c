"""How far words are from a span: the array code against plain loops."""

from __future__ import annotations

from math import inf

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kgpath.features.relation_matches import _distance

PLACES = st.lists(st.sets(st.integers(0, 29), max_size=6).map(sorted), min_size=1, max_size=5)
SPAN = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)


@given(PLACES, st.lists(SPAN, min_size=1, max_size=4))
def test_the_distance_is_that_to_the_nearest_place_of_the_word(places, spans) -> None:
    rows = [(word, *span) for word in range(len(places)) for span in spans]
    word, first, last = np.array(rows, dtype=np.int64).T
    offsets = np.cumsum([0, *map(len, places)])
    flat = np.array([place for some in places for place in some], dtype=np.int64)
    assert _distance(offsets, flat, word, first, last, 30).tolist() == [
        min(
            (max(first - place, place - (last - 1), 0) for place in places[word]),
            default=inf,
        )
        for word, first, last in rows
    ]
