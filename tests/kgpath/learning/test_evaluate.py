"""Evaluation on graphs small enough to rank by hand, and against ir_measures on the sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import ir_measures
import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import FOLDER
from kgpath.errors import BadOption, UnknownName
from kgpath.features.path_features import PathFeatures
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.learning.examples import QuerySet
from kgpath.learning.judge import Run
from kgpath.learning.report import as_json
from kgpath.paths.finder import PathOptions
from kgpath.rankers.ranker import Example, Scores, TrainableRanker
from kgpath.rankers.shortest import Shortest
from kgpath.rankers.zero_shot import ZeroShot

EX = "http://example.org/"
# From a to b: two parallel relations, one way over c, one over d and e.
SQUARE = """
ex:a ex:r ex:b . ex:a ex:s ex:b .
ex:a ex:p ex:c . ex:c ex:p ex:b .
ex:d ex:p ex:a . ex:d ex:p ex:e . ex:e ex:p ex:b .
"""
DIRECT, OVER_C, OVER_D = "a r b", "a p c p b", "a ^p d p e p b"


def iris(path: str) -> tuple[str, ...]:
    return tuple(f"^{EX}{part[1:]}" if part[0] == "^" else EX + part for part in path.split())


def query(*paths: str, name: str = "q", text: str = "A text.", line: int = 0) -> Query:
    made = tuple(map(iris, paths))
    return Query(name, made[0][0], made[0][-1], text, made, line=line)


@pytest.fixture
def figures(build_graph) -> Callable[..., dict[str, float]]:
    """The figures of one query on the square, by the shortest path."""

    def of(*paths: str, max_hops: int = 4) -> dict[str, float]:
        evaluator = Evaluator(build_graph(SQUARE), [query(*paths)], options=PathOptions(max_hops))
        (run,) = evaluator.run({"shortest": Shortest()})
        (row,) = run.rows()
        assert evaluator.notes == []
        return row

    return of


def test_parallel_relations_tie_for_the_path_and_are_one_for_the_entities(figures) -> None:
    row = figures(DIRECT)
    # "a r b" and "a s b" share the places 1 and 2.
    assert (row["MRR"], row["Hits@1"], row["Hits@3"]) == ((1 + 1 / 2) / 2, 1 / 2, 1)
    assert (row["entities MRR"], row["entities Hits@1"]) == (1, 1)
    assert (row["candidates"], row["Recall"]) == (4, 1)
    assert (row["query"], row["ranker"], row["verdict"]) == ("q", "shortest", "none")
    assert row["first"] in ("a –r→ b", "a –s→ b")


def test_a_longer_path_has_its_rank_among_paths_and_among_entities(figures) -> None:
    row = figures(OVER_C)
    assert (row["MRR"], row["Hits@1"], row["Hits@3"]) == (1 / 3, 0, 1)
    assert (row["entities MRR"], row["entities Hits@1"]) == (1 / 2, 0)
    assert figures(OVER_D)["MRR"] == 1 / 4
    assert figures(OVER_D)["entities MRR"] == 1 / 3


def test_of_several_true_paths_the_first_counts_and_recall_asks_for_all(figures) -> None:
    row = figures(OVER_D, OVER_C)
    assert (row["MRR"], row["Recall"], row["entities MRR"]) == (1 / 3, 1, 1 / 2)
    both = figures(DIRECT, "a s b")
    assert (both["MRR"], both["Hits@1"], both["entities MRR"]) == (1, 1, 1)
    some = figures(OVER_C, OVER_D, max_hops=2)
    assert (some["MRR"], some["Recall"], some["candidates"]) == (1 / 3, 1 / 2, 3)
    again = figures(OVER_C, OVER_C)
    assert (again["MRR"], again["Recall"]) == (1 / 3, 1)


def test_a_true_path_that_is_too_long_is_missed(figures) -> None:
    row = figures(OVER_D, max_hops=2)
    assert (row["MRR"], row["Hits@5"], row["Recall"], row["entities MRR"]) == (0, 0, 0, 0)
    assert row["candidates"] == 3


def test_without_any_candidate_a_query_is_missed(build_graph) -> None:
    kg = build_graph("ex:a ex:p ex:c . ex:c ex:p ex:b .")
    evaluator = Evaluator(kg, [query(OVER_C)], options=PathOptions(1))
    for run in evaluator.run(make_rankers(["zero-shot", "tfidf-cosine", "random"])):
        (row,) = run.rows()
        assert (row["candidates"], row["MRR"], row["NGEO(Ent)"]) == (0, 0, 1)
        assert (row["verdict"], row["first"]) == ("none", "")


def test_what_the_graph_does_not_have_counts_as_missed_and_is_noted(build_graph) -> None:
    evaluator = Evaluator(
        build_graph(SQUARE),
        [
            query("a r nobody", name="who", line=3),
            query("a q b", name="relation", line=4),
            query("b r a", name="direction"),
            query("a p zoe p b", name="between"),
            query(DIRECT, "a q b", name="half"),
        ],
    )
    who, *others = evaluator.notes
    assert who.startswith(f"who (line 3): No entity '{EX}nobody'.")
    assert who.endswith("It counts as missed.")
    assert others == [
        "relation (line 4): the true path is not in the graph. It counts as missed.",
        "direction: the true path is not in the graph. It counts as missed.",
        "between: the true path is not in the graph. It counts as missed.",
    ]
    (run,) = evaluator.run({"shortest": Shortest()})
    assert run.paths["MRR"] == (0, 0, 0, 0, 3 / 4)
    assert run.paths["Recall"] == (0, 0, 0, 0, 1 / 2)
    assert run.paths.candidates == (0, 4, 4, 4, 4)
    assert run.first[0] == ""


def test_both_ends_by_two_names_of_one_entity(film: kgpath.Graph) -> None:
    path = ("007", "http://dbpedia.org/ontology/creator", "James Bond")
    evaluator = Evaluator(film, [Query("same", "007", "James Bond", "Bond.", (path,))])
    assert evaluator.notes == ["same: head and tail are both James Bond. It counts as missed."]
    assert evaluator.run({"shortest": Shortest()})[0].paths["MRR"] == (0,)


def test_links_of_a_query_reach_the_ranker(film: kgpath.Graph) -> None:
    dbo = "http://dbpedia.org/ontology/portrayer"
    path = ("Roger Moore", f"^{dbo}", "James Bond", dbo, "Daniel Craig")
    text = "Roger Moore and Daniel Craig both played the agent."
    queries = [
        Query("plain", path[0], path[-1], text, (path,)),
        Query("linked", path[0], path[-1], text, (path,), (("007", "the agent"),)),
        Query("elsewhere", path[0], path[-1], text, (path,), (("Nobody", "the agent"),)),
    ]
    (run,) = Evaluator(film, queries).run(make_rankers(["zero-shot"]))
    assert run.verdicts == ("none", "relevant", "none")


def test_metrics_are_chosen_by_name(build_graph) -> None:
    kg = build_graph(SQUARE)
    (run,) = Evaluator(kg, [query(OVER_C)], metrics=["Hits@2", "MRR"]).run({"x": Shortest()})
    assert run.paths.means() == {"Hits@2": 0, "MRR": 1 / 3}
    with pytest.raises(UnknownName, match="Known: Hits@k"):
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
        assert not self.texts, "every fold begins anew"
        once, twice = list(examples), list(examples)
        assert [example.true for example in once] == [example.true for example in twice]
        self.texts = [example.features.context.text for example in once]
        assert [example.features.context.text for example in twice] == self.texts
        self.lengths = {e.features["length"][place] for e in once for place in e.true}

    def score(self, features: PathFeatures) -> Scores:
        assert self.texts, "it was fitted"
        assert features.context.text not in self.texts, "it has seen what it is tested on"
        return Scores.sum_of({"toy": np.isin(features["length"], list(self.lengths)) * 1.0})


def test_a_learner_is_fitted_for_each_fold_without_its_documents(build_graph) -> None:
    texts = [f"Text {n // 2}." for n in range(12)]  # two queries a document
    queries = [query(OVER_C, name=f"q{n}", text=text) for n, text in enumerate(texts)]
    toy = Toy()
    told: list[tuple[str, int, int]] = []
    evaluator = Evaluator(build_graph(SQUARE), queries)
    run, plain = evaluator.run(
        {"toy": toy, "shortest": Shortest()}, folds=3, progress=lambda *what: told.append(what)
    )
    assert toy.texts == []  # what was given is left as it was
    assert run.paths["MRR"] == (1,) * 12
    assert plain.paths["MRR"] == (1 / 3,) * 12
    assert told[:3] == [("fitting toy", n, 3) for n in range(3)]
    assert told[3:] == [("ranking", n, 12) for n in range(12)]


def test_nothing_is_learned_from_a_query_without_a_true_candidate(build_graph) -> None:
    queries = [query(OVER_C), query(OVER_D), query("a q b"), query("a r nobody"), query(DIRECT)]
    query_set = QuerySet(build_graph(SQUARE), queries, options=PathOptions(2))
    examples = list(query_set.examples([4, 3, 2, 1, 0]))
    paths = [[str(e.features.candidates[at]) for at in e.true] for e in examples]
    assert paths == [["a –r→ b"], ["a –p→ c –p→ b"]]
    assert len({example.group for example in examples}) == 1  # one text


def test_too_few_documents_for_folds(build_graph) -> None:
    evaluator = Evaluator(build_graph(SQUARE), [query(OVER_C, text=t) for t in ("one", "two")])
    with pytest.raises(BadOption, match="5 folds of 2 documents cannot be made; take 2 to 2"):
        evaluator.run({"toy": Toy()})


# On the sample


@pytest.fixture(scope="module")
def sample_queries() -> list[Query]:
    return QueryFile(FOLDER / "documents.jsonl").queries


class Places(ZeroShot):
    """The order of zero-shot, first come first served: no two paths tie."""

    def score(self, features: PathFeatures) -> Scores:
        order = np.argsort(-super().score(features).total, kind="stable")
        return Scores.sum_of({"place": -np.argsort(order).astype(np.float64)})


def test_ir_measures_agrees(sample: kgpath.Graph, sample_queries: list[Query]) -> None:
    theirs = {
        "MRR": ir_measures.RR,
        "Hits@1": ir_measures.Success @ 1,
        "Hits@3": ir_measures.Success @ 3,
    }
    evaluator = Evaluator(sample, sample_queries, limit=60)
    ranker = Places()
    judgements, ranked = [], []
    for query in evaluator.query_set:
        features = evaluator.query_set.features(query)
        assert features is not None
        name = query.query.id
        judgements += [ir_measures.Qrel(name, " ".join(path), 1) for path in query.query.paths]
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


@pytest.fixture
def runs(sample: kgpath.Graph, sample_queries: list[Query]) -> Sequence[Run]:
    evaluator = Evaluator(sample, sample_queries, limit=60)
    return evaluator.run(make_rankers(["random", "zero-shot", "shortest"]))


def test_the_report_has_means_intervals_and_the_difference_to_the_best(
    runs: Sequence[Run],
) -> None:
    data = as_json(runs)
    assert (data["queries"], data["documents"], data["single"]) == (18, 14, 0)
    assert data["candidates"] == 60
    rows = {row["ranker"]: row for row in data["rankers"]}
    assert list(rows) == ["random", "zero-shot", "shortest"]
    for row in rows.values():
        for metric, (low, high) in row["interval"].items():
            assert low <= row["all"][metric] <= high
        assert row["with_choice"] == row["all"]
        assert set(row["entities"]) == {"MRR", "Hits@1"}
    assert rows["zero-shot"]["difference"] is None
    for name in ("random", "shortest"):
        difference = rows[name]["difference"]
        assert (difference["to"], difference["metric"]) == ("zero-shot", "MRR")
        assert difference["mean"] == pytest.approx(
            rows[name]["all"]["MRR"] - rows["zero-shot"]["all"]["MRR"]
        )
        assert difference["low"] <= difference["mean"] <= difference["high"] < 0
        assert 0 < difference["p"] < 0.01
    assert as_json(runs) == data


def test_the_report_says_how_often_a_verdict_was_right(runs: Sequence[Run]) -> None:
    for row, run in zip(as_json(runs)["rankers"], runs, strict=True):
        verdicts = row["verdicts"]
        assert set(verdicts) == set(run.verdicts) <= {"relevant", "doubtful", "none"}
        assert sum(verdict["queries"] for verdict in verdicts.values()) == 18
        right = sum(verdict["queries"] * verdict["Hits@1"] for verdict in verdicts.values())
        assert right / 18 == pytest.approx(row["all"]["Hits@1"])


def test_where_less_is_better_the_best_is_the_least(
    sample: kgpath.Graph, sample_queries: list[Query]
) -> None:
    evaluator = Evaluator(sample, sample_queries[:6], limit=30, metrics=["NGEO(Ent)"])
    random, best = as_json(evaluator.run(make_rankers(["random", "zero-shot"])))["rankers"]
    assert best["all"]["NGEO(Ent)"] < random["all"]["NGEO(Ent)"]
    assert best["difference"] is None and random["difference"]["mean"] > 0
    assert all(set(verdict) == {"queries"} for verdict in best["verdicts"].values())


def given(*candidates: str, true: str = OVER_C) -> Query:
    made = tuple(map(iris, candidates))
    return Query("q", EX + "a", EX + "b", "A text.", (iris(true),), (), 3, made)


def test_given_candidates_are_ranked_as_they_are(build_graph) -> None:
    graph = build_graph(SQUARE)
    evaluator = Evaluator(graph, [given(OVER_D, OVER_C)], candidates="given")
    (run,) = evaluator.run({"shortest": Shortest()})
    (row,) = run.rows()
    # Found in the graph it would be third, after the two direct relations.
    assert (row["candidates"], row["MRR"], row["Recall"]) == (2, 1, 1)
    assert evaluator.notes == []


def test_a_given_candidate_that_is_not_in_the_graph_is_left_out_and_said(build_graph) -> None:
    graph = build_graph(SQUARE)
    queries = [given(OVER_C, OVER_D, "a p b", "a r x r b", OVER_C)]
    evaluator = Evaluator(graph, queries, candidates="given")
    runs = evaluator.run({"shortest": Shortest(), "zero-shot": ZeroShot()})
    assert [next(run.rows())["candidates"] for run in runs] == [2, 2]
    assert evaluator.notes == ["q (line 3): a candidate is not in the graph. It is left out."]


def test_a_true_path_that_is_not_given_is_missed(build_graph) -> None:
    evaluator = Evaluator(build_graph(SQUARE), [given(OVER_D)], candidates="given")
    (run,) = evaluator.run({"shortest": Shortest()})
    assert next(run.rows())["MRR"] == 0


def test_candidates_must_be_given_to_be_used(build_graph) -> None:
    graph = build_graph(SQUARE)
    with pytest.raises(BadOption, match=r"q brings no candidates. Leave out --candidates given"):
        Evaluator(graph, [query(OVER_C)], candidates="given")
    with pytest.raises(BadOption, match="it can be found or given"):
        Evaluator(graph, [query(OVER_C)], candidates="best")
