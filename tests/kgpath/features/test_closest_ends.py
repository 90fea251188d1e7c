"""Where two ends stand closest: the array code against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kgpath.features.closest_ends import NEXT_SENTENCE, closest_occurrences
from kgpath.features.facts import Facts
from kgpath.linking.context import Context
from kgpath.linking.occurrences import Occurrences

ENTITIES = 5


@st.composite
def seen_somewhere(draw: st.DrawFn) -> tuple[str, Occurrences]:
    """A text of some sentences and spans in it, within a sentence each; they may hold another."""
    sizes = draw(st.lists(st.integers(1, 12), min_size=1, max_size=6))
    text = " ".join(" ".join(["Word", *["word"] * (size - 1)]) + "." for size in sizes)
    every = [
        (start + first, start + last)
        for start, size in zip(np.cumsum([0, *sizes[:-1]]).tolist(), sizes, strict=True)
        for first in range(size)
        for last in range(first + 1, min(size, first + 4) + 1)
    ]
    spans = [sorted(draw(st.sets(st.sampled_from(every), max_size=5))) for _ in range(ENTITIES)]
    flat = np.array([span for some in spans for span in some], dtype=np.int64).reshape(-1, 2)
    return text, Occurrences(
        entities=10 * np.arange(ENTITIES),
        named=np.ones(ENTITIES),
        offsets=np.cumsum([0, *map(len, spans)]),
        first=flat[:, 0],
        last=flat[:, 1],
        is_coreference=np.zeros(len(flat), dtype=np.bool_),
    )


@given(seen_somewhere())
def test_the_closest_occurrences_are_those_that_plain_loops_find(film, case) -> None:
    text, seen = case
    context = Context(film, text)
    pairs = [(one, other) for one in range(ENTITIES) for other in range(ENTITIES) if one != other]
    heads, tails = 10 * np.array(pairs).T
    facts = Facts(heads, np.zeros(len(pairs), dtype=np.int64), tails, np.zeros((1, 1), np.int64))
    closest = closest_occurrences(context, seen, facts)
    found = zip(*(column.tolist() for column in closest), strict=True)
    sentence = context.sentence_of
    for head, tail, (both, gap, same, first, last) in zip(heads, tails, found, strict=True):
        # Every pair of occurrences: what it costs, and what is said of it.
        ways = [
            (between + NEXT_SENTENCE * (not together), (between, together, min(a, c), max(b, d)))
            for a, b in seen.of(head)
            for c, d in seen.of(tail)
            for between in [max(c - b, a - d, 0)]
            for together in [bool(sentence[a] == sentence[c])]
        ]
        assert both == bool(ways)
        if ways:
            least = min(ways)[0]
            assert (gap, same, first, last) in [said for cost, said in ways if cost == least]
        else:
            assert (gap, same, first, last) == (60, False, 0, len(context.tokens.words))
