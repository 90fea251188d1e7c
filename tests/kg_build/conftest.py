"""Real SPARQL servers, started once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from live_servers import RdflibEndpoint, Virtuoso, missing_virtuoso

import kgpath
from kgpath.datasets.sample_files import sample_files

SAMPLE, FILM, WIKIDATA, DBPEDIA = (f"http://test/{n}" for n in "sample film wiki dbpedia".split())


@pytest.fixture(scope="session")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Virtuoso]:
    """Virtuoso, empty at first."""
    if missing := missing_virtuoso():
        pytest.skip(missing)
    server = Virtuoso(tmp_path_factory.mktemp("virtuoso"))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def virtuoso(virtuoso_server: Virtuoso) -> Virtuoso:
    """Virtuoso with the sample that ships, in a graph of its own."""
    virtuoso_server.load(SAMPLE, map(Path, sample_files()))
    return virtuoso_server


@pytest.fixture(scope="session")
def rdflib_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdflibEndpoint]:
    """rdflib-endpoint with the sample that ships."""
    server = RdflibEndpoint(tmp_path_factory.mktemp("rdflib"), map(Path, sample_files()))
    yield server
    server.stop()


@pytest.fixture(params=["virtuoso", "rdflib-endpoint"])
def sample_endpoint(request: pytest.FixtureRequest) -> tuple[str, list[str]]:
    """The address of a server with the sample, and the graphs to ask there; of two makes."""
    if request.param == "virtuoso":
        return request.getfixturevalue("virtuoso").url, [SAMPLE]
    return request.getfixturevalue("rdflib_endpoint").url, []


@pytest.fixture
def virtuoso_sample(virtuoso: Virtuoso) -> tuple[str, list[str]]:
    """Virtuoso's address, and the graph that holds the sample."""
    return virtuoso.url, [SAMPLE]


@pytest.fixture(scope="session")
def virtuoso_film(
    virtuoso_server: Virtuoso, tmp_path_factory: pytest.TempPathFactory, film_turtle: str
) -> tuple[str, list[str]]:
    """Virtuoso's address, and the graph that holds the tiny film graph."""
    path = tmp_path_factory.mktemp("film") / "film.ttl"
    path.write_text(film_turtle, encoding="utf-8")
    virtuoso_server.load(FILM, [path])
    return virtuoso_server.url, [FILM]


@pytest.fixture(autouse=True)
def page_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for this test alone."""
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def same_graph(edges_of: Callable[..., set[tuple[str, str, str]]]) -> Callable[..., None]:
    """Compares two graph files: facts first, so that a difference can be read."""

    def same(one: Path, other: Path) -> None:
        with kgpath.open(one) as first, kgpath.open(other) as second:
            assert edges_of(first) == edges_of(second)
            for query in (
                "SELECT iri, label, declared FROM class ORDER BY 1",
                "SELECT iri, label FROM relation ORDER BY 1",
                "SELECT iri, label, description FROM entity ORDER BY 1",
                "SELECT entity, text, lang, label FROM name ORDER BY 1, 2, 3, 4",
                "SELECT entity, class FROM entity_type ORDER BY 1, 2",
                "SELECT child, parent FROM class_parent ORDER BY 1, 2",
            ):
                got, wanted = (list(kg.store.db.execute(query)) for kg in (first, second))
                assert got == wanted, query
            assert first.fingerprint == second.fingerprint

    return same
