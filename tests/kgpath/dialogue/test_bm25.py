"""BM25 agrees with bm25s and rank_bm25, form by form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from kgpath.dialogue.bm25 import BM25
from kgpath.dialogue.words import words
from kgpath.errors import BadOption, UnknownName

LETTERS = st.sampled_from("abcdefg")
TEXTS = st.lists(st.lists(LETTERS, min_size=1, max_size=9).map(" ".join), min_size=2, max_size=9)
QUERY = st.lists(LETTERS, min_size=1, max_size=6).map(" ".join)
FORMS = ("robertson-floor", "lucene", "atire", "bm25l", "bm25+")


def by_bm25s(form: str, query: str, texts: list[str]) -> np.ndarray:
    bm25s = pytest.importorskip("bm25s")
    method = form.removesuffix("-floor")
    delta = {"bm25l": 0.5, "bm25+": 1.0}.get(form, 0.5)
    judge = bm25s.BM25(k1=1.2, b=0.75, method=method, delta=delta, dtype="float64")
    judge.index([words(text) for text in texts], show_progress=False)
    known = [word for word in words(query) if word in judge.vocab_dict]
    return judge.get_scores(known) if known else np.zeros(len(texts))


@pytest.mark.parametrize("form", FORMS)
@given(query=QUERY, texts=TEXTS)
def test_agrees_with_bm25s(form: str, query: str, texts: list[str]) -> None:
    # bm25s drops the factor k1 + 1 in the two forms of Lucene and Robertson.
    scaled = form not in ("robertson-floor", "lucene")
    ours = BM25(idf=form, scaled=scaled).scores(query, texts)
    assert ours == pytest.approx(by_bm25s(form, query, texts), abs=1e-6)


@given(query=QUERY, texts=TEXTS)
def test_agrees_with_rank_bm25(query: str, texts: list[str]) -> None:
    judge = BM25Okapi([words(text) for text in texts], k1=1.2, b=0.75)
    assert BM25(idf="okapi").scores(query, texts) == pytest.approx(judge.get_scores(words(query)))


def test_by_hand() -> None:
    # N = 2, df = 1, both texts as long as the mean: ln(1 + 1.5 / 1.5) · 2.2 / (1 + 1.2)
    scores = BM25().scores("cat", ["cat sat", "dog sat"])
    assert scores == pytest.approx([math.log(2), 0])
    assert BM25(scaled=False).scores("cat", ["cat sat", "dog sat"])[0] == pytest.approx(
        math.log(2) / 2.2
    )
    # A term counts as often as the query has it.
    assert BM25().scores("cat cat", ["cat sat", "dog sat"]) == pytest.approx([2 * math.log(2), 0])


def test_robertson_is_negative_for_a_common_term() -> None:
    texts = ["cat", "cat", "dog"]
    assert BM25(idf="robertson").scores("cat", texts)[0] < 0
    assert BM25(idf="robertson-floor").scores("cat", texts)[0] == 0


@pytest.mark.parametrize("form", ("robertson", "okapi", *FORMS))
def test_nothing_to_compare_is_zero(form: str) -> None:
    bm25 = BM25(idf=form)
    assert bm25.scores("", ["cat"]).tolist() == [0]
    assert bm25.scores("猫", ["cat", "猫 is cat"]).tolist() == [0, 0]
    assert bm25.scores("dog", ["cat", ""]).tolist() == [0, 0]
    assert bm25.scores("dog", ["", ""]).tolist() == [0, 0]
    assert bm25.scores("dog", []).tolist() == []
    assert np.isfinite(BM25(k1=0, b=1, idf=form).scores("cat", ["cat", ""])).all()


def test_equal_texts_have_equal_scores() -> None:
    texts = ["a cat and a dog and a cat", "something else", "a cat and a dog and a cat"]
    scores = BM25().scores("cat dog and else", texts)
    assert scores[0] == scores[2]


def test_bad_options_say_what_is_possible() -> None:
    with pytest.raises(UnknownName, match="lucene"):
        BM25(idf="tf")
    with pytest.raises(BadOption, match="b from 0 to 1"):
        BM25(b=2)
