"""An endpoint that answers with the files of a case: rows or counts, whatever is asked."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote_plus

_TYPES = {
    ".srj": "application/sparql-results+json", ".srx": "application/sparql-results+xml",
    ".nt": "application/n-triples", ".ttl": "text/turtle", ".rdf": "application/rdf+xml",
}  # fmt: skip

#: The file that answers a query, by what it asks for; else ``rows``.
_KINDS = (
    (re.compile("GROUP BY"), "each"),
    (re.compile(r"COUNT\("), "count"),
    (re.compile("CONSTRUCT"), "statements"),
    (re.compile(r"^[^?]*SELECT \?\w+ WHERE"), "listed"),
)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve the cases of a folder from a process of its own; the address without their names."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(folder)) as server:
        child = os.fork()
        if not child:
            try:
                server.serve_forever()
            finally:
                os._exit(0)
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def be_impatient() -> None:
    """Let the client of this process ask again at once where it would wait."""
    from kgpath.kg_build.sparql.client import Client

    Client.__init__.__defaults__ = (lambda seconds: None,)


def _handler(folder: Path) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(unquote_plus(self.path.partition("?")[2]))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self._answer(unquote_plus(body.decode("utf-8", "replace")))

        def _answer(self, query: str) -> None:
            case = self.path.partition("?")[0].strip("/").rpartition("/")[0]
            if "%25" in query and "AS ?x" in query:
                return self._send(b'{"head":{"vars":["x"]},"results":{"bindings":['
                                  b'{"x":{"type":"literal","value":"%25"}}]}}', ".srj")  # fmt: skip
            kind = next((kind for asked, kind in _KINDS if asked.search(query)), "rows")
            for file in sorted((folder / case).glob(f"{kind}*")):
                return self._send(file.read_bytes(), file.suffix)
            self.send_error(404)

        def _send(self, body: bytes, ending: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", _TYPES.get(ending, "text/plain"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads along."""

    return Handler
