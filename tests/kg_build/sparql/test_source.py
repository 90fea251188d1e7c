"""What comes from a live endpoint is the graph that its files give, on servers of two makes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

import kgpath
from kgpath.datasets.sample_files import sample_files
from kgpath.errors import AmbiguousEntity, BadOption, BadSource, UnknownName
from kgpath.kg_build.sparql.source import SourceSelection, live_source

EVERYTHING = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
DBO = "http://dbpedia.org/ontology/"
DBR = "http://dbpedia.org/resource/"
Endpoint = tuple[str, list[str]]
Same = Callable[[Path, Path], None]


def extract(
    endpoint: Endpoint, output: Path, filters: kgpath.Filters | None = None, **options: object
) -> kgpath.kg_build.build.Built:
    url, graphs = endpoint
    preset = str(options.pop("preset", ""))
    live = live_source(url, preset, SourceSelection(**options), graphs)  # type: ignore[arg-type]
    return kgpath.build((), output, filters=filters, live=live)


def from_files(output: Path, **filters: object) -> Path:
    kgpath.build(sample_files(), output, filters=kgpath.Filters(**filters))  # type: ignore[arg-type]
    return output


def test_by_classes_it_equals_the_graph_of_the_files(
    sample_endpoint: Endpoint, tmp_path: Path, same_graph: Same
) -> None:
    types = ("film",)
    extract(sample_endpoint, tmp_path / "live.kg", kgpath.Filters(types=types))
    same_graph(tmp_path / "live.kg", from_files(tmp_path / "files.kg", types=types))


@pytest.mark.parametrize("types", [("dbo:Film", "dbo:Person"), ("Film", "Act*")])
def test_classes_have_names_and_their_subclasses_count(
    virtuoso_sample: Endpoint, tmp_path: Path, same_graph: Same, types: tuple[str, ...]
) -> None:
    extract(virtuoso_sample, tmp_path / "live.kg", kgpath.Filters(types=types))
    same_graph(tmp_path / "live.kg", from_files(tmp_path / "files.kg", types=types))


def test_the_preset_of_dbpedia_leaves_page_links_out(
    virtuoso_sample: Endpoint, tmp_path: Path, edges_of: Callable
) -> None:
    for number, (asked, same) in enumerate(
        [({}, {"drop": ("dbo:wikiPage*",)}), ({"keep": ("dbo:wikiPageWikiLink",)},) * 2]
    ):
        live, files = tmp_path / f"live{number}.kg", tmp_path / f"files{number}.kg"
        filters = kgpath.Filters(types=("film",), **asked)  # type: ignore[arg-type]
        built = extract(virtuoso_sample, live, filters, preset="dbpedia")
        assert not any("fits" in note for note in built.notes)  # nobody asked for page links
        with (
            kgpath.open(live) as one,
            kgpath.open(from_files(files, types=("film",), **same)) as two,
        ):
            assert edges_of(one) == edges_of(two)


def test_a_query_gives_its_statements_and_all_about_their_things(
    sample_endpoint: Endpoint, sample: kgpath.Graph, edges_of: Callable, tmp_path: Path
) -> None:
    query = "CONSTRUCT { ?s dbo:starring ?o } WHERE { ?s dbo:starring ?o . ?o a dbo:Actor }"
    built = extract(sample_endpoint, tmp_path / "live.kg", query=f"PREFIX dbo: <{DBO}> {query}")
    assert built.edges > 50
    with kgpath.open(tmp_path / "live.kg") as live:
        assert edges_of(live) < {edge for edge in edges_of(sample) if edge[1] == DBO + "starring"}
        for entity in live.store.db.execute("SELECT iri, label, description FROM entity"):
            known = sample.entity(entity[0])
            assert entity == (known.iri, known.label, known.description)


@pytest.mark.parametrize(
    "query",
    [
        EVERYTHING,
        "SELECT ?a ?b ?c WHERE { ?a ?b ?c }",
        "# all {\nPREFIX e: <http://e/#>\nCONSTRUCT { ?s ?p ?o . } "
        "WHERE { ?s ?p ?o FILTER(STR(?p) != 'CONSTRUCT } # {') }",
        "CONSTRUCT WHERE { ?s ?p ?o }",
    ],
)
def test_a_query_for_everything_equals_the_graph_of_the_files(
    virtuoso_sample: Endpoint, tmp_path: Path, same_graph: Same, query: str
) -> None:
    extract(virtuoso_sample, tmp_path / "live.kg", query=query)
    same_graph(tmp_path / "live.kg", from_files(tmp_path / "files.kg"))


def test_relation_and_language_filters_are_those_of_files(
    virtuoso_sample: Endpoint, tmp_path: Path, same_graph: Same
) -> None:
    for number, filters in enumerate(
        (
            {"keep": ("dbo:starring", "dbo:dir*"), "types": ("film",)},
            {"drop": ("starring",), "types": ("film",), "languages": ("en", "de")},
            {"keep": ("starring",), "drop": ("dbo:director",), "types": ("film",)},
            {"types": ("film",), "hub_cap": 6},
        )
    ):
        live, files = tmp_path / f"live{number}.kg", tmp_path / f"files{number}.kg"
        extract(virtuoso_sample, live, kgpath.Filters(**filters))  # type: ignore[arg-type]
        same_graph(live, from_files(files, **filters))


def neighbourhood(edges: set[tuple[str, str, str]], seeds: list[str], hops: int, cap: int) -> set:
    """The surroundings by the book: facts on walks of so many hops, hubs left out."""
    facts: dict[str, list[tuple[str, str, str]]] = {}
    for edge in edges:
        facts.setdefault(edge[0], []).append(edge)
        facts.setdefault(edge[2], []).append(edge)
    hubs = {n for n in facts if cap and len(facts[n]) > cap} - set(seeds)
    distance = dict.fromkeys(seeds, 0)
    waiting = deque(seeds)
    found = set()
    while waiting:
        node = waiting.popleft()
        if distance[node] == hops:
            continue
        for edge in facts[node]:
            other = edge[2] if edge[0] == node else edge[0]
            if other in hubs:
                continue
            found.add(edge)
            if other not in distance:
                distance[other] = distance[node] + 1
                waiting.append(other)
    return found


@pytest.mark.parametrize(("hops", "cap"), [(1, 0), (2, 0), (3, 12)])
def test_around_seeds_by_hops_and_hub_cap(
    virtuoso_sample: Endpoint, sample: kgpath.Graph, edges_of: Callable, tmp_path: Path,
    hops: int, cap: int,
) -> None:  # fmt: skip
    check_ball(virtuoso_sample, sample, edges_of, tmp_path, hops, cap)


def test_around_seeds_it_has_the_facts_of_all_walks(
    sample_endpoint: Endpoint, sample: kgpath.Graph, edges_of: Callable, tmp_path: Path
) -> None:
    check_ball(sample_endpoint, sample, edges_of, tmp_path, 2, 8)


def check_ball(
    sample_endpoint: Endpoint, sample: kgpath.Graph, edges_of: Callable, tmp_path: Path,
    hops: int, cap: int,
) -> None:  # fmt: skip
    seeds = [DBR + "Emma_Stone", DBR + "Andrew_Garfield"]
    extract(
        sample_endpoint, tmp_path / "live.kg", kgpath.Filters(hub_cap=cap),
        seeds=("Emma Stone", "dbr:Andrew_Garfield"), hops=hops,
    )  # fmt: skip
    with kgpath.open(tmp_path / "live.kg") as live:
        assert edges_of(live) == neighbourhood(edges_of(sample), seeds, hops, cap)
        for entity in live.store.db.execute("SELECT iri, label, description FROM entity"):
            known = sample.entity(entity[0])
            assert entity == (known.iri, known.label, known.description)
        types = (
            "SELECT entity.iri, class.iri FROM entity_type JOIN entity ON entity = entity.id"
            " JOIN class ON class = class.id"
        )
        here = {iri for (iri,) in live.store.db.execute("SELECT iri FROM entity")}
        known_types = {pair for pair in sample.store.db.execute(types) if pair[0] in here}
        assert set(live.store.db.execute(types)) == known_types


def test_a_repeated_extraction_asks_nothing_and_refresh_forgets(
    virtuoso_sample: Endpoint, tmp_path: Path
) -> None:
    url, graphs = virtuoso_sample
    asked = []
    built = []
    for refresh in (False, False, True):
        live = live_source(url, "", SourceSelection(seeds=("Emma Stone",)), graphs, refresh)
        built.append(kgpath.build((), tmp_path / "live.kg", live=live))
        asked.append(live.client.http.requests)
    assert asked[0] > 5
    assert asked == [asked[0], 0, asked[0]]
    assert len({one.fingerprint for one in built}) == 1
    assert any("--refresh asks again" in note for note in built[1].notes)
    assert not any("--refresh" in note for note in built[0].notes)


def test_what_is_not_there_is_said(virtuoso_sample: Endpoint, tmp_path: Path) -> None:
    def refused(error: type[Exception], filters: kgpath.Filters | None = None, **options) -> str:
        with pytest.raises(error) as caught:
            extract(virtuoso_sample, tmp_path / "no.kg", filters, **options)
        assert not (tmp_path / "no.kg").exists()
        return str(caught.value)

    message = refused(UnknownName, kgpath.Filters(types=("dbo:Filmm",)))
    assert "No class 'dbo:Filmm' in the sources. Closest: " in message
    assert "No class 'Filmm'" in refused(UnknownName, kgpath.Filters(types=("Filmm",)))
    assert "is a literal, not a thing" in refused(BadOption, seeds=('"Emma Stone"@en',))
    assert "knows no fact about http://dbpedia.org/resource/Nobody" in refused(
        BadSource, seeds=("dbr:Nobody",)
    )
    assert "has the name 'Nobody'" in refused(UnknownName, seeds=("Nobody",))
    assert "Not an IRI" in refused(BadOption, seeds=("<http://x/ y>",))
    assert "finds nothing" in refused(
        BadSource, query="CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . ?s <http://no> ?o }"
    )
    assert "Say what to take" in refused(BadOption)
    assert "Say what to take" in refused(
        BadOption, kgpath.Filters(types=("film",)), seeds=("dbr:Emma_Stone",)
    )


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?a ?b WHERE { ?a ?b ?c }", "has 2 columns; it needs three"),
        ("ASK { ?s ?p ?o }", "not a AskQuery"),
        ("DELETE WHERE { ?s ?p ?o }", "Not a query that can be read"),
        ("SELECT ?a ?b ?c WHERE { ?a ?b ?c ", "Not a query that can be read"),
        ("SELECT ?a ?b ?c FROM <http://g> WHERE { ?a ?b ?c }", "Name graphs with --graph"),
        ("CONSTRUCT { <http://a> <http://b> <http://c> } WHERE { }", "no variable"),
    ],
)
def test_queries_that_cannot_be_used(tmp_path: Path, query: str, said: str) -> None:
    with pytest.raises(BadOption, match=said):
        extract(
            ("http://127.0.0.1:1/sparql", []), tmp_path / "no.kg", query=query, preset="wikidata"
        )


def test_a_name_of_several_things_lists_them(virtuoso_film: Endpoint, tmp_path: Path) -> None:
    with pytest.raises(AmbiguousEntity, match=r"Casino_Royale_\(novel\)"):
        extract(virtuoso_film, tmp_path / "no.kg", seeds=("Casino Royale",))
