"""Counts of relations and words: by hand, saved and read back."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest

from kgpath.errors import BadStore
from kgpath.features.feature_table import FeatureTable
from kgpath.rankers.ltr.fact_spans import FactSpan
from kgpath.rankers.ltr.relation_statistics import LEARNED, RelationStatistics

BORN = FactSpan("birthPlace", frozenset({"born", "london"}), frozenset({"born", "in", "born in"}))
DIED = FactSpan("deathPlace", frozenset({"died", "london"}), frozenset({"died", "in", "died in"}))


@pytest.fixture
def statistics() -> RelationStatistics:
    made = RelationStatistics()
    for span, expressed in ((BORN, True), (BORN, True), (DIED, True), (BORN, False)):
        made.add(span, expressed)
    return made


def features(statistics: RelationStatistics, *spans: FactSpan) -> FeatureTable:
    """Of facts that each join two entities of their own."""
    return statistics.features(spans, np.arange(len(spans)))


def test_how_often_a_relation_was_expressed_is_a_logarithm(statistics: RelationStatistics) -> None:
    before = features(statistics, BORN, DIED)["expressed before"]
    assert before == pytest.approx([log(2.5 / 1.5), log(1.5 / 0.5)])


def test_the_words_of_a_relation_speak_for_it(statistics: RelationStatistics) -> None:
    one = frozenset({"born"})
    table = features(
        statistics, *(FactSpan(name, one, frozenset()) for name in ("birthPlace", "deathPlace"))
    )
    general = (3 + 1) / (4 + 2)
    born, died = table["words around"]
    assert born == pytest.approx(log((2 + 0.5 * general) / (2 + 0.5) / general))
    assert table["words between"][0] == 0  # there is none
    assert born > 0 > died


def test_a_word_around_is_not_a_word_between(statistics: RelationStatistics) -> None:
    around = features(statistics, FactSpan("birthPlace", frozenset({"in"}), frozenset()))
    between = features(statistics, FactSpan("birthPlace", frozenset(), frozenset({"in"})))
    assert around["words around"][0] < between["words between"][0]


def test_nothing_is_known_of_a_new_relation(statistics: RelationStatistics) -> None:
    table = features(statistics, FactSpan("spouse", frozenset({"born"}), frozenset()))
    assert table.values.shape == (1, len(LEARNED)) and np.isnan(table.values).all()
    assert features(statistics).values.shape == (0, len(LEARNED))


def test_saved_and_read_back_they_say_the_same(
    statistics: RelationStatistics, tmp_path: Path
) -> None:
    statistics.save(tmp_path / "s.json")
    again = RelationStatistics.load(tmp_path / "s.json")
    one, other = features(again, BORN, DIED), features(statistics, BORN, DIED)
    assert np.array_equal(one.values, other.values, equal_nan=True)


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"facts": "x"}'])
def test_a_damaged_file_is_reported(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "s.json").write_text(content)
    with pytest.raises(BadStore, match="Train the model again"):
        RelationStatistics.load(tmp_path / "s.json")


def test_a_relation_is_expressed_more_often_of_some_classes(statistics: RelationStatistics) -> None:
    statistics.add(BORN._replace(head="Person"), True)
    statistics.add(BORN._replace(head="Ship"), False)
    person, ship, other = features(
        statistics, *(BORN._replace(head=name) for name in ("Person", "Ship", "Dog"))
    )["expressed of head"]
    assert person > other > ship
    generally = features(statistics, BORN)["expressed before"]
    assert other == pytest.approx(generally[0])  # of a class never met


def test_of_parallel_relations_the_one_that_mostly_wins_is_known() -> None:
    made = RelationStatistics()
    for _ in range(3):
        made.add(BORN, True, rivals=["deathPlace"])
    made.add(DIED, True, rivals=["birthPlace"])
    both = made.features([BORN, DIED], np.zeros(2, int))["expressed rather"]
    assert both == pytest.approx([log(3.5 / 1.5), log(1.5 / 3.5)])
    apart = made.features([BORN, DIED], np.arange(2))["expressed rather"]
    assert np.isnan(apart).all()  # they do not join the same two


def test_some_words_speak_for_any_fact() -> None:
    made = RelationStatistics()
    for _ in range(5):
        made.add(BORN, True)
        made.add(FactSpan("spouse", frozenset(), frozenset({"and"})), False)
    new = FactSpan("founder", frozenset(), frozenset({"in"}))
    yes, no = features(made, new, new._replace(between=frozenset({"and"})))["any words"]
    assert yes > 0 > no


def test_relations_that_meet_are_counted(statistics: RelationStatistics, tmp_path: Path) -> None:
    statistics.add_pair("birthPlace< country>", True)
    statistics.add_pair("birthPlace< country>", False)
    statistics.add_pair("birthPlace< country>", True)
    statistics.save(tmp_path / "s.json")
    again = RelationStatistics.load(tmp_path / "s.json")
    known, new = again.pair_odds(["birthPlace< country>", "spouse< country>"])
    assert known == pytest.approx(log(2.5 / 1.5)) and np.isnan(new)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"facts": -1}, "a count is not a whole number from 0 to 1,000,000,000"),
        ({"facts": 10**30}, "a count is not a whole number from 0 to 1,000,000,000"),
        ({"facts": 1.5}, "a count is not a whole number from 0 to 1,000,000,000"),
        ({"told": {"birthPlace": "2"}}, "a count is not a whole number from 0 to 1,000,000,000"),
        ({"told": {"birthPlace": True}}, "a count is not a whole number from 0 to 1,000,000,000"),
        ({"facts": 1}, "its counts contradict each other"),
        ({"told_words": {"born": 99}}, "its counts contradict each other"),
        ({"told": {"spouse": 1}}, "its counts contradict each other"),
        ({"told": 3}, "'int' object has no attribute 'items'"),
        ({"words": {"birthPlace": []}}, "'list' object has no attribute 'items'"),
    ],
)
def test_counts_that_cannot_be_are_refused(
    statistics: RelationStatistics, tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    path = tmp_path / "statistics.json"
    statistics.save(path)
    RelationStatistics.load(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadStore) as raised:
        RelationStatistics.load(path)
    assert str(raised.value) == f"{path} cannot be read ({reason}). Train the model again."
