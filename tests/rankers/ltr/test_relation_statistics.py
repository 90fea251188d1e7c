"""Counts of relations and words: by hand, saved and read back."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest

from kgpath.errors import BadStore
from kgpath.rankers.ltr.relation_statistics import LEARNED, RelationStatistics, Stretch

BORN = Stretch("birthPlace", frozenset({"born", "london"}), frozenset({"born", "in", "born in"}))
DIED = Stretch("deathPlace", frozenset({"died", "london"}), frozenset({"died", "in", "died in"}))


@pytest.fixture
def statistics() -> RelationStatistics:
    made = RelationStatistics()
    for stretch, told in ((BORN, True), (BORN, True), (DIED, True), (BORN, False)):
        made.add(stretch, told)
    return made


def features(statistics: RelationStatistics, *stretches: Stretch) -> np.ndarray:
    """Of facts that each join two entities of their own."""
    return statistics.features(stretches, np.arange(len(stretches)))


def test_how_often_a_relation_was_told_is_a_logarithm(statistics: RelationStatistics) -> None:
    rows = features(statistics, BORN, DIED)
    assert rows[0, 0] == pytest.approx(log(2.5 / 1.5))
    assert rows[1, 0] == pytest.approx(log(1.5 / 0.5))


def test_the_words_of_a_relation_speak_for_it(statistics: RelationStatistics) -> None:
    one = frozenset({"born"})
    row = features(statistics, Stretch("birthPlace", one, frozenset()))[0]
    general = (3 + 1) / (4 + 2)
    assert row[1] == pytest.approx(log((2 + 0.5 * general) / (2 + 0.5) / general))
    assert row[2] == 0  # no word between
    other = features(statistics, Stretch("deathPlace", one, frozenset()))[0]
    assert row[1] > 0 > other[1]


def test_a_word_around_is_not_a_word_between(statistics: RelationStatistics) -> None:
    around = features(statistics, Stretch("birthPlace", frozenset({"in"}), frozenset()))[0, 1]
    between = features(statistics, Stretch("birthPlace", frozenset(), frozenset({"in"})))[0, 2]
    assert around < between


def test_nothing_is_known_of_a_new_relation(statistics: RelationStatistics) -> None:
    rows = features(statistics, Stretch("spouse", frozenset({"born"}), frozenset()))
    assert rows.shape == (1, len(LEARNED)) and np.isnan(rows).all()
    assert features(statistics).shape == (0, len(LEARNED))


def test_saved_and_read_back_they_say_the_same(
    statistics: RelationStatistics, tmp_path: Path
) -> None:
    statistics.save(tmp_path / "s.json")
    again = RelationStatistics.load(tmp_path / "s.json")
    same = features(again, BORN, DIED), features(statistics, BORN, DIED)
    assert np.array_equal(*same, equal_nan=True)


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"facts": "x"}'])
def test_a_damaged_file_is_told(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "s.json").write_text(content)
    with pytest.raises(BadStore, match="Train the model again"):
        RelationStatistics.load(tmp_path / "s.json")


def test_a_relation_is_told_more_often_of_some_classes(statistics: RelationStatistics) -> None:
    statistics.add(BORN._replace(head="Person"), True)
    statistics.add(BORN._replace(head="Ship"), False)
    names = list(LEARNED)
    person, ship, other = features(
        statistics, *(BORN._replace(head=name) for name in ("Person", "Ship", "Dog"))
    )[:, names.index("told of head")]
    assert person > other > ship
    generally = features(statistics, BORN)[0, names.index("told before")]
    assert other == pytest.approx(generally)  # of a class never met


def test_of_parallel_relations_the_one_that_mostly_wins_is_known() -> None:
    made = RelationStatistics()
    for _ in range(3):
        made.add(BORN, True, rivals=["deathPlace"])
    made.add(DIED, True, rivals=["birthPlace"])
    column = list(LEARNED).index("told rather")
    both = made.features([BORN, DIED], np.zeros(2, int))[:, column]
    assert both == pytest.approx([log(3.5 / 1.5), log(1.5 / 3.5)])
    apart = made.features([BORN, DIED], np.arange(2))[:, column]
    assert np.isnan(apart).all()  # they do not join the same two


def test_some_words_speak_for_any_fact() -> None:
    made = RelationStatistics()
    for _ in range(5):
        made.add(BORN, True)
        made.add(Stretch("spouse", frozenset(), frozenset({"and"})), False)
    column = list(LEARNED).index("any words")
    new = Stretch("founder", frozenset(), frozenset({"in"}))
    told, untold = features(made, new, new._replace(between=frozenset({"and"})))[:, column]
    assert told > 0 > untold


def test_relations_that_meet_are_counted(statistics: RelationStatistics, tmp_path: Path) -> None:
    statistics.add_joint("birthPlace< country>", True)
    statistics.add_joint("birthPlace< country>", False)
    statistics.add_joint("birthPlace< country>", True)
    statistics.save(tmp_path / "s.json")
    again = RelationStatistics.load(tmp_path / "s.json")
    known, new = again.of_joints(["birthPlace< country>", "spouse< country>"])
    assert known == pytest.approx(log(2.5 / 1.5)) and np.isnan(new)
