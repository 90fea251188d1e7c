"""An open graph answers exactly what its sources say, to one caller or to eight at once."""

from __future__ import annotations

import gc
import shutil
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import networkx
import pytest
import rdflib

import kgpath
from kgpath.errors import BadStore, UnknownName

DBR = "http://dbpedia.org/resource/"


def facts(edges: list[kgpath.types.Edge]) -> list[str]:
    return [str(edge) for edge in edges]


def test_neighbours_both_ways_out_first(film: kgpath.Graph) -> None:
    assert facts(film.neighbours("Daniel Craig")) == [
        "Daniel Craig –birth place→ Chester",
        "James Bond –portrayer→ Daniel Craig",
        "Casino Royale –starring→ Daniel Craig",
    ]


def test_neighbours_one_way(film: kgpath.Graph) -> None:
    assert facts(film.neighbours("Daniel Craig", direction="out")) == [
        "Daniel Craig –birth place→ Chester"
    ]
    assert facts(film.neighbours("Daniel Craig", direction="in")) == [
        "James Bond –portrayer→ Daniel Craig",
        "Casino Royale –starring→ Daniel Craig",
    ]


def test_neighbours_by_one_relation(film: kgpath.Graph) -> None:
    by_name = film.neighbours("James Bond", relation="portrayer")
    assert [edge.tail.label for edge in by_name] == ["Daniel Craig", "Roger Moore"]
    assert film.neighbours("James Bond", relation=film.relation("portrayer")) == by_name
    assert film.neighbours("James Bond", relation="starring") == []


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4, 99])
def test_neighbours_up_to_a_limit_are_the_first_ones(film: kgpath.Graph, limit: int) -> None:
    every = film.neighbours("Daniel Craig")
    assert film.neighbours("Daniel Craig", limit=limit) == every[:limit]


def test_an_unknown_direction_lists_the_known(film: kgpath.Graph) -> None:
    with pytest.raises(UnknownName, match=r"No direction 'up'\. Known: out, in, both"):
        film.neighbours("London", direction="up")


def test_relations_the_most_frequent_first(film: kgpath.Graph) -> None:
    assert [(r.label, r.edges) for r in film.relations()] == [
        ("birth place", 2),
        ("country", 2),
        ("portrayer", 2),
        ("author", 1),
        ("based on", 1),
        ("creator", 1),
        ("hometown", 1),
        ("starring", 1),
    ]
    # A super-property without edges is known, but does not occur.
    assert film.relation("participant").edges == 0


def test_types_aliases_text_and_description(film: kgpath.Graph) -> None:
    assert [c.label for c in film.types("Daniel Craig")] == ["person", "actor"]
    assert film.types("London") == []
    assert film.aliases("James Bond") == ["007", "Bond"]
    assert film.aliases("London") == []
    assert film.text("Roger Moore") == "An English actor. He was born in London."
    assert film.entity("Roger Moore").description == "An English actor."
    assert film.text("Daniel Craig").endswith("He has played James Bond.")
    assert film.entity("Daniel Craig").description == "Daniel Craig is an English actor."
    assert film.text("London") == film.entity("London").description == ""


def test_ids_are_dense_in_the_order_of_the_iris(film: kgpath.Graph) -> None:
    iris = [film.entity(number).iri for number in range(len(film))]
    assert iris == sorted(iris)
    assert len(set(iris)) == len(film) == 12
    assert film.entity(film.entity(3)) == film.entity(3)


@pytest.mark.parametrize("number", [-1, 12])
def test_an_id_out_of_range_says_the_range(film: kgpath.Graph, number: int) -> None:
    with pytest.raises(UnknownName, match=f"No entity with id {number}: ids run from 0 to 11"):
        film.entity(number)


def test_classes_the_most_frequent_first(film: kgpath.Graph) -> None:
    assert [(c.label, c.entities) for c in film.classes()] == [
        ("actor", 2),
        ("film", 2),
        ("book", 1),
        ("fictional character", 1),
        ("person", 1),
    ]


def test_a_closed_graph_says_so(film_path: Path) -> None:
    with kgpath.open(film_path) as kg:
        assert len(kg) == 12
    for use in (lambda: len(kg), lambda: kg.find("bond"), lambda: kg.entity("Bond")):
        with pytest.raises(BadStore, match="was closed; open it again"):
            use()
    kg.close()  # twice does no harm


def test_repr_tells_what_it_is(film: kgpath.Graph) -> None:
    assert repr(film) == f"<kgpath.Graph {film.path}: 12 entities, 11 edges>"


def test_eight_threads_share_one_graph(film: kgpath.Graph) -> None:
    names = ["Daniel Craig", "007", "Beyonce", "dbr:London", "Alien: Covenant"]

    def look(turn: int) -> list[object]:
        name = names[turn % len(names)]
        return [film.entity(name), film.find(name), film.neighbours(name), film.aliases(name)]

    alone = [look(turn) for turn in range(len(names))]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(look, range(400)))
    assert together == [alone[turn % len(names)] for turn in range(400)]


