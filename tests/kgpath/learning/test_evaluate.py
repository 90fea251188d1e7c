"""Evaluation on graphs small enough to rank by hand, and against ir_measures on the sample."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from square_queries import EX, OVER_C, OVER_D, SQUARE, query

import kgpath
from kgpath.errors import BadOption, UnknownName
from kgpath.features.path_features import PathFeatures
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.learning.report import as_json
from kgpath.rankers.ranker import Example, Scores, TrainableRanker
from kgpath.rankers.shortest import Shortest
from kgpath.rankers.zero_shot import ZeroShot


def test_metrics_are_chosen_by_name(build_graph) -> None:
    kg = build_graph(SQUARE)
    (run,) = Evaluator(kg, [query(OVER_C)], metrics=["Hits@2", "MRR"]).run({"x": Shortest()})
    assert run.paths.means() == {"Hits@2": 0, "MRR": 1 / 3}
    with pytest.raises(UnknownName, match=r"Known: Evidence\(F1\), .* Hits@k"):
        Evaluator(kg, [], metrics=["F1"])
    with pytest.raises(BadOption, match="PED needs a path encoder"):
        Evaluator(kg, [query(OVER_C)], metrics=["PED"]).run({"x": Shortest()})


def test_a_ranker_is_named_once() -> None:
    made = make_rankers(["random", "tfidf-cosine(scope=window)", Shortest()], scope="document")
    assert list(made) == ["random", "tfidf-cosine(scope=window)", "Shortest"]
    assert made["tfidf-cosine(scope=window)"].scope == "window"  # type: ignore[attr-defined]
    with pytest.raises(BadOption, match="The ranker random is named twice"):
        make_rankers(["random", "random"])


# Rankers that learn


class Toy(TrainableRanker):
    """Prefers the lengths that were true where it learned; says if it is shown the same again."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def fit(self, examples: Iterable[Example]) -> None:
        assert not self.texts, "every fold begins with nothing"
        once, twice = list(examples), list(examples)
        assert [example.true for example in once] == [example.true for example in twice]
        self.texts = [example.features.context.text for example in once]
        assert [example.features.context.text for example in twice] == self.texts
        self.lengths = {e.features["length"][place] for e in once for place in e.true}

    def score(self, features: PathFeatures) -> Scores:
        assert self.texts, "it was fitted"
        assert features.context.text not in self.texts, "it has seen what it is tested on"
        return Scores.sum_of({"toy": np.isin(features["length"], list(self.lengths)) * 1.0})


def test_a_trainable_ranker_is_fitted_for_each_fold_without_its_documents(build_graph) -> None:
    texts = [f"Text {n // 2}." for n in range(12)]  # two queries a document
    queries = [query(OVER_C, name=f"q{n}", text=text) for n, text in enumerate(texts)]
    toy = Toy()
    reported: list[tuple[str, int, int]] = []
    evaluator = Evaluator(build_graph(SQUARE), queries)
    run, plain = evaluator.run(
        {"toy": toy, "shortest": Shortest()}, folds=3, progress=lambda *what: reported.append(what)
    )
    assert toy.texts == []  # what was given is left as it was
    assert run.paths["MRR"] == (1,) * 12
    assert plain.paths["MRR"] == (1 / 3,) * 12
    assert reported[:3] == [("fitting toy", n, 3) for n in range(3)]
    assert reported[3:] == [("ranking", n, 12) for n in range(12)]


def test_too_few_documents_for_folds(build_graph) -> None:
    evaluator = Evaluator(build_graph(SQUARE), [query(OVER_C, text=t) for t in ("one", "two")])
    with pytest.raises(BadOption, match="5 folds of 2 documents cannot be made; take 2 to 2"):
        evaluator.run({"toy": Toy()})


class Taught(TrainableRanker):
    """As sure of a path as of those that were true where it learned."""

    learns_from_untold = True

    def __init__(self) -> None:
        self.shown: list[tuple[str, int]] = []

    def fit(self, examples: Iterable[Example]) -> None:
        self.shown = [(example.group, len(example.true)) for example in examples]

    def score(self, features: PathFeatures) -> Scores:
        sure = np.where(features["length"] == 2, 0.8, 0.1)
        return Scores(sure, {"sure": sure}, sure)


class Untaught(Taught):
    """The same, but it is not shown what no text tells."""

    learns_from_untold = False


# Untold questions

UNTOLD = [Query(f"u{n}", EX + "a", EX + "b", f"Text {n}.") for n in range(3)]


