"""Queries looked up in a graph: what it does not have, and links of texts."""

from __future__ import annotations

from square_queries import DIRECT, EX, SQUARE, query

import kgpath
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.rankers.shortest import Shortest


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
