"""Queries looked up in a graph: what it does not have, and links of texts."""

from __future__ import annotations

from square_queries import DIRECT, EX, SQUARE, query

import kgpath
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.learning.resolve import ResolvedQuery, Resolver
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


def resolved(graph: kgpath.Graph, *names: str, text: str = "A text.") -> ResolvedQuery:
    return Resolver(graph).resolve(Query("q", names[0], names[-1], text, (names,)))


def test_a_path_may_be_given_by_names(film: kgpath.Graph) -> None:
    dbo = "http://dbpedia.org/ontology/portrayer"
    by_iri = resolved(film, "Roger Moore", f"^{dbo}", "007", dbo, "Daniel Craig")
    assert by_iri.truths[0].vertices
    for relation in ("portrayer", "dbo:portrayer", "Portrayer"):
        names = ("Roger Moore", f"^{relation}", "James Bond", relation, "Daniel Craig")
        assert resolved(film, *names).truths == by_iri.truths
    # Walked the wrong way, or by a name that there is not, it is no path of the graph.
    for relation in ("^portrayer", "no such thing"):
        assert not resolved(film, "James Bond", relation, "Daniel Craig").truths[0].vertices


def test_of_relations_with_one_name_those_that_join_the_two_are_meant(build_graph) -> None:
    graph = build_graph(
        """
        @prefix dbp: <http://dbpedia.org/property/> .
        ex:a rdfs:label "Ann" ; dbo:leader ex:b ; dbp:leader ex:b . ex:b rdfs:label "Bob" .
        ex:c rdfs:label "Cid" ; dbp:leader ex:b .
        """
    )
    both = resolved(graph, "Ann", "leader", "Bob").truths
    assert {truth.path.hops[0].relation.iri for truth in both} == {
        "http://dbpedia.org/ontology/leader", "http://dbpedia.org/property/leader",
    }  # fmt: skip
    (one,) = resolved(graph, "Cid", "leader", "Bob").truths
    assert one.path.hops[0].relation.iri == "http://dbpedia.org/property/leader"
    (none,) = resolved(graph, "Ann", "leader", "Cid").truths
    assert none.vertices == ()


def test_of_entities_with_one_name_the_text_says_which(build_graph) -> None:
    graph = build_graph(
        """
        ex:band rdfs:label "Queen (band)" ; ex:singer ex:freddie .
        ex:film rdfs:label "Queen (film)" ; ex:star ex:kangana .
        ex:freddie rdfs:label "Freddie Mercury" . ex:kangana rdfs:label "Kangana Ranaut" .
        """
    )
    query = resolved(
        graph, "Queen", "singer", "Freddie Mercury", text="Freddie Mercury sang for Queen, a band."
    )
    assert query.ends is not None and query.ends[0].label == "Queen (band)"
    assert query.truths[0].vertices
