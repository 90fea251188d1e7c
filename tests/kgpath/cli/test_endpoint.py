"""The commands that ask a live endpoint: kgpath build --sparql, kgpath query --sparql."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import fault_proxy as faults
import pytest
from fault_proxy import FaultProxy

import kgpath
from kgpath.kg_build.sparql.presets import DBPEDIA, RDF_PRESET, WIKIDATA
from kgpath.kg_build.sparql.source import live_source

Endpoint = tuple[str, list[str]]
pytestmark = pytest.mark.usefixtures("page_cache")
NEWS = (
    "The studio behind The Amazing Spider-Man confirmed that Emma Stone will play Gwen Stacy, "
    "opposite Andrew Garfield in the title role."
)


def at(endpoint: Endpoint) -> list[str]:
    url, graphs = endpoint
    return ["--sparql", url, *(part for graph in graphs for part in ("--graph", graph))]


def test_build_around_a_thing(virtuoso_sample: Endpoint, tmp_path: Path, run: Callable) -> None:
    done = run(
        "build", *at(virtuoso_sample), "--seed", "Emma Stone", "--hops", "2", "--hub-cap", "30",
        "-o", tmp_path / "stone.kg",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "stone.kg: " in done.out
    assert "The hub cap left out" in done.err
    with kgpath.open(tmp_path / "stone.kg") as kg:
        (source,) = kg.store.sources()
        assert (source.name, source.format) == (virtuoso_sample[0], "sparql")
        assert source.statements > source.edges > 10


def test_build_by_a_query_in_a_file(
    virtuoso_sample: Endpoint, tmp_path: Path, run: Callable
) -> None:
    query = "SELECT ?f ?p ?a { ?f ?p ?a FILTER(?p = <http://dbpedia.org/ontology/starring>) }"
    (tmp_path / "cast.rq").write_text(query)
    one = run(
        "build",
        *at(virtuoso_sample),
        "--query",
        tmp_path / "cast.rq",
        "-o",
        tmp_path / "a.kg",
        "--json",
    )
    other = run("build", *at(virtuoso_sample), "--query", query, "-o", tmp_path / "b.kg", "--json")
    assert json.loads(one.out)["relations"] == 1
    assert json.loads(one.out)["fingerprint"] == json.loads(other.out)["fingerprint"]


@pytest.mark.parametrize("swapped", [False, True])
def test_query_without_a_build(
    sample_endpoint: Endpoint, sample: kgpath.Graph, run: Callable, swapped: bool
) -> None:
    ends = ["Emma Stone", "dbr:Andrew_Garfield"]
    done = run(
        "query", *(reversed(ends) if swapped else ends), "--text", NEWS, *at(sample_endpoint),
        "--hub-cap", "0", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    live = json.loads(done.out)
    built = sample.query("Emma Stone", "Andrew Garfield", NEWS, max_hops=3).to_json()
    assert live["candidates"] == built["candidates"]
    first = "Andrew Garfield ←starring– The Amazing Spider-Man –starring→ Emma Stone"
    if not swapped:
        first = "Emma Stone ←starring– The Amazing Spider-Man –starring→ Andrew Garfield"
    assert first in run(
        "query", *(reversed(ends) if swapped else ends), "--text", NEWS, *at(sample_endpoint),
        "--hub-cap", "0", "-k", "1",
    ).out  # fmt: skip


def test_hubs_are_passed_by_and_ends_are_not(virtuoso_sample: Endpoint, run: Callable) -> None:
    done = run("query", "Emma Stone", "Andrew Garfield", "--text", NEWS, *at(virtuoso_sample),
               "--hub-cap", "1")  # fmt: skip
    assert done.code == 1
    assert "has only neighbours with more than 1 facts" in done.err
    done = run("query", "Emma Stone", "Andrew Garfield", "--text", NEWS, *at(virtuoso_sample),
               "--hub-cap", "12", "-k", "9")  # fmt: skip
    assert done.code == 0
    assert "The hub cap left out" in done.err
    assert "The Amazing Spider-Man" in done.out
    assert "Academy Awards" not in done.out


def test_what_is_typed_wrongly(virtuoso_sample: Endpoint, run: Callable, tmp_path: Path) -> None:
    def said(code: int, *args: str | Path) -> str:
        done = run(*args)
        assert done.code == code, done.err
        assert "Traceback" not in done.err
        assert done.out == ""
        return " ".join(done.err.split())

    here = at(virtuoso_sample)
    out = ("-o", tmp_path / "no.kg")
    assert "need an endpoint" in said(2, "build", "--seed", "x", *out)
    assert "name a source" in said(2, "build", *out)
    assert "Say what to take" in said(1, "build", *here, *out)
    assert "is a literal" in said(1, "build", *here, "--seed", '"x"@en', *out)
    assert "Neither a query nor a file" in said(1, "build", *here, "--query", "no.rq", *out)
    assert "No 'x' among the sparql_presets" in said(1, "build", *here, "--preset", "x", *out)
    assert "is not a language" in said(1, "build", *here, "--types", "film", "--lang", "e n", *out)
    assert "is not the address" in said(1, "build", "--sparql", "x", "--types", "film", *out)
    assert "not the IRI of a graph" in said(1, "build", *here, "--graph", "g", "--seed", "x", *out)
    assert "two entities and no graph" in said(2, "query", "a", "b", "c", "--text", "t", *here)
    assert "two entities and no graph" in said(2, "query", "a", "--text", "t", *here)
    assert "has the name 'Nobody'" in said(1, "query", "Nobody", "x", "--text", "t", *here)
    assert "Both names mean" in said(
        1, "query", "Emma Stone", "dbr:Emma_Stone", "--text", "t", *here
    )
    url = virtuoso_sample[0]
    assert "nothing at" in said(1, "build", "--sparql", url + "x", "--types", "film", *out)
    assert list(tmp_path.glob("no*")) == []


def test_an_interrupted_command_says_how_to_go_on(
    virtuoso_sample: Endpoint, tmp_path: Path, command: list[str]
) -> None:
    with FaultProxy(virtuoso_sample[0]) as proxy:
        proxy.always = hold = faults.Hold(first=2)
        arguments = ["build", "--sparql", proxy.url, "--graph", virtuoso_sample[1][0]]
        process = subprocess.Popen(
            [*command, *arguments, "--types", "film", "-o", "films.kg"],
            cwd=tmp_path, stderr=subprocess.PIPE,
        )  # fmt: skip
        while len(proxy.queries) < 3 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        hold.released.set()
    assert process.returncode == 130
    assert b"the same command goes on from there" in said
    assert not list(tmp_path.glob("films*"))


@pytest.mark.parametrize(
    ("url", "preset"),
    [
        ("dbpedia", DBPEDIA),
        ("wikidata", WIKIDATA),
        ("https://dbpedia.org/sparql", DBPEDIA),
        ("https://de.dbpedia.org/sparql", DBPEDIA),
        ("https://query.wikidata.org/sparql", WIKIDATA),
        ("https://notdbpedia.org/sparql", RDF_PRESET),
        ("http://localhost:8890/sparql", RDF_PRESET),
    ],
)
def test_the_address_tells_the_preset(url: str, preset: object) -> None:
    assert live_source(url).preset is preset
    assert live_source(url, "rdf").preset is RDF_PRESET
    assert live_source(url).endpoint.url.startswith("http")
