"""Answers: scores that add up, quotes that stand in the text, verdicts, and why there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

import kgpath
from kgpath.answer import Answers, Mark, Quote, verdict_of
from kgpath.datasets.sample_files import FOLDER
from kgpath.features.path_features import PathFeatures
from kgpath.rankers.ranker import Ranker, Scores

RECORDS = [
    json.loads(line)
    for line in (FOLDER / "documents.jsonl").read_text(encoding="utf-8").splitlines()
]
RAIN = "It rained and rained all day. " * 20
MOORE, CRAIG = "Roger Moore", "Daniel Craig"
BOND = "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig"


@pytest.fixture(params=RECORDS[::3], ids=lambda record: record["id"])
def asked(request: pytest.FixtureRequest, sample: kgpath.Graph) -> Iterator[tuple[Answers, str]]:
    """The answers to a question of the sample, and its text."""
    record = request.param
    yield (
        sample.query(record["head"], record["tail"], record["document"], k=8),
        record["document"],
    )


def test_the_parts_sum_up_to_the_score_and_the_best_is_first(asked: tuple[Answers, str]) -> None:
    answers, _ = asked
    assert len(answers) == 8
    for answer in answers:
        assert answer.parts and sum(answer.parts.values()) == pytest.approx(answer.score)
        assert 0 <= answer.support <= 1
    scores = [answer.score for answer in answers]
    assert scores == sorted(scores, reverse=True)


class FewerHops(Ranker):
    """Ranks by length, and is the surer of a path the longer it is: its two say opposite things."""

    def score(self, features: PathFeatures) -> Scores:
        length = features["length"]
        return Scores(-length, {"length": -length}, np.minimum(length / 4, 1))


def test_no_path_is_more_surely_told_than_one_that_is_ranked_above_it(
    asked: tuple[Answers, str],
) -> None:
    answers, _ = asked
    support = [answer.support for answer in answers]
    assert support == sorted(support, reverse=True)


def test_the_support_is_the_probability_of_a_ranker_that_has_one(film: kgpath.Graph) -> None:
    text = "Roger Moore and Daniel Craig both played James Bond."
    answers = film.query(MOORE, CRAIG, text, ranker=FewerHops(), max_hops=4)
    lengths = [len(answer.path.hops) for answer in answers]
    assert lengths[0] == 2
    assert [answer.support for answer in answers] == [0.5] * len(lengths)


def test_quotes_and_marks_stand_in_the_text_where_they_say(asked: tuple[Answers, str]) -> None:
    answers, text = asked
    assert answers[0].quotes
    for answer in answers:
        parts = {n.label for n in answer.path.nodes} | {h.relation.label for h in answer.path.hops}
        places = [quote.start for quote in answer.quotes]
        assert places == sorted(set(places))
        for quote in answer.quotes:
            end = quote.start + len(quote.text)
            assert text[quote.start : end] == quote.text
            assert quote.marks, "a sentence is quoted for what is marked in it"
            before = quote.start
            for mark in quote.marks:
                assert before <= mark.start < mark.end <= end
                assert mark.what in parts
                before = mark.end


def test_an_answer_is_json(asked: tuple[Answers, str]) -> None:
    answers, _ = asked
    data = answers.to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert set(data) == {
        "head", "tail", "ranker", "verdict", "note", "candidates", "truncated", "answers",
    }  # fmt: skip
    best = data["answers"][0]
    assert set(best) == {"path", "text", "score", "parts", "verdict", "support", "evidence"}
    assert (best["path"][0], best["path"][-1]) == (data["head"], data["tail"])
    assert set(best["evidence"][0]) == {"sentence", "start", "marks"}
    assert set(best["evidence"][0]["marks"][0]) == {"start", "end", "what"}


def test_a_quote_shows_names_and_relation_words(film: kgpath.Graph) -> None:
    text = "No rain. Roger Moore and Daniel Craig both played\n James Bond. More rain."
    (answer,) = film.query(MOORE, CRAIG, text)
    assert str(answer) == BOND
    (quote,) = answer.quotes
    assert quote.start == 9
    assert quote.marked() == "[Roger Moore] and [Daniel Craig] both [played] [James Bond]."
    assert quote.marked("<b>", "</b>").startswith("<b>Roger Moore</b> and <b>Daniel Craig</b>")
    assert [mark.what for mark in quote.marks] == [MOORE, CRAIG, "portrayer", "James Bond"]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Cobain wrote about spring in Seattle.", "[Cobain] wrote about spring in [Seattle]."),
        ("In spring, Kurt Cobain left Seattle.", "In spring, [Kurt Cobain] left [Seattle]."),
        ("In Bloom: Kurt Cobain, in Seattle.", "[In Bloom]: [Kurt Cobain], in [Seattle]."),
        ("Cobain, Kurt: Bloom, in Seattle.", "[Cobain, Kurt]: [Bloom], in [Seattle]."),
        ("Kurt Donald Cobain is in Seattle.", "[Kurt Donald Cobain] is in [Seattle]."),
        ("The singer Donald Cobain left Seattle.", "The singer [Donald Cobain] left [Seattle]."),
        ("Cobain of Seattle wrote of the Dog.", "[Cobain] of [Seattle] [wrote] of the [Dog]."),
        ("Cobain and a lonely dog in Seattle.", "[Cobain] and a [lonely dog] in [Seattle]."),
        ("The Lonely Dog of Cobain in Seattle.", "[The Lonely Dog] of [Cobain] in [Seattle]."),
        ("Cobain heard The Who in Seattle.", "[Cobain] heard [The Who] in [Seattle]."),
        ("Cobain asked who was in Seattle.", "[Cobain] asked who was in [Seattle]."),
        ("Cobain. Kurt is in Seattle.", "[Kurt] is in [Seattle]."),
    ],
)  # fmt: skip
def test_whole_names_are_marked_and_little_words_are_not(
    build_graph, text: str, marked: str
) -> None:
    kg = build_graph(
        """
        ex:cobain rdfs:label "Kurt Donald Cobain" ; skos:altLabel "Kurt Cobain" .
        ex:bloom rdfs:label "In Bloom" ; ex:writer ex:cobain ; ex:place ex:seattle .
        ex:dog rdfs:label "The Lonely Dog" ; ex:writer ex:cobain ; ex:place ex:seattle .
        ex:who rdfs:label "The Who" ; ex:writer ex:cobain ; ex:place ex:seattle .
        ex:cobain ex:place ex:seattle . ex:seattle rdfs:label "Seattle" .
        """
    )
    answers = kg.query("ex:cobain", "ex:seattle", text, k=4)
    found = {answer.path.nodes[1].label: answer.quotes for answer in answers}
    known = {"In Bloom": "Bloom", "The Lonely Dog": "og", "The Who": "The Who"}
    inner = next((name for name, word in known.items() if word in text), "Seattle")
    assert " ".join(quote.marked() for quote in found[inner]) == marked


def test_marks_by_hand() -> None:
    quote = Quote("Anna likes  Bert.", 100, (Mark(100, 104, "Anna"), Mark(112, 116, "Bert")))
    assert quote.marked() == "[Anna] likes [Bert]."
    assert Quote("Nobody.", 7, ()).marked() == "Nobody."


@pytest.mark.parametrize(
    ("text", "verdict", "note"),
    [
        ("Roger Moore and Daniel Craig both played James Bond.", "relevant", ""),
        (
            "Roger Moore played James Bond. Daniel Craig came to see James Bond.",
            "doubtful",
            "Doubtful: the text expresses the best path only in part.",
        ),
        (
            f"Roger Moore slept. {RAIN} James Bond slept. {RAIN} Daniel Craig slept.",
            "none",
            "No path explains this pair in this text: the graph has 1, but the text does not "
            "express the best of them.",
        ),
        (
            "Roger Moore met Daniel Craig in Paris.",
            "none",
            "No path explains this pair in this text: the graph has 1, but the text does not "
            "express the best of them.",
        ),
        (
            "It rained in Paris.",
            "none",
            "The text does not name Roger Moore or Daniel Craig. No path explains this pair in "
            "this text: the graph has 1, but the text does not express the best of them.",
        ),
        (
            "Daniel Craig came to Paris.",
            "none",
            "The text does not name Roger Moore. No path explains this pair in this text: the "
            "graph has 1, but the text does not express the best of them.",
        ),
    ],
)
def test_the_verdict_and_the_note_follow_the_text(
    film: kgpath.Graph, text: str, verdict: str, note: str
) -> None:
    answers = film.query(MOORE, CRAIG, text)
    assert [str(answer) for answer in answers] == [BOND]
    assert (answers.verdict, answers[0].verdict, answers.note) == (verdict, verdict, note)


def test_a_single_hop_needs_more_than_its_ends(film: kgpath.Graph) -> None:
    def verdict(text: str) -> str:
        return film.query(MOORE, "London", text, ranker="zero-shot").verdict

    assert verdict("Roger Moore was in London.") == "doubtful"
    assert verdict("Roger Moore was born in London.") == "relevant"


def test_a_path_that_is_not_there_is_not_one_that_the_text_does_not_tell(
    film: kgpath.Graph,
) -> None:
    text = "Roger Moore, Daniel Craig and Beyoncé met."
    untold = film.query(MOORE, CRAIG, text)
    assert (untold.candidates, untold.verdict) == (1, "none")
    assert "the graph has 1, but the text does not express" in untold.note
    near = film.query(MOORE, CRAIG, text, max_hops=1)
    assert (near.candidates, len(near), near.verdict) == (0, 0, "none")
    assert near.note == (
        "The graph has no path of at most 1 hop between Roger Moore and Daniel Craig: more hops "
        "may find one."
    )
    apart = film.query(MOORE, "Beyoncé", text, max_hops=6)
    assert apart.note == "The graph has no path of at most 6 hops between Roger Moore and Beyoncé."
    filtered = film.query(MOORE, CRAIG, text, drop=["portrayer"])
    assert filtered.note.endswith(
        "Roger Moore and Daniel Craig under these filters: drop portrayer."
    )


def test_the_bounds_of_the_verdicts() -> None:
    assert [verdict_of(s) for s in (0, 0.19, 0.2, 0.49, 0.5, 1)] == [
        "none", "none", "doubtful", "doubtful", "relevant", "relevant",
    ]  # fmt: skip


def test_answers_are_a_sequence_and_show_themselves(film: kgpath.Graph) -> None:
    answers = film.query(MOORE, CRAIG, "It rained.")
    assert answers[:1] == (answers[0],) and list(answers) == [answers[0]]
    assert repr(answers).splitlines() == [
        "<Roger Moore … Daniel Craig: none, 1 candidates>",
        f"  {answers[0].score:6.2f}  none      {BOND}",
        answers.note,
    ]


def test_a_page_shows_names_as_they_are_written(build_graph) -> None:
    kg = build_graph('ex:a rdfs:label "<b>Anna</b>"@en ; ex:p ex:b . ex:p rdfs:label "a&b"@en .')
    page = kg.query("<b>Anna</b>", "b", "Nothing.")._repr_html_()
    assert "<b>Anna" not in page
    assert page.count("&lt;b&gt;Anna&lt;/b&gt;") == 3  # heading, note and path
    assert "–a&amp;b→" in page
