"""Real SPARQL servers on this machine for tests and benchmarks: Virtuoso, and rdflib-endpoint."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import RdfFormat, Triple, parse, serialize

#: The most rows of an answer, as at DBpedia: longer ones are cut off without a word.
MAX_ROWS = 10_000

_INI = """\
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 100
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DirsAllowed = {folder}
NumberOfBuffers = {buffers}
MaxDirtyBuffers = {dirty}
CheckpointInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:{http_port}
ServerThreads = 5
[SPARQL]
ResultSetMaxRows = {max_rows}
"""
_FASTAPI = """
import sys
import uvicorn
from rdflib import Graph
from rdflib_endpoint import SparqlEndpoint
graph = Graph()
for path in sys.argv[2:]:
    graph.parse(path)
app = SparqlEndpoint(graph=graph, path="/sparql")
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
"""


def missing_virtuoso() -> str:
    """Why Virtuoso cannot be used here; empty if it can."""
    missing = [name for name in ("virtuoso-t", "isql-vt") if not shutil.which(name)]
    return f"needs {' and '.join(missing)}: make system-deps" if missing else ""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Server:
    """A process that answers at ``url`` until it is stopped."""

    url = ""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def _start(self, command: list[str], log: Path, seconds: float = 600) -> None:
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL
            )
        end = time.monotonic() + seconds
        while not _answers(self.url):
            if self._process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"{command[0]} does not answer: {log.read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


class Virtuoso(Server):
    """Virtuoso with a database of its own in a folder."""

    def __init__(self, folder: Path, max_rows: int = MAX_ROWS, buffers: int = 2000) -> None:
        super().__init__()
        self._folder = folder
        self._sql_port, http_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{http_port}/sparql"
        (folder / "v.ini").write_text(
            _INI.format(
                folder=folder,
                sql_port=self._sql_port,
                http_port=http_port,
                max_rows=max_rows,
                buffers=buffers,
                dirty=buffers * 3 // 4,
            )
        )

    def start(self) -> Virtuoso:
        command = ["virtuoso-t", "+wait", "+foreground", "-c", str(self._folder / "v.ini")]
        self._start(command, self._folder / "out.log")
        return self

    def load(self, graph: str, files: Iterable[Path]) -> None:
        """Load files of RDF into a graph, as N-Triples: its Turtle does not know ``\\(``."""
        script = ["log_enable(2,1);"]
        for number, file in enumerate(files):
            copy = self._folder / f"load-{number}.nt"
            if file.suffix == ".nt":
                shutil.copyfile(file, copy)
            else:
                kind = RdfFormat.RDF_XML if file.suffix == ".owl" else RdfFormat.TURTLE
                with copy.open("wb") as out:
                    serialize(_triples(file, kind), out, format=RdfFormat.N_TRIPLES)
            text = f"file_to_string_output('{copy}')"
            script.append(f"DB.DBA.TTLP_MT({text}, '', '{graph}', 255);")
        self.run([*script, "checkpoint;"])

    def run(self, statements: Iterable[str]) -> str:
        """Run SQL; complain where one statement fails."""
        done = subprocess.run(
            ["isql-vt", f"127.0.0.1:{self._sql_port}", "dba", "dba", "ERRORS=STDOUT"],
            input="\n".join(statements).encode(), capture_output=True, timeout=300,
        )  # fmt: skip
        said = done.stdout.decode("utf-8", "replace")
        if done.returncode or "*** Error" in said:
            raise RuntimeError(said[-2000:] + done.stderr.decode("utf-8", "replace")[-2000:])
        return said


class RdflibEndpoint(Server):
    """rdflib-endpoint: FastAPI over an rdflib graph in memory."""

    def __init__(self, folder: Path, files: Iterable[Path]) -> None:
        super().__init__()
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/sparql"
        command = [sys.executable, "-c", _FASTAPI, str(port), *map(str, files)]
        self._start(command, folder / "rdflib-endpoint.log")


def _triples(file: Path, kind: RdfFormat) -> Iterable[Triple]:
    for quad in parse(path=file, format=kind, base_iri="urn:kg:"):
        yield quad.triple


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}?query=ASK%7B%7D", timeout=5) as response:
            return bool(response.status == 200)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
