"""The lookup of groups of words in the index of names."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kgpath.lexicon.name_index import LONGEST, name_index
from kgpath.linking import name_hits
from kgpath.linking.name_hits import WordGroups, without_ending


@given(
    st.lists(st.sampled_from(["rivers", "river", "kwai", "the", "2010"]), max_size=14),
    st.lists(st.sampled_from(["rivers", "river kwai", "kwai river river", "the the", "2010"])),
    st.data(),
)
def test_word_groups_are_looked_up_as_one_by_one(words, names, data) -> None:
    table = name_index((0, name, name) for name in names)
    starts = sorted(data.draw(st.sets(st.sampled_from(range(len(words))))) if words else [])
    alone = [words[start] != "the" for start in starts]
    expected = []
    for size in range(1, LONGEST + 1):
        for ending in False, True:
            for start, may in zip(starts, alone, strict=True):
                group = words[start : start + size]
                short = [*group[:-1], without_ending(group[-1])]
                if len(group) < size or (short == group if ending else size == 1 and not may):
                    continue
                rows = names.count(" ".join(short if ending else group))
                if rows:
                    expected.append((start, start + size, rows))
    found = list(WordGroups(words).lookup(table.hashes, np.array(starts, int), np.array(alone)))
    assert [(hit.first, hit.last, hit.high - hit.low) for hit in found] == expected


def test_the_memory_for_words_is_bounded() -> None:
    known = name_hits._Known()
    first = known["rivers"]
    for number in range(1 << 16):
        known[str(number)]
    assert 0 < len(known) < 1 << 16
    assert known["rivers"] == first == known["rivers"][:8] + known["river"][:8]
