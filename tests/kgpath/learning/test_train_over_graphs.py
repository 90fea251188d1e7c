"""One model from two graphs, each with its own queries."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadOption
from kgpath.io.queries import Query
from kgpath.learning.examples import ExamplesOverGraphs, QuerySet
from kgpath.learning.models import load_model, read_about
from kgpath.learning.train import train

PORTRAYER = "http://dbpedia.org/ontology/portrayer"


@pytest.fixture
def film_queries() -> list[Query]:
    """The same question over texts that differ: it needs two to be learned from."""
    path = ("Roger Moore", f"^{PORTRAYER}", "James Bond", PORTRAYER, "Daniel Craig")
    texts = ("Roger Moore was James Bond before Daniel Craig was.", "Moore and Craig played Bond.")
    return [Query(f"q{n}", path[0], path[-1], text, (path,)) for n, text in enumerate(texts)]


def test_a_model_of_two_graphs_is_at_home_on_both(
    sample, film, queries, film_queries, tmp_path: Path, capsys
) -> None:
    ranker = "score-ltr(of=zero-shot, trees=3)"
    both = train(
        sample, queries, tmp_path / "m", ranker=ranker, limit=30, also=[(film, film_queries)]
    )
    assert (both.queries, both.examples) == (20, 20)
    assert read_about(both.path)["also"] == {film.fingerprint: film.path.name}
    capsys.readouterr()
    for graph in (sample, film):
        load_model(both.path, graph)
    assert capsys.readouterr().err == ""


def test_a_model_of_others_says_which(film, queries, sample, tmp_path: Path, capsys, build_graph):
    made = train(
        sample, queries[:4], tmp_path / "m", ranker="score-ltr(of=zero-shot, trees=2)", limit=20,
        also=[(film, [])],
    )  # fmt: skip
    capsys.readouterr()
    load_model(made.path, build_graph("ex:a ex:r ex:b ."))
    assert "was trained on another graph" in capsys.readouterr().err


def test_a_text_over_two_graphs_is_two(film: kgpath.Graph, film_queries: list[Query]) -> None:
    query_set = QuerySet(film, film_queries)
    over = ExamplesOverGraphs([query_set.examples(), query_set.examples()])
    groups = [example.group for example in over]
    assert len(groups) == over.count == 4 and len(set(groups)) == 4


def test_what_one_graph_adds_is_learned(sample, film, queries, film_queries, tmp_path) -> None:
    """Statistics of the relation that both have count the examples of both."""
    tiny = "kgpath-ltr(trees=2, hop_trees=2, rounds=1)"
    alone = train(sample, queries, tmp_path / "a", ranker=tiny, limit=20)
    both = train(
        sample, queries, tmp_path / "b", ranker=tiny, limit=20, also=[(film, film_queries)]
    )
    told = [load_model(made.path, sample).statistics_ for made in (alone, both)]
    one, two = (statistics.expressed[PORTRAYER] for statistics in told)
    assert two > one


@pytest.mark.parametrize(
    "ranker",
    ["xendcg(context_encoder=tfidf, path_encoder=path-mean)", "binary", "listwise"],
)
def test_rankers_of_one_graph_say_so(sample, film, queries, tmp_path: Path, ranker: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(BadOption, match="learns from one graph alone"):
        train(sample, queries, tmp_path / "m", ranker=ranker, also=[(film, queries)])
    assert not (tmp_path / "m").exists()
