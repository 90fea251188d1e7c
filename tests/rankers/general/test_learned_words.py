"""What a user's texts teach of words moves odds between paths, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import BadStore
from kgpath.rankers.general.learned_words import MOST, CountedFacts, LearnedWords
from kgpath.rankers.ltr.fact_spans import FactSpan
from kgpath.rankers.ltr.relation_statistics import RelationStatistics


def span(relation: str, *between: str, head: str = "", tail: str = "") -> FactSpan:
    return FactSpan(relation, frozenset(), frozenset(between), head, tail)


def counts(*facts: tuple[FactSpan, bool]) -> LearnedWords:
    statistics = RelationStatistics()
    for fact, told in facts:
        statistics.add(fact, told)
    return LearnedWords(statistics)


def single_facts(*spans: FactSpan) -> CountedFacts:
    """Paths of one hop each, over the same two entities."""
    places = np.arange(len(spans))
    return CountedFacts(
        spans, np.zeros(len(spans), dtype=np.int64), places[:, None], (),
        np.full((len(spans), 0), -1),
    )  # fmt: skip


FOUNDED = [(span("founder", "kicked"), True)] * 6 + [(span("owner", "kicked"), False)] * 6
OWNED = [(span("owner", "pays"), True)] * 6 + [(span("founder", "pays"), False)] * 6
WORDS = counts(*FOUNDED, *OWNED)


@pytest.mark.parametrize(("word", "better"), [("kicked", 0), ("pays", 1)])
def test_the_relation_that_a_word_went_with_is_likelier(word: str, better: int) -> None:
    moved = WORDS.moved(single_facts(span("founder", word), span("owner", word)), np.zeros(2))
    assert moved[better] > 0 > moved[1 - better]


def test_classes_of_which_a_relation_was_told_count() -> None:
    told = [(span("starring", head="film", tail="actor"), True)] * 5
    untold = [(span("starring", head="film", tail="writer"), False)] * 5
    facts = single_facts(
        span("starring", head="film", tail="actor"), span("starring", head="film", tail="writer")
    )
    gain = counts(*told, *untold).gain(facts)
    assert gain[0] > gain[1]


def test_what_was_never_met_says_nothing() -> None:
    facts = single_facts(span("unheard", "of"), span("strange"))
    assert WORDS.gain(facts).tolist() == [0.0, 0.0]
    assert counts().moved(facts, np.array([1.0, -2.0])).tolist() == pytest.approx([0, 0])


def test_one_path_alone_stays_as_likely_as_it_was() -> None:
    moved = WORDS.moved(single_facts(span("founder", "kicked")), np.array([0.7]))
    assert moved.tolist() == pytest.approx([0.0])


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=6), st.data())
def test_the_chance_that_any_path_is_told_stays(odds: list[float], data: st.DataObject) -> None:
    relations = st.sampled_from(["founder", "owner", "unheard"])
    words = st.sampled_from(["kicked", "pays", "runs"])
    spans = [span(data.draw(relations), data.draw(words)) for _ in odds]
    given_odds = np.array(odds)
    moved = WORDS.moved(single_facts(*spans), given_odds)
    assert np.exp(given_odds + moved).sum() == pytest.approx(np.exp(given_odds).sum())


def test_no_count_counts_beyond_a_limit() -> None:
    many = counts(*[(span("founder", "kicked"), True)] * 5000)
    assert many.gain(single_facts(span("founder")))[0] <= MOST


def test_it_is_saved_and_read_again(tmp_path: Path) -> None:
    WORDS.save(tmp_path / "words.json")
    facts = single_facts(span("founder", "kicked"), span("owner", "kicked"))
    again = LearnedWords.load(tmp_path / "words.json")
    assert again.gain(facts).tolist() == WORDS.gain(facts).tolist()
    (tmp_path / "words.json").write_text('{"facts": -1}')
    with pytest.raises(BadStore, match="Train the model again"):
        LearnedWords.load(tmp_path / "words.json")