def test_eight_threads_make_one_index(
    film_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shutil.copy(film_path, tmp_path / "film.kg")
    at_once = threading.Barrier(8)

    def ask(kg: kgpath.Graph) -> list[int]:
        at_once.wait()
        return kg.index.neighbours.tolist()

    with kgpath.open(path) as kg, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, [kg] * 8))
    with kgpath.open(film_path) as kg:
        assert answers == [kg.index.neighbours.tolist()] * 8
    assert capsys.readouterr().err == "kgpath: making the index of film.kg (once)\n"


def test_closing_in_another_thread_closes_for_all(film_path: Path) -> None:
    kg = kgpath.open(film_path)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(len, kg).result() == 12
        kg.close()
        with pytest.raises(BadStore):
            pool.submit(len, kg).result()


def test_to_networkx_has_exactly_the_facts(film: kgpath.Graph, film_edges) -> None:
    graph = film.to_networkx()
    assert {(h, r, t) for h, t, r in graph.edges(keys=True)} == film_edges
    assert set(graph.nodes) == {film.entity(n).iri for n in range(len(film))}
    assert graph.nodes[DBR + "Alien:_Covenant"]["label"] == "Alien: Covenant"
    edge = graph.edges[
        DBR + "Roger_Moore", DBR + "London", "http://dbpedia.org/ontology/birthPlace"
    ]
    assert edge["label"] == "birth place"


def test_to_networkx_keeps_parallel_relations(build_graph) -> None:
    graph = build_graph("ex:a ex:p ex:b ; ex:q ex:b . ex:b ex:p ex:a .").to_networkx()
    assert graph.number_of_edges() == 3


def test_a_cut_holds_what_lies_between_the_chosen(film: kgpath.Graph) -> None:
    chosen = ["James Bond", "Daniel Craig", "Ian Fleming", "London"]
    cut = film.to_networkx(chosen)
    whole = film.to_networkx().subgraph(film.entity(name).iri for name in chosen)
    assert networkx.utils.graphs_equal(cut, networkx.MultiDiGraph(whole))
    assert cut.number_of_edges() == 2
    assert len(cut) == 4  # London stays, without a neighbour
    assert len(film.to_networkx([])) == 0


def test_to_rdflib_equals_what_rdflib_reads_itself(film: kgpath.Graph, film_turtle: str) -> None:
    own = rdflib.Graph().parse(data=film_turtle, format="turtle")
    ours = film.to_rdflib()
    assert set(ours) == set(own)


def test_a_cut_as_rdf_speaks_only_of_the_chosen(film: kgpath.Graph) -> None:
    cut = film.to_rdflib(["James Bond", "Daniel Craig"])
    subjects = {s for s, p, _ in cut if str(s).startswith(DBR)}
    assert subjects == {rdflib.URIRef(DBR + n) for n in ("James_Bond", "Daniel_Craig")}
    assert (
        len(set(cut.subject_objects(rdflib.URIRef("http://dbpedia.org/ontology/portrayer")))) == 1
    )
    abstracts = cut.objects(None, rdflib.URIRef("http://dbpedia.org/ontology/abstract"))
    assert [str(text) for text in abstracts] == [film.text("Daniel Craig")]


def test_a_query_leads_through_what_was_asked_for(sample: kgpath.Graph) -> None:
    text = "Emma Stone and Andrew Garfield met on the set of The Amazing Spider-Man."
    ends = "Emma Stone", "Andrew Garfield"
    free = sample.query(*ends, text, k=300)
    through = sample.query(*ends, text, k=300, through=["Spider-Man"])
    assert 0 < len(through) < len(free)
    assert {str(answer) for answer in through} == {
        str(answer) for answer in free if "Spider-Man" in map(str, answer.path.nodes)
    }


class Size:
    def __init__(self, graph: kgpath.Graph) -> None:
        self.graph, self.entities = graph, len(graph)


def test_what_is_derived_is_made_once_for_all_threads(film_path: Path, sample_path: Path) -> None:
    calls = []

    def size(graph: kgpath.Graph) -> Size:
        calls.append(graph)
        return Size(graph)

    with kgpath.open(film_path) as film, kgpath.open(sample_path) as sample:
        with ThreadPoolExecutor(8) as pool:
            sizes = list(pool.map(lambda graph: graph.derived(size), [film, sample] * 20))
        assert calls == [film, sample]
        assert {one.entities for one in sizes} == {len(film), len(sample)}


def test_what_is_derived_does_not_keep_its_graph_alive(film_path: Path) -> None:
    graph = kgpath.open(film_path)
    made = weakref.ref(graph.derived(Size))
    graph.close()
    del graph
    gc.collect()
    assert made() is None


def test_the_class_opens_a_file_as_the_function_does(film_path: Path) -> None:
    with kgpath.Graph(film_path) as kg:
        assert kg.entity("Daniel Craig") == kgpath.open(film_path).entity("Daniel Craig")


def test_links_of_a_text_are_names_and_words(film: kgpath.Graph) -> None:
    text = "The agent was played by both."
    links = [("James Bond", "agent"), (film.entity("Daniel Craig"), "both")]
    found = film.mentions(text, links)
    assert [text[m.start : m.end] for m in found] == ["agent", "both"]
    with pytest.raises(kgpath.errors.UnknownEntity):
        film.mentions(text, [("James Blond", "agent")])
    with pytest.raises(kgpath.errors.BadOption, match="links belong to a text"):
        film.query("Roger Moore", "Daniel Craig", film.context(text), links=links)
