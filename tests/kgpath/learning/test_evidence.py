"""Marked texts and queries with evidence, on a graph small enough to read by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgpath
from kgpath.features.evidence import shown_sentences
from kgpath.features.path_features import PathFeatures
from kgpath.io.evidence import MarkedFact, MarkedText
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.evidence import EvidenceSet
from kgpath.learning.report import as_json
from kgpath.linking.context import Context
from kgpath.metrics import Overlap
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.shortest import Shortest

EX = "http://example.org/"
GRAPH = """
ex:Ann ex:knows ex:Bob . ex:Bob ex:lives ex:Rome . ex:Ann ex:likes ex:Rome .
ex:Cid ex:knows ex:Bob .
"""
#       0                           1               2
TEXT = "Ann has known Bob for long. Bob is abroad. His home is Rome."
STARTS = (0, 28, 43)
KNOWS, LIVES, LIKES = ("Ann", "knows", "Bob"), ("Bob", "lives", "Rome"), ("Ann", "likes", "Rome")


def fact(names: tuple[str, str, str], *sentences: int) -> MarkedFact:
    head, relation, tail = (EX + name for name in names)
    return MarkedFact(head, relation, tail, sentences)


def asked(*facts: MarkedFact, starts: tuple[int, ...] = STARTS) -> Query:
    path = tuple(EX + name for name in ("Ann", "knows", "Bob", "lives", "Rome"))
    path = (path[0], path[1], path[2], path[3], path[4])
    return Query(
        "q", EX + "Ann", EX + "Rome", TEXT, (path,), evidence=facts, sentence_starts=starts
    )


class Longest(Shortest):
    """More hops are better, and it shows the first sentence for whatever there is."""

    def score(self, features: PathFeatures):
        return super().score(features)._replace(total=features["length"])

    def evidence(self, features: PathFeatures, asked: object = None) -> list[tuple[int, ...]]:
        return [(0,)] * len(features.facts.heads)


def test_shown_are_the_sentences_of_the_closest_ends(build_graph) -> None:
    graph = build_graph(GRAPH)
    triples = [tuple(EX + name for name in one) for one in (KNOWS, LIVES, ("Cid", "knows", "Bob"))]
    features = PathFeatures(Context(graph, TEXT), PathArrays.from_iris(graph, triples))
    shown = shown_sentences(features)
    of = [shown[features.facts.along[row, 0]] for row in range(3)]
    assert of[0] == (0,)
    assert of[1] in ((1, 2), (2,))  # "Bob" of the sentence before, or "his"
    assert of[2] == ()  # Cid is not in the text
    empty = PathFeatures(Context(graph, ""), PathArrays.from_iris(graph, triples))
    assert shown_sentences(empty) == [(), (), ()]


def test_every_fact_of_a_marked_text_is_measured_whatever_it_is_a_part_of(build_graph) -> None:
    graph = build_graph(GRAPH)
    facts = (fact(KNOWS, 0, 1), fact(LIVES, 1), fact(LIVES, 2), fact(LIKES))
    unknown = (fact(("Ann", "knows", "Zoe"), 0), fact(("Bob", "knows", "Ann"), 0))
    text = MarkedText("t", TEXT, (*facts, *unknown), STARTS, 1)
    texts = EvidenceSet(graph, [text])
    assert (texts.facts, texts.notes) == (2, [])
    assert texts.left_out == {"without a sentence": 1, "not in the graph": 2}
    assert str(texts) == (
        "Evidence: 2 facts of 1 text; left out: 1 without a sentence, 2 not in the graph. "
        "Sentences shown for them against those marked, over all facts; the interval is by "
        "document."
    )
    found = texts.judged(0, Longest(), texts.features(0))
    assert found == Overlap(common=1, shown=2, named=4)
    evaluator = Evaluator(graph, [asked()], evidence=[text])
    run, plain = evaluator.run({"longest": Longest(), "shortest": Shortest()})
    assert run.evidence is not None and run.evidence.texts == (found,)
    figures = as_json([run, plain])["rankers"][0]["evidence"]
    assert figures == {"P": 1 / 2, "R": 1 / 4, "F1": 1 / 3, "F1_interval": [1 / 3, 1 / 3]}


def test_the_evidence_of_a_query_is_judged_on_the_facts_of_the_first_path(build_graph) -> None:
    names = ["MRR", "Evidence(P)", "Evidence(R)", "Evidence(F1)"]
    queries = [asked(fact(KNOWS, 0), fact(LIVES, 1, 2)), asked(fact(LIKES, 0)), asked()]
    evaluator = Evaluator(build_graph(GRAPH), queries, metrics=names)
    longest, shortest = evaluator.run({"longest": Longest(), "shortest": Shortest()})
    # By the two hops of the longest: {0} for {0}, {0} for {1, 2}.
    assert [row["Evidence(P)"] for row in longest.rows()] == [1 / 2, None, None]
    assert [row["Evidence(R)"] for row in longest.rows()] == [1 / 3, None, None]
    assert longest.paths.means()["Evidence(F1)"] == pytest.approx(2 / 5)
    # The shortest is Ann likes Rome, for which the first query marks nothing.
    assert [row["Evidence(R)"] is None for row in shortest.rows()] == [True, False, True]
    rows = as_json([longest, shortest])["rankers"]
    assert rows[0]["interval"]["Evidence(F1)"] == pytest.approx([2 / 5, 2 / 5])
    (some,) = Evaluator(build_graph(GRAPH), queries, metrics=["Evidence(P)"]).run(
        {"longest": Longest()}
    )
    (other,) = Evaluator(build_graph(GRAPH), queries, metrics=["Evidence(P)"]).run(
        {"shortest": Shortest()}
    )
    compared = [row["difference"] for row in as_json([some, other])["rankers"]]
    assert compared == [None, None]  # no query has a figure of both


def test_numbers_that_no_sentence_has_are_said_and_left_out(build_graph) -> None:
    graph = build_graph(GRAPH)
    wrong = asked(fact(KNOWS, 3), starts=())
    right = asked(fact(LIKES, 2), starts=())
    evaluator = Evaluator(
        graph, [wrong, right], evidence=[MarkedText("t", TEXT, (fact(KNOWS, 7),), (), 4)]
    )
    assert evaluator.left_out == [
        "q: a fact names sentence 3, but the document has 0 to 2 as kgpath splits it. Its evidence "
        "is left out: say where its sentences start, as sentence_starts.",
        "t (line 4): a fact names sentence 7, but the document has 0 to 2 as kgpath splits it. Its "
        "evidence is left out: say where its sentences start, as sentence_starts.",
    ]
    assert evaluator.notes == []
    assert str(evaluator.evidence) == "Evidence: none of the facts can be measured."
    (run,) = evaluator.run({"shortest": Shortest()})
    assert run.evidence is None


def test_evidence_in_python_comes_from_a_file(
    build_graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"document": TEXT, "facts": [fact(KNOWS, 0)._asdict()]}
    (tmp_path / "e.jsonl").write_text(f"{json.dumps(line)}\n[]\n")
    (run,) = kgpath.evaluate(
        build_graph(GRAPH), [asked()], ["zero-shot"], evidence=tmp_path / "e.jsonl"
    )
    assert run.evidence is not None and run.evidence.texts == (Overlap(1, 1, 1),)
    assert capsys.readouterr().err == "kgpath: e.jsonl:2: not a JSON object\n"


def test_answers_quote_the_sentences_that_the_ranker_shows(build_graph) -> None:
    graph = build_graph(GRAPH)
    first = TEXT[:27]
    (answer, *_) = graph.query(EX + "Ann", EX + "Rome", TEXT, ranker=Longest())
    assert [quote.text for quote in answer.quotes] == [first]
    (plain,) = [
        one
        for one in graph.query(EX + "Ann", EX + "Rome", TEXT, ranker=Shortest())
        if one.path.length == 2
    ]
    assert first in [quote.text for quote in plain.quotes] and len(plain.quotes) > 1
