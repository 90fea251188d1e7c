"""One query to an endpoint: what is tried again, what is said, and that it is polite."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import fault_proxy as faults
import pytest
from fault_proxy import FaultProxy
from hypothesis import given
from hypothesis import strategies as some

from kgpath.errors import BadOption, BadSource, KgpathError
from kgpath.kg_build.sparql import body as sparql_body
from kgpath.kg_build.sparql.cached_client import CachedClient
from kgpath.kg_build.sparql.client import Client, Endpoint
from kgpath.kg_build.sparql.errors import ResultTooLarge, TransientError
from kgpath.kg_build.sparql.page_cache import Reply
from kgpath.kg_build.sparql.replies import rows_of, statements_of

QUERY = "SELECT ?n WHERE { }"
SEVEN = {
    "head": {"vars": ["n"]},
    "results": {"bindings": [{"n": {"type": "literal", "value": "7"}}]},
}
GOOD = faults.garbage(json.dumps(SEVEN).encode())


@pytest.fixture
def proxy() -> Iterator[FaultProxy]:
    """A server that answers seven to everything, unless a fault is planned."""
    with FaultProxy() as server:
        server.always = GOOD
        yield server


def cached_client(url: str, slept: list[float] | None = None, **options: object) -> CachedClient:
    endpoint = Endpoint.at(url, **options)  # type: ignore[arg-type]
    slept = [] if slept is None else slept
    return CachedClient(endpoint, client=Client(endpoint, slept.append))


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        (faults.status(429, Retry_After="7"), [7.0]),
        (faults.status(503, Retry_After="3"), [3.0]),
        (faults.status(503), [1.0]),
        (faults.status(500, b"Virtuoso 08C01 Error"), [1.0]),
        (faults.status(429), [1.0]),
        (faults.drop, [1.0]),
        (faults.html, [1.0]),
        (faults.garbage(b'{"head": {"vars": ["n'), [1.0]),
        (faults.garbage(b"7", "text/plain"), [1.0]),
        (faults.partial, [1.0]),
    ],
)
def test_what_may_pass_is_asked_again(
    proxy: FaultProxy, fault: faults.Fault, waits: list[float]
) -> None:
    if fault is faults.partial:
        fault = faults.status(200, b"{}", X_SQL_State="S1TAT", X_SQL_Message="anytime")
    proxy.faults = {0: fault}
    slept: list[float] = []
    assert cached_client(proxy.url, slept).number(QUERY) == 7
    assert slept == waits
    assert proxy.queries == [QUERY, QUERY]


def test_waiting_grows_and_ends(proxy: FaultProxy) -> None:
    slept: list[float] = []
    client = cached_client(proxy.url, slept)
    assert client.number(QUERY) == 7
    proxy.always = faults.drop
    with pytest.raises(BadSource, match=r"The connection to .* broke"):
        client.number(QUERY + " # again")
    assert slept == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]


def test_a_server_that_never_answered_is_given_up_soon(proxy: FaultProxy) -> None:
    proxy.always = faults.drop
    slept: list[float] = []
    with pytest.raises(BadSource):
        cached_client(proxy.url, slept).number(QUERY)
    assert slept == [1.0]


def test_too_long_a_wait_is_left_to_the_user(proxy: FaultProxy) -> None:
    proxy.always = faults.status(429, Retry_After="86400")
    with pytest.raises(BadSource, match=r"come back in 86,400 seconds.*is cached"):
        cached_client(proxy.url).number(QUERY)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (faults.status(401, WWW_Authenticate="Basic"), "wants a name and a password"),
        (faults.status(403, b"no robots"), "refuses us .* It says: no robots"),
        (faults.status(404), "nothing at .* mostly ends in /sparql"),
        (faults.html, "a web page, not with results"),
        (faults.status(400, b"syntax error at WHERE"), "does not take the query .*syntax error"),
        (faults.garbage(b"a,b\n1,2\n", "text/csv"), "answers with text/csv"),
        (faults.garbage(b"[1]"), "damaged results"),
        (faults.garbage(b'{"boolean": true}'), "damaged results"),
        (faults.garbage(b"<sparql/>", "application/sparql-results+xml"), "damaged results"),
        (faults.garbage(b'{"head":{"vars":["n"]},"results":{"bindings":[{"n":7}]}}'), "damaged"),
        (faults.garbage(b'{"head":{"vars":["n"]},"results":{"bindings":[]}}'), "with a number"),
    ],
)
def test_what_will_not_pass_is_reported(proxy: FaultProxy, fault: faults.Fault, said: str) -> None:
    proxy.always = fault
    with pytest.raises(BadSource, match=said):
        cached_client(proxy.url).number(QUERY)


def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with pytest.raises(BadSource, match="Nothing listens at"):
        cached_client(f"http://127.0.0.1:{port}/sparql").number(QUERY)
    with pytest.raises(BadSource, match="no host of that name"):
        cached_client("http://no-such-host.invalid/sparql").number(QUERY)


@pytest.mark.parametrize("url", ["ftp://x/sparql", "/tmp/x", "file:///etc/passwd", "http://", "x",
                                 "http://h:99999999/", "http://[::1/", "http://h/\n"])  # fmt: skip
def test_an_address_is_one_of_the_web(url: str) -> None:
    with pytest.raises(BadOption):
        Endpoint.at(url)


def test_a_password_goes_to_the_server_and_nowhere_else(
    proxy: FaultProxy, page_cache: Path
) -> None:
    endpoint = Endpoint.at(proxy.url.replace("//", "//me:secret@"))
    client = CachedClient(endpoint, client=Client(endpoint))
    assert client.number(QUERY) == 7
    assert proxy.headers[0]["Authorization"] == "Basic bWU6c2VjcmV0"
    assert "secret" not in endpoint.url + client.url
    kept = [path.read_bytes() for path in page_cache.rglob("*") if path.is_file()]
    assert kept and not any(b"secret" in gzip.decompress(one) for one in kept)


def test_it_says_who_it_is_and_takes_packed_answers(
    proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPATH_CONTACT", "mailto:me@example.org")
    body = gzip.compress(json.dumps(SEVEN).encode())
    proxy.always = lambda handler: (
        handler.send(200, body, {"Content-Type": "application/json", "Content-Encoding": "gzip"})
        or True
    )
    assert cached_client(proxy.url).number(QUERY) == 7
    assert proxy.headers[0]["User-Agent"].startswith("kgpath/")
    assert "mailto:me@example.org" in proxy.headers[0]["User-Agent"]
    assert proxy.headers[0]["Accept-Encoding"] == "gzip"


def test_long_queries_are_posted_and_short_ones_are_not(proxy: FaultProxy) -> None:
    client = cached_client(proxy.url)
    client.number(QUERY)
    client.number(QUERY + " #" + "é%" * 1000)
    assert proxy.methods[0] == "GET"
    assert proxy.methods[-1] == "POST"
    assert proxy.queries[-1] == QUERY + " #" + "é%" * 1000


def test_requests_keep_a_distance(proxy: FaultProxy) -> None:
    slept: list[float] = []
    client = cached_client(proxy.url, slept, rate=0.5)
    for number in range(3):
        client.number(f"{QUERY} # {number}")
    assert len(slept) == 2
    assert all(1.5 < wait <= 2.0 for wait in slept)
    assert Endpoint.at("https://dbpedia.org/sparql").pause == 0.2
    assert Endpoint.at("http://localhost:8890/sparql").pause == 0


def redirecting(to: Callable[[faults.Handler], str], code: int = 301) -> faults.Fault:
    def fault(handler: faults.Handler) -> bool:
        handler.send(code, b"", {"Location": to(handler)})
        return True

    return fault


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_takes_the_query_along(proxy: FaultProxy, code: int) -> None:
    long = QUERY + " #" + "x" * 2000
    with FaultProxy() as moved:
        moved.always = redirecting(lambda handler: proxy.url, code)
        assert cached_client(moved.url).number(QUERY) == 7
        assert cached_client(moved.url).number(long) == 7
    assert proxy.queries[0] == QUERY
    assert proxy.queries[-1] == long
    assert proxy.methods[-1] == "POST"


def test_a_circle_of_redirects_ends(proxy: FaultProxy) -> None:
    proxy.always = redirecting(lambda handler: proxy.url)
    with pytest.raises(BadSource, match="sends us on and on"):
        cached_client(proxy.url).number(QUERY)
    assert len(proxy.queries) < 20
    proxy.always = redirecting(lambda handler: "file:///etc/passwd")
    with pytest.raises(BadSource):
        cached_client(proxy.url).number(QUERY)


def test_a_certificate_nobody_signed(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-keyout", key, "-out", certificate],
        capture_output=True,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("needs openssl to make a certificate")
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        with pytest.raises(BadSource, match=r"certificate .* cannot be trusted.*SSL_CERT_FILE"):
            cached_client(f"https://127.0.0.1:{server.server_port}/sparql").number(QUERY)
        with pytest.raises(BadSource):
            cached_client(f"https://127.0.0.1:{free_plain_server()}/sparql").number(QUERY)
    finally:
        server.shutdown()
        server.server_close()


def free_plain_server() -> int:
    """A port where somebody speaks plain HTTP."""
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    threading.Thread(target=server.handle_request, daemon=True).start()
    return server.server_port


def test_answers_have_a_size(proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparql_body, "MOST_BYTES", 1000)
    proxy.faults = {0: faults.garbage(b"x" * 5000)}
    slept: list[float] = []
    with pytest.raises(ResultTooLarge, match="is over"):
        cached_client(proxy.url, slept).rows(QUERY)
    assert slept == []  # it would be as large again
    bomb = gzip.compress(b"x" * 5_000_000)
    kind = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    proxy.faults = {2: lambda handler: handler.send(200, bomb, kind) or True}
    with pytest.raises(ResultTooLarge):
        cached_client(proxy.url).rows(QUERY + " # bomb")


def test_a_slow_answer_is_too_much_to_ask_unless_nobody_is_there(proxy: FaultProxy) -> None:
    class Patient(Client):
        """Waits for what everyone can answer, also on a busy machine."""

        def _once(self, query: str, accept: str, post: str | None) -> Reply:
            if query != QUERY:
                self.endpoint = replace(self.endpoint, timeout=60)
            return super()._once(query, accept, post)

    hold = faults.Hold()
    proxy.faults = {0: hold, 1: hold}  # the third is a query that everyone can answer
    endpoint = Endpoint.at(proxy.url, timeout=1)
    client = CachedClient(endpoint, client=Patient(endpoint, lambda seconds: None))
    with pytest.raises(ResultTooLarge, match="did not answer in time"):
        client.rows(QUERY)
    hold.released.set()
    proxy.always = faults.status(502)
    with pytest.raises(BadSource, match="failed"):
        cached_client(proxy.url).rows(QUERY + " # again")


@given(some.binary(max_size=200), some.sampled_from(["json", "xml", "nt"]))
def test_no_answer_however_strange_is_an_accident(body: bytes, kind: str) -> None:
    media = {"json": "application/json", "xml": "application/xml", "nt": "application/n-triples"}
    read = statements_of if kind == "nt" else rows_of
    with contextlib.suppress(TransientError, KgpathError):
        read(Reply(media[kind], body), "http://x")


_JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=5),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(
            some.sampled_from(["head", "vars", "results", "bindings", "n", "type", "value"]), inner
        )
    ),
    max_leaves=20,
)


@given(_JSON)
def test_json_of_the_wrong_shape_is_reported(data: object) -> None:
    try:
        found = rows_of(Reply("application/json", json.dumps(data).encode()), "http://x")
    except TransientError:
        return
    assert all(isinstance(row, tuple) for row in found.rows)


def test_a_value_nested_a_thousand_deep_is_reported() -> None:
    value = "[" * 1000 + "]" * 1000
    rows = f'{{"bindings": [{{"s": {{"type": "uri", "value": {value}}}}}]}}'
    body = f'{{"head": {{"vars": ["s"]}}, "results": {rows}}}'
    with pytest.raises(TransientError, match="damaged results: a value that is no text"):
        rows_of(Reply("application/json", body.encode()), "http://x")
