"""Counts of relations and words: by hand, saved and read back."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest

from kgpath.errors import BadStore
from kgpath.rankers.relation_statistics import LEARNED, RelationStatistics, Stretch

BORN = Stretch("birthPlace", frozenset({"born", "london"}), frozenset({"born", "in", "born in"}))
DIED = Stretch("deathPlace", frozenset({"died", "london"}), frozenset({"died", "in", "died in"}))


@pytest.fixture
def statistics() -> RelationStatistics:
    made = RelationStatistics()
    made.add([BORN, BORN, DIED, BORN], [True, True, True, False])
    return made


def test_how_often_a_relation_was_told_is_a_logarithm(statistics: RelationStatistics) -> None:
    rows = statistics.features([BORN, DIED])
    assert rows[0, 0] == pytest.approx(log(2.5 / 1.5))
    assert rows[1, 0] == pytest.approx(log(1.5 / 0.5))


def test_the_words_of_a_relation_speak_for_it(statistics: RelationStatistics) -> None:
    one = frozenset({"born"})
    row = statistics.features([Stretch("birthPlace", one, frozenset())])[0]
    general = (3 + 1) / (4 + 2)
    assert row[1] == pytest.approx(log((2 + 0.5 * general) / (2 + 0.5) / general))
    assert row[2] == 0  # no word between
    other = statistics.features([Stretch("deathPlace", one, frozenset())])[0]
    assert row[1] > 0 > other[1]


def test_a_word_around_is_not_a_word_between(statistics: RelationStatistics) -> None:
    around = statistics.features([Stretch("birthPlace", frozenset({"in"}), frozenset())])[0, 1]
    between = statistics.features([Stretch("birthPlace", frozenset(), frozenset({"in"}))])[0, 2]
    assert around < between


def test_nothing_is_known_of_a_new_relation(statistics: RelationStatistics) -> None:
    rows = statistics.features([Stretch("spouse", frozenset({"born"}), frozenset())])
    assert rows.shape == (1, len(LEARNED)) and np.isnan(rows).all()
    assert statistics.features([]).shape == (0, len(LEARNED))


def test_saved_and_read_back_they_say_the_same(
    statistics: RelationStatistics, tmp_path: Path
) -> None:
    statistics.save(tmp_path / "s.json")
    again = RelationStatistics.load(tmp_path / "s.json")
    assert np.array_equal(again.features([BORN, DIED]), statistics.features([BORN, DIED]))


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"facts": "x"}'])
def test_a_damaged_file_is_told(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "s.json").write_text(content)
    with pytest.raises(BadStore, match="Train the model again"):
        RelationStatistics.load(tmp_path / "s.json")
