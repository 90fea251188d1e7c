"""Numbers of a turn, of a run, and what judges from outside say."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.dialogue import Candidate, Dialogue, Turn, WikiPath
from kgpath.dialogue.evaluation import METRICS, Run, difference, outcome_of, run
from kgpath.dialogue.report import as_json
from kgpath.dialogue.run_analysis import (
    buckets,
    diversity,
    errors,
    no_passage,
    pearson,
    spearman,
)
from kgpath.dialogue.scores import bleu4, rouge_l, token_f1
from kgpath.dialogue.selectors.choices import make_selector
from kgpath.errors import BadOption

TEXTS = st.lists(st.sampled_from("a b c d the cat".split()), max_size=12).map(" ".join)
NONE = Candidate("no_passages_used", "no_passages_used")


@given(TEXTS, TEXTS)
def test_rouge_l_agrees_with_rouge_score(one: str, other: str) -> None:
    rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
    judge = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False).score(other, one)
    assert rouge_l(one, other) == pytest.approx(judge["rougeL"].fmeasure)


def test_token_f1_counts_a_word_as_often_as_both_have_it() -> None:
    assert token_f1("a a b", "a c") == pytest.approx(0.4)
    assert token_f1("", "a") == token_f1("a", "") == token_f1("", "") == 0
    assert token_f1("The cat!", "the CAT") == 1


def test_bleu_is_that_of_sacrebleu_and_says_how() -> None:
    same = bleu4(["The cat sat on the mat."], ["the cat sat on the mat."])
    assert same.value == pytest.approx(1)
    assert "case:lc" in same.signature and "tok:13a" in same.signature


NUMBERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)


@given(NUMBERS)
def test_correlations_agree_with_scipy(pairs: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    one, other = zip(*pairs, strict=True)
    if len(set(one)) < 2 or len(set(other)) < 2:
        assert math.isnan(pearson(one, other)) and math.isnan(spearman(one, other))
    else:
        assert pearson(one, other) == pytest.approx(stats.pearsonr(one, other).statistic)
        assert spearman(one, other) == pytest.approx(stats.spearmanr(one, other).statistic)


def test_the_numbers_of_a_turn(cats: Turn) -> None:
    right = outcome_of(Dialogue("d", (cats,)), WikiPath().select(cats))
    assert (right.know_acc, right.entity_acc, right.know_f1, right.no_path) == (1, 1, 1, 0)
    # "A house cat hunts mice at night." and "My cat hunts mice too.": 3 words of 7 and 5
    assert right.ground_f1 == right.rouge == right.user == pytest.approx(0.5)
    wrong = outcome_of(Dialogue("d", (cats,)), make_selector("bm25").select(cats))
    assert (wrong.know_acc, wrong.entity_acc) == (0, 0)
    assert wrong.know_f1 == pytest.approx(6 / 14)  # mice at night, of seven words each
    assert math.isnan(wrong.no_path)  # it has no graph


def test_a_turn_whose_sentence_is_not_there_is_left_out_and_counted(cats: Turn) -> None:
    missing = replace(cats, gold=None, gold_sentence="Cats hunt mice.", grounded=True)
    made = run("w", WikiPath(), [Dialogue("d", (cats, missing))])
    assert made.values("KnowAcc") == ([1.0], ["d"])
    assert len(made.values("KnowF1")[0]) == 2  # the true sentence is known all the same
    assert as_json([made])["missing"] == 1
    nothing = replace(cats, gold=None, response="")
    alone = run("w", WikiPath(), [Dialogue("d", (nothing,))])
    assert math.isnan(alone.mean("KnowF1")) and alone.interval("UserScore") is None


def test_a_copy_of_the_true_sentence_is_right(cats: Turn) -> None:
    twice = replace(cats, candidates=(*cats.candidates, cats.candidates[2]), gold=4)
    assert outcome_of(Dialogue("d", (twice,)), WikiPath().select(twice)).know_acc == 1


@pytest.fixture
def runs(cats: Turn, turn) -> tuple[Run, Run]:
    quiet = turn("Thanks!", NONE, ("Tea", "Tea is hot."), topic="Cat", gold=0, response="Bye now.",
                 grounded=False)  # fmt: skip
    dialogues = [
        Dialogue(f"d{n}", (replace(cats, id=f"{n}a"), replace(quiet, id=f"{n}b"))) for n in range(6)
    ]
    return run("w", WikiPath(), dialogues), run("b", make_selector("bm25"), dialogues)


def test_errors_sum_to_one(runs) -> None:
    for made in runs:
        found = errors(made)
        assert found.correct + found.right_title + found.wrong_title == pytest.approx(1)
        assert found.turns == 12
    assert errors(runs[0]).correct == 1 and errors(runs[1]).wrong_title == 0.5


def test_buckets_cover_all_turns_and_their_mean_is_the_mean(runs) -> None:
    rows = buckets(runs[0])
    assert sum(row.turns for row in rows) == 12
    assert rows[-1].length is None and [row.length for row in rows[:-1]] == [1]
    weighted = sum(row.entity_acc * row.known for row in rows) / sum(row.known for row in rows)
    assert weighted == pytest.approx(runs[0].mean("EntityAcc"))


def test_no_passage_turns(runs) -> None:
    found = no_passage(runs[0])
    assert (found.turns, found.gold, found.predicted, found.correct) == (12, 6, 6, 6)
    assert found.precision == found.recall == 1
    assert no_passage(Run("", ())).precision == 0


def test_diversity_by_dialogue(runs) -> None:
    found = diversity(runs[0])
    assert (found.distinct, found.new) == (1, 1)
    assert math.isnan(found.distinct_pearson)  # all dialogues are alike


def test_paired_differences(runs) -> None:
    one, other = runs
    gain = difference(one, other, "EntityAcc")
    assert gain.mean == pytest.approx(0.5)
    whole = difference(one, other, "EntityAcc", by_dialogue=True)
    assert (whole.low, whole.high) == (0.5, 0.5)  # every dialogue gains the same
    assert gain.low < 0.5 < gain.high
    assert difference(one, other, "NoPath") is None  # only one of the two has chains
    with pytest.raises(BadOption, match="same turns"):
        difference(one, Run("x", other.outcomes[1:]), "KnowF1")


def test_a_report_is_plain_data(runs) -> None:
    data = as_json(runs)
    assert (data["turns"], data["dialogues"], data["missing"]) == (12, 6, 0)
    first, second = data["runs"]
    assert list(first["means"]) == [*METRICS, "BLEU-4"]
    assert second["means"]["NoPath"] is None
    assert first["differences"]["turns"]["EntityAcc"] == [0, 0, 0]
    assert second["differences"]["dialogues"]["EntityAcc"] == [-0.5, -0.5, -0.5]


def test_rows_for_programs(runs) -> None:
    row = next(iter(runs[0].rows()))
    assert row["chain"] == "Abyssinian cat → Cat" and row["label"] == 2 and row["KnowAcc"] == 1
