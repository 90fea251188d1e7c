"""Whatever happens on the way, the graph is whole: faults, silent cuts, kills, lies."""

from __future__ import annotations

import json
import multiprocessing
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import fault_proxy as faults
import pytest
from fault_proxy import FaultProxy, Handler
from live_servers import MAX_ROWS, Virtuoso

import kgpath
from kgpath.errors import BadSource
from kgpath.kg_build.sparql import pages as sparql_pages
from kgpath.kg_build.sparql.cached_client import CachedClient
from kgpath.kg_build.sparql.client import Client
from kgpath.kg_build.sparql.source import LiveSource, SourceSelection, live_source

FILMS = kgpath.Filters(types=("film",))
EVERYTHING = SourceSelection(query="CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
Endpoint = tuple[str, list[str]]


@pytest.fixture
def proxy(virtuoso_sample: Endpoint) -> Iterator[FaultProxy]:
    """A proxy before Virtuoso."""
    with FaultProxy(virtuoso_sample[0]) as server:
        yield server


def patient(live: LiveSource) -> LiveSource:
    """Waits no second, however long it is asked to."""
    live.client = CachedClient(live.endpoint, client=Client(live.endpoint, lambda seconds: None))
    return live


@pytest.fixture
def films(virtuoso_sample: Endpoint, tmp_path: Path) -> str:
    """The fingerprint of the films, fetched without any fault."""
    live = live_source(virtuoso_sample[0], graphs=virtuoso_sample[1])
    built = kgpath.build((), tmp_path / "plain.kg", filters=FILMS, live=live)
    shutil.rmtree(live.client.folder)
    return built.fingerprint


MESS = (
    faults.status(500), faults.drop, faults.truncate, faults.html, faults.cut_silently,
    faults.status(429, Retry_After="9"), faults.status(503), faults.partial, faults.delay(0.02),
    faults.garbage(b'{"head"'),
)  # fmt: skip


def test_faults_on_the_way_leave_no_trace(
    proxy: FaultProxy, virtuoso_sample: Endpoint, films: str, tmp_path: Path
) -> None:
    # Never twice in a row: what fails again and again is taken for too much to ask.
    proxy.faults = {1 + 2 * at: MESS[at % len(MESS)] for at in range(60)}
    live = patient(live_source(proxy.url, graphs=virtuoso_sample[1]))
    built = kgpath.build((), tmp_path / "messy.kg", filters=FILMS, live=live)
    assert built.fingerprint == films
    assert built.malformed == 0
    assert len(proxy.queries) > len(MESS) * 2


@pytest.mark.parametrize("rows", [60, 700])
def test_answers_that_are_cut_off_silently_are_noticed(
    proxy: FaultProxy, virtuoso_sample: Endpoint, films: str, tmp_path: Path, rows: int
) -> None:
    proxy.always = faults.capped(rows)
    live = live_source(proxy.url, graphs=virtuoso_sample[1])
    assert kgpath.build((), tmp_path / "cut.kg", filters=FILMS, live=live).fingerprint == films


def test_even_three_rows_at_a_time_give_all(
    virtuoso_film: Endpoint, film_path: Path, tmp_path: Path
) -> None:
    with FaultProxy(virtuoso_film[0]) as proxy:
        proxy.always = faults.capped(3)
        live = live_source(proxy.url, "", EVERYTHING, virtuoso_film[1])
        built = kgpath.build((), tmp_path / "cut.kg", live=live)
    with kgpath.open(film_path) as graph:
        assert built.fingerprint == graph.fingerprint


def test_questions_shrink_until_they_are_answered(
    proxy: FaultProxy, virtuoso_sample: Endpoint, films: str, tmp_path: Path
) -> None:
    proxy.always = faults.overworked(30)
    live = patient(live_source(proxy.url, graphs=virtuoso_sample[1]))
    built = kgpath.build((), tmp_path / "slow.kg", filters=FILMS, live=live)
    assert built.fingerprint == films
    # What was too much is cached: a second run makes the same way without asking.
    before = len(proxy.queries)
    live = live_source(proxy.url, graphs=virtuoso_sample[1])
    assert kgpath.build((), tmp_path / "slow.kg", filters=FILMS, live=live).fingerprint == films
    assert len(proxy.queries) == before


def test_more_than_virtuoso_gives_at_once(
    virtuoso_server: Virtuoso, tmp_path: Path, same_graph: Callable[[Path, Path], None]
) -> None:
    many = MAX_ROWS + 300
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/Thing> ."
    lines = [f"<http://x/hub> {kind}\n<http://x/hub> <http://x/at> <http://x/0é> .\n"]
    for n in range(many):
        lines.append(f"<http://x/hub> <http://x/has> <http://x/{n}é> .\n<http://x/{n}é> {kind}\n")
    (tmp_path / "many.nt").write_text("".join(lines), encoding="utf-8")
    virtuoso_server.load("http://test/many", [tmp_path / "many.nt"])
    virtuoso_server.stop()  # started again it knows how much it holds, and is ten times as fast
    virtuoso_server.start()
    filters = kgpath.Filters(types=("http://x/Thing",))
    kgpath.build([tmp_path / "many.nt"], tmp_path / "files.kg", filters=filters)
    live = live_source(virtuoso_server.url, graphs=["http://test/many"])
    built = kgpath.build((), tmp_path / "live.kg", filters=filters, live=live)
    assert built.edges == many + 1
    same_graph(tmp_path / "live.kg", tmp_path / "files.kg")


def run(url: str, graphs: list[str], output: Path) -> None:
    live = live_source(url, graphs=graphs)
    kgpath.build((), output, filters=FILMS, live=live)


def test_killed_at_ten_moments_it_goes_on_where_it_was(
    proxy: FaultProxy, virtuoso_sample: Endpoint, films: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(sparql_pages, "_BATCH", 8)  # many small pages
    monkeypatch.setattr(sparql_pages, "_AIM", 60)
    output = tmp_path / "killed.kg"
    processes = multiprocessing.get_context("fork")
    random_moments = random.Random(7)
    kills = 0
    for _ in range(10):
        process = processes.Process(target=run, args=(proxy.url, virtuoso_sample[1], output))
        seen = len(proxy.queries)
        wait = random_moments.randint(1, 12)  # requests, and a part of the next
        # However late this one looks, it is not done.
        proxy.always = hold = faults.Hold(seen + wait + 2, seconds=0.01)
        process.start()
        while len(proxy.queries) < seen + wait and process.is_alive():
            time.sleep(0.002)
        time.sleep(random_moments.random() * 0.03)
        kills += process.is_alive()
        process.kill()
        process.join()
        hold.released.set()
        assert not output.exists() or process.exitcode == 0
    run(proxy.url, virtuoso_sample[1], output)
    with kgpath.open(output) as graph:
        assert graph.fingerprint == films
    asked = Counter(query for query in proxy.queries if "%25" not in query)
    assert kills == 10
    assert len(asked) > 30
    assert sum(asked.values()) <= len(asked) + kills  # each kill costs one page at most
    assert not list(tmp_path.glob(".*kgpath*"))


def rows(*values: str) -> bytes:
    bindings = [{"s": {"type": "uri", "value": value}} for value in values]
    return json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": bindings}}).encode()


def lying(pages: Callable[[int], bytes], count: Callable[[Handler], bool]) -> faults.Fault:
    """An endpoint with an answer to everything."""
    asked = 0

    def fault(handler: Handler) -> bool:
        nonlocal asked
        if "COUNT(DISTINCT ?s)" in handler.query:
            return count(handler)
        if "COUNT" in handler.query:
            return faults.garbage(NUMBER % 0)(handler)
        if handler.query.startswith("CONSTRUCT"):
            return faults.garbage(b"", "application/n-triples")(handler)
        asked += 1
        return faults.garbage(pages(asked))(handler)

    return fault


NUMBER = b'{"head":{"vars":["n"]},"results":{"bindings":[{"n":{"type":"literal","value":"%d"}}]}}'


@pytest.mark.parametrize(
    ("pages", "count", "said"),
    [
        (lambda n: rows("http://x/same"), faults.status(504), "same rows again and again"),
        (lambda n: rows(f"http://x/{n}"), faults.status(504), "again and again"),
        (lambda n: rows(), faults.garbage(NUMBER % 9), "said that it has 9 .* and gave 0"),
        (lambda n: b"[]", faults.garbage(NUMBER % 9), "damaged results"),
        (lambda n: rows(), faults.garbage(b"-1"), "damaged results"),
    ],
)
def test_an_endpoint_that_lies_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: Callable[[int], bytes],
    count: faults.Fault, said: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(sparql_pages, "_ENDLESS", 20)
    with FaultProxy() as proxy:
        proxy.always = lying(pages, count)
        live = patient(live_source(proxy.url, "wikidata"))
        with pytest.raises(BadSource, match=said):
            kgpath.build(
                (), tmp_path / "no.kg", filters=kgpath.Filters(types=("wd:Q5",)), live=live
            )
    assert list(tmp_path.glob("no*")) == []


def test_names_that_are_no_iris_are_left_out(virtuoso_server: Virtuoso, tmp_path: Path) -> None:
    virtuoso_server.run(
        [
            "SPARQL INSERT DATA INTO <http://test/odd> { <http://x/a> <http://x/r> <http://x/b> . "
            "<http://x/a> a <http://x/T> . <http://x/b> a <http://x/T> };",
            "SPARQL INSERT INTO <http://test/odd> { `iri(?odd)` a <http://x/T> . "
            "<http://x/a> <http://x/r> `iri(?odd)` } "
            "WHERE { VALUES ?odd { 'http://x/b c' 'http://x/<d>' } };",
        ]
    )
    live = live_source(virtuoso_server.url, graphs=["http://test/odd"])
    filters = kgpath.Filters(types=("http://x/T",))
    built = kgpath.build((), tmp_path / "odd.kg", filters=filters, live=live)
    assert (built.entities, built.edges) == (2, 1)
    assert built.malformed == 2
