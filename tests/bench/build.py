"""Building the real film graph against pyoxigraph's bulk load of the same files.

python tests/bench/build.py [--times 3] [--json]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

from common import fresh, real_files, report

# What a user waits for: reading, full-text search and arrays; imports are not counted.
KGPATH = """
import json, resource, sys, time
import kgpath, kgpath.kg_build.build, sqlite_utils
started = time.perf_counter()
built = kgpath.build(sys.argv[2:], sys.argv[1] + "/film.kg")
seconds = time.perf_counter() - started
print(json.dumps({
    "seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "entities": built.entities, "edges": built.edges, "relations": built.relations,
    "classes": built.classes, "statements": built.statements, "malformed": built.malformed,
    "notes": built.notes,
}))
"""
PYOXIGRAPH = """
import gzip, json, resource, sys, time
from pyoxigraph import RdfFormat, Store
store = Store(sys.argv[1] + "/store")
started = time.perf_counter()
for path in sys.argv[2:]:
    format = RdfFormat.RDF_XML if ".owl" in path else RdfFormat.N_TRIPLES
    with gzip.open(path) as file:
        store.bulk_load(file, format=format, base_iri="urn:kg:")
store.flush()
seconds = time.perf_counter() - started
print(json.dumps({
    "seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    files = real_files()
    runs: dict[str, list[dict]] = {"kgpath": [], "pyoxigraph": []}
    for _ in range(options.times):  # alternating, so that a slow minute hits both
        for name, code in (("pyoxigraph", PYOXIGRAPH), ("kgpath", KGPATH)):
            folder = Path(tempfile.mkdtemp(prefix="kgpath-bench-"))
            try:
                runs[name].append(fresh(code, folder, *files))
            finally:
                shutil.rmtree(folder)
    seconds = {name: statistics.median(r["seconds"] for r in rs) for name, rs in runs.items()}
    peak = {name: max(r["peak_mb"] for r in rs) for name, rs in runs.items()}
    built = runs["kgpath"][-1]
    ratio = seconds["kgpath"] / seconds["pyoxigraph"]
    counts = ("statements", "entities", "edges", "relations", "classes", "malformed")
    result = {
        "seconds": seconds,
        "all_seconds": {name: [r["seconds"] for r in rs] for name, rs in runs.items()},
        "ratio": ratio,
        "peak_mb": peak,
        **{name: built[name] for name in counts},
        "notes": built["notes"],
    }
    rows = [
        ("pyoxigraph bulk_load", f"{seconds['pyoxigraph']:.2f} s", ""),
        ("kgpath build", f"{seconds['kgpath']:.2f} s", ""),
        ("ratio", f"{ratio:.2f}", "at most 2"),
        ("peak memory of the build", f"{peak['kgpath']:,.0f} MB", "under 1,500 MB"),
        *((name, f"{built[name]:,}", "") for name in counts),
    ]
    rows[-5] = (*rows[-5][:2], "173,635 ± 200")
    rows[-1] = (*rows[-1][:2], "0")
    report(result, rows, options.json)


if __name__ == "__main__":
    main()
