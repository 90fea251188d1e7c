"""A proxy that stands in front of a SPARQL server and makes a mess of its answers, by plan."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What a fault does with a request: it may answer by itself (True) or let it pass (False).
Fault = Callable[["Handler"], bool]


class FaultProxy:
    """Passes requests on to ``target``; the n-th one first goes to ``faults[n]``, if there is one.

    ``queries`` holds every query that came, in order, and ``headers`` what came with it.
    """

    def __init__(self, target: str = "", faults: dict[int, Fault] | None = None) -> None:
        self.target = target
        self.faults = faults or {}
        self.always: Fault | None = None
        self.queries: list[str] = []
        self.methods: list[str] = []
        self.headers: list[Any] = []
        self._lock = threading.Lock()
        self._server = _Quiet(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}/sparql"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> FaultProxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def note(self, handler: Handler) -> int:
        with self._lock:
            self.queries.append(handler.query)
            self.methods.append(handler.command)
            self.headers.append(handler.headers)
            return len(self.queries) - 1


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Clients that hang up are what this is for."""


class Handler(BaseHTTPRequestHandler):
    """One request: ``query`` is what it asks."""

    protocol_version = "HTTP/1.0"
    query = ""
    body: bytes | None = None
    proxy: FaultProxy

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def _answer(self, body: bytes | None) -> None:
        self.body = body
        kind = self.headers.get("Content-Type", "")
        asked = urllib.parse.urlsplit(self.path).query
        if body is not None and "sparql-query" in kind:
            self.query = body.decode()
        else:
            fields = urllib.parse.parse_qs(asked if body is None else body.decode())
            self.query = fields.get("query", [""])[0]
        number = self.proxy.note(self)
        fault = self.proxy.faults.get(number) or self.proxy.always
        if fault is None or not fault(self):
            self.send(*self.passed_on())

    def passed_on(self) -> tuple[int, bytes, dict[str, str]]:
        """What the server behind answers."""
        query = urllib.parse.urlsplit(self.path).query
        url = self.proxy.target + (f"?{query}" if query else "")
        kept = ("Accept", "Content-Type", "Accept-Encoding")
        headers = {name: self.headers[name] for name in kept if name in self.headers}
        request = urllib.request.Request(url, self.body, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), dict(error.headers)

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        given = {k: v for k, v in (headers or {}).items() if k.lower() in _PASSED}
        for name, value in {**given, **_extra(headers)}.items():
            self.send_header(name, value)
        if "Content-Length" not in _extra(headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


_PASSED = ("content-type", "content-encoding", "x-sparql-maxrows", "retry-after", "location")


def _extra(headers: dict[str, str] | None) -> dict[str, str]:
    """Headers that only a fault sends."""
    own = ("X-SQL-State", "X-SQL-Message", "WWW-Authenticate")
    return {k: v for k, v in (headers or {}).items() if k in own}


def _handler(proxy: FaultProxy) -> type[Handler]:
    return type("ProxyHandler", (Handler,), {"proxy": proxy})


# Faults


def status(code: int, body: bytes = b"", **headers: str) -> Fault:
    def fault(handler: Handler) -> bool:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        handler.send(code, body, {"Content-Type": "text/plain", **named})
        return True

    return fault


def drop(handler: Handler) -> bool:
    """Close the connection without a word."""
    _hang_up(handler)
    return True


def delay(seconds: float) -> Fault:
    def fault(handler: Handler) -> bool:
        time.sleep(seconds)
        return False

    return fault


class Hold:
    """Answer slowly, and from some request on not before it is released: nobody is done early."""

    def __init__(self, first: int = 0, seconds: float = 0) -> None:
        self.first, self.seconds = first, seconds
        self.released = threading.Event()

    def __call__(self, handler: Handler) -> bool:
        time.sleep(self.seconds)
        if len(handler.proxy.queries) > self.first:
            self.released.wait()
        return False


def truncate(handler: Handler) -> bool:
    """Promise the whole answer and send half of it."""
    code, body, headers = handler.passed_on()
    handler.send_response(code)
    handler.send_header("Content-Type", headers.get("Content-Type", ""))
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    _hang_up(handler)
    return True


def _hang_up(handler: Handler) -> None:
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def cut_silently(handler: Handler) -> bool:
    """Send half of the answer as if it were all."""
    code, body, headers = handler.passed_on()
    handler.send(code, body[: len(body) // 2], headers)
    return True


def html(handler: Handler) -> bool:
    handler.send(200, b"<!DOCTYPE html><html>Busy</html>", {"Content-Type": "text/html"})
    return True


def garbage(body: bytes, kind: str = "application/sparql-results+json") -> Fault:
    def fault(handler: Handler) -> bool:
        handler.send(200, body, {"Content-Type": kind})
        return True

    return fault


def capped(rows: int) -> Fault:
    """At most so many rows or statements, and not a word about it."""

    def fault(handler: Handler) -> bool:
        code, body, headers = handler.passed_on()
        if "json" in headers.get("Content-Type", ""):
            data = json.loads(body)
            data["results"]["bindings"] = data["results"]["bindings"][:rows]
            body = json.dumps(data).encode()
        else:
            body = b"".join(body.splitlines(True)[:rows])
        handler.send(code, body, headers)
        return True

    return fault


def overworked(things: int) -> Fault:
    """No time for questions about more than so many things at once."""

    def fault(handler: Handler) -> bool:
        asked = re.search(r"VALUES [?]s {([^}]*)}", handler.query)
        if not asked or asked.group(1).count("<") <= things:
            return False
        handler.send(504, b"Gateway Time-out", {"Content-Type": "text/plain"})
        return True

    return fault


def partial(handler: Handler) -> bool:
    """Say as Virtuoso does that time was up."""
    code, body, headers = handler.passed_on()
    handler.send(code, body, {**headers, "X-SQL-State": "S1TAT", "X-SQL-Message": "anytime"})
    return True