def test_untold_questions_count_for_verdicts_and_for_nothing_else(build_graph) -> None:
    told = [query(OVER_C, name="q", text="Text 0."), query(OVER_D, name="p", text="Text 9.")]
    nowhere = Query("x", EX + "a", EX + "nobody", "Text 0.")
    graph = build_graph(SQUARE)
    (alone,) = Evaluator(graph, told).run({}, {"sure": Untaught()})
    evaluator = Evaluator(graph, [*UNTOLD[:1], *told], untold=[*UNTOLD[1:], nowhere])
    (run,) = evaluator.run({}, {"sure": Untaught()})
    assert run.paths == alone.paths and run.entities == alone.entities
    assert (run.verdicts, len(run.first)) == (("relevant", "relevant"), 2)
    judged = [(best.query, *best.judged[:4]) for best in run.best]
    assert judged == [
        ("u0", 0.8, "relevant", False, False),
        ("q", 0.8, "relevant", True, True),
        ("p", 0.8, "relevant", True, False),
        ("u1", 0.8, "relevant", False, False),
        ("u2", 0.8, "relevant", False, False),
        ("x", 0.0, "none", False, False),
    ]
    assert evaluator.notes[0].endswith("It counts as none.")
    rows = list(run.rows())
    assert [row["query"] for row in rows] == ["u0", "q", "p", "u1", "u2", "x"]
    assert "MRR" in rows[1] and "MRR" not in rows[0] and rows[0]["told"] is False
    assert rows[0]["group"] == rows[1]["group"]  # one text
    data = as_json([run])
    assert (data["queries"], data["untold"]) == (2, 4)
    support = data["rankers"][0]["support"]
    assert (support["AUC"], support["untold_relevant"]) == ((3 * 0.5 + 1) / 4, 3 / 4)
    assert (support["threshold"], support["untold_kept"]) == (0.8, 3 / 4)
    # Of five first paths with 0.8, one is true; where there is no path, none is.
    assert support["calibration_error"] == pytest.approx(5 / 6 * (0.8 - 1 / 5))


def test_a_ranker_is_shown_untold_questions_of_other_folds_if_it_asks_for_them(
    build_graph,
) -> None:
    told = [query(OVER_C, name=f"q{n}", text=f"Text {n}.") for n in range(2)]
    shown: dict[str, list[list[tuple[str, int]]]] = {"taught": [], "untaught": []}

    class Spy(Taught):
        name = "taught"

        def fit(self, examples: Iterable[Example]) -> None:
            super().fit(examples)
            shown[self.name].append(self.shown)

    class Blind(Spy):
        name = "untaught"
        learns_from_untold = False

    evaluator = Evaluator(build_graph(SQUARE), told, untold=UNTOLD)
    evaluator.run({"taught": Spy(), "untaught": Blind()}, folds=2)
    assert [sorted(n for _, n in fold) for fold in shown["untaught"]] == [[1], [1]]
    first, second = shown["taught"]
    assert sorted(n for fold in (first, second) for _, n in fold) == [0, 0, 0, 1, 1]
    assert {group for group, _ in first}.isdisjoint(group for group, _ in second)


def test_with_untold_questions_only_nothing_is_ranked_and_auc_is_not_defined(build_graph) -> None:
    (run,) = Evaluator(build_graph(SQUARE), UNTOLD).run({}, {"sure": Taught()})
    data = json.loads(json.dumps(as_json([run]), allow_nan=False))
    assert (data["queries"], data["untold"], data["candidates"]) == (0, 3, None)
    (row,) = data["rankers"]
    assert set(row["all"].values()) == set(row["interval"].values()) == {None}
    assert (row["support"]["AUC"], row["support"]["AUC_interval"]) == (None, None)
    assert (row["support"]["untold_relevant"], row["difference"]) == (1, None)


def test_untold_questions_in_python_come_from_a_file_or_as_they_are(
    build_graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = build_graph(SQUARE)
    pair = {"document": "Text 1.", "head": EX + "a", "tail": EX + "b"}
    (tmp_path / "u.jsonl").write_text(f"{json.dumps(pair)}\n{{}}\n")
    asked = graph, [query(OVER_C)], ["shortest"]
    (from_file,) = kgpath.evaluate(*asked, untold=tmp_path / "u.jsonl")
    assert capsys.readouterr().err == "kgpath: u.jsonl:2: no document and no head and no tail\n"
    (given,) = kgpath.evaluate(*asked, untold=[Query("line 1", EX + "a", EX + "b", "Text 1.")])
    assert from_file.best == given.best and len(given.best) == 2
    with pytest.raises(BadOption, match=r"^q has a true path, so it is not untold\.$"):
        kgpath.evaluate(*asked, untold=[query(OVER_C)])


# On the sample


class Places(ZeroShot):
    """The order of zero-shot, first come first served: no two paths tie."""

    def score(self, features: PathFeatures) -> Scores:
        order = np.argsort(-super().score(features).total, kind="stable")
        return Scores.sum_of({"place": -np.argsort(order).astype(np.float64)})


@pytest.mark.slow
def test_ir_measures_agrees(sample: kgpath.Graph, queries: list[Query]) -> None:
    theirs = {
        "MRR": ir_measures.RR,
        "Hits@1": ir_measures.Success @ 1,
        "Hits@3": ir_measures.Success @ 3,
    }
    evaluator = Evaluator(sample, queries, limit=60)
    ranker = Places()
    judgements, ranked = [], []
    for resolved in evaluator.query_set:
        features = evaluator.query_set.features(resolved)
        assert features is not None
        name = resolved.query.id
        judgements += [ir_measures.Qrel(name, " ".join(path), 1) for path in resolved.query.paths]
        scores = ranker.score(features).total.tolist()
        ranked += [
            ir_measures.ScoredDoc(name, " ".join(path.iris()), score)
            for path, score in zip(features.candidates, scores, strict=True)
        ]
    (run,) = evaluator.run({"places": ranker})
    assert len(run.paths) == 18
    for value in ir_measures.iter_calc(list(theirs.values()), judgements, ranked):
        metric = next(name for name, measure in theirs.items() if measure == value.measure)
        ours = run.paths[metric][run.paths.queries.index(value.query_id)]
        assert ours == pytest.approx(value.value), (metric, value.query_id)
