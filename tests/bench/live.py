"""Extracting DBpedia's film classes from Virtuoso, against one unpaged CONSTRUCT of the same data.

python tests/bench/live.py [--times 3] [--json]
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from common import ROOT, fresh, real_files, report

sys.path.insert(0, str(ROOT / "tests"))
from live_servers import MAX_ROWS, Virtuoso, missing_virtuoso

GRAPH = "http://g"
# Statements that a build could take in; nothing is cached from an earlier run.
PAGED = """
import json, os, resource, sys, tempfile, time
from kgpath import Filters
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.source import live_source
os.environ["KGPATH_CACHE"] = tempfile.mkdtemp(prefix="kgpath-bench-", dir=sys.argv[3])
live = live_source(sys.argv[1], graphs=[sys.argv[2]])
report = Report("live")
begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
started = time.perf_counter()
types = tuple(sys.argv[4:]) or ("film",)
for statement in live.statements(report, Filters(types=types), lambda count: None):
    pass
print(json.dumps({
    "seconds": time.perf_counter() - started, "rows": report.statements, "begin_mb": begin,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "requests": live.client.http.requests,
}))
"""
# The same questions without pages: one for the ontology, one for the members of the classes.
UNPAGED = """
import json, resource, sys, time, urllib.parse, urllib.request
from kgpath import Filters
from kgpath.storage import statements as st
from kgpath.kg_build.rdf.ntriples import read_ntriples
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.presets import RDF_PRESET as preset
from kgpath.kg_build.filters import TYPE_PRESETS
from kgpath.storage.ontology import closure, group
report = Report("live")
def ask(query):
    data = urllib.parse.urlencode({"query": query, "default-graph-uri": sys.argv[2]}).encode()
    request = urllib.request.Request(sys.argv[1], data, {"Accept": "application/n-triples"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        yield from read_ntriples(answer, report)
started = time.perf_counter()
filters = Filters()
children = []
lists = " UNION ".join("{ %s }" % pattern for pattern in preset.ontology_lists())
ontology = "{ SELECT DISTINCT ?s WHERE { %s FILTER(isIRI(?s)) } } %s"
query = ontology % (lists, preset.ontology(filters).where)
for kind, child, parent, _ in ask("CONSTRUCT { ?s ?p ?o } WHERE { %s }" % query):
    if kind == st.SUBCLASS:
        children.append((parent, child))
classes = sorted(closure(TYPE_PRESETS["film"], group(children)))
members = "{ SELECT DISTINCT ?s WHERE { %s } } %s"
query = members % (preset.members(classes), preset.all(filters).where)
for statement in ask("CONSTRUCT { ?s ?p ?o } WHERE { %s }" % query):
    pass
print(json.dumps({
    "seconds": time.perf_counter() - started, "rows": report.statements,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    files = real_files()
    if missing := missing_virtuoso():
        sys.exit(f"This benchmark {missing}")
    folder = Path(tempfile.mkdtemp(prefix="kgpath-bench-"))
    servers: list[Virtuoso] = []
    try:
        cutting, whole = _servers(folder, files, servers)
        runs: dict[str, list[dict]] = {"paged": [], "unpaged": []}
        for _ in range(options.times):  # alternating, so that a slow minute hits both
            runs["unpaged"].append(fresh(UNPAGED, whole.url, GRAPH))
            runs["paged"].append(fresh(PAGED, cutting.url, GRAPH, folder))
        small = fresh(PAGED, cutting.url, GRAPH, folder, "dbo:Film")
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(folder)
    rate = {
        name: statistics.median(run["rows"] / run["seconds"] for run in all_runs)
        for name, all_runs in runs.items()
    }
    ratios = [
        (p["seconds"] / p["rows"]) / (u["seconds"] / u["rows"])
        for p, u in zip(runs["paged"], runs["unpaged"], strict=True)
    ]
    ratio = statistics.median(ratios)
    last = runs["paged"][-1]
    result = {"runs": runs, "films_only": small, "rows_per_second": rate, "ratio": ratio}
    rows = [
        ("one unpaged CONSTRUCT", f"{rate['unpaged']:,.0f} rows/s", ""),
        (f"kgpath, pages of at most {MAX_ROWS:,}", f"{rate['paged']:,.0f} rows/s", ""),
        ("times slower", f"{ratio:.2f}", "at most 2"),
        ("each run", " ".join(f"{one:.2f}" for one in ratios), ""),
        ("rows", f"{last['rows']:,} in {last['requests']:,} requests", ""),
        ("peak memory", f"{last['peak_mb']:,.0f} MB", ""),
        (
            f"peak memory, films alone ({small['rows']:,} rows)",
            f"{small['peak_mb']:,.0f} MB",
            "about the same",
        ),
    ]
    report(result, rows, options.json)


def _servers(folder: Path, files: list[Path], servers: list[Virtuoso]) -> tuple[Virtuoso, Virtuoso]:
    """The same database twice: with DBpedia's limit, and without one."""
    plain = []
    for file in files:
        plain.append(folder / file.with_suffix("").name)
        with gzip.open(file) as packed, plain[-1].open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
    first = folder / "first"
    first.mkdir()
    loading = Virtuoso(first, buffers=40_000).start()
    servers.append(loading)
    loading.load(GRAPH, plain)
    loading.stop()  # started again it knows how much it holds, and plans its queries better
    found = []
    for name, limit in (("cutting", MAX_ROWS), ("whole", 100_000_000)):
        place = folder / name
        place.mkdir()
        shutil.copyfile(first / "virtuoso.db", place / "virtuoso.db")
        found.append(Virtuoso(place, limit, buffers=40_000).start())
        servers.append(found[-1])
    return found[0], found[1]


if __name__ == "__main__":
    main()
