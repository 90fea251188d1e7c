"""Evaluation on graphs small enough to rank by hand, and against ir_measures on the sample."""

from __future__ import annotations

from collections.abc import Iterable

import ir_measures
import numpy as np
import pytest
from square_queries import OVER_C, SQUARE, query

import kgpath
from kgpath.errors import BadOption, UnknownName
from kgpath.features.path_features import PathFeatures
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator, make_rankers
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
