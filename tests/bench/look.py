"""The first answers: starting, opening and finding in the real film graph.

python tests/bench/look.py [--graph film.kg] [--json]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from common import fresh, real_files, report, wall

FIRST_ANSWER = """
import json, sys, time
started = time.perf_counter()
import kgpath
imported = time.perf_counter()
kg = kgpath.open(sys.argv[1])
found = kg.find("casino roy")
print(json.dumps({"import": imported - started, "answer": time.perf_counter() - imported,
                  "found": [match.entity.label for match in found]}))
"""
COMMAND = [sys.executable, "-c", "from kgpath.cli import main; main()"]


def prefixes(kg, count: int, seed: int) -> list[str]:  # type: ignore[no-untyped-def]
    """Beginnings of real names, of two to five letters."""
    chance = random.Random(seed)
    (names,) = kg.store.one("SELECT count(*) FROM name")
    found: list[str] = []
    while len(found) < count:
        row = kg.store.one("SELECT folded FROM name WHERE id = ?", chance.randint(1, names))
        prefix = row[0][: chance.randint(2, 5)].strip() if row else ""
        if len(prefix) >= 2:
            found.append(prefix)
    return found


def find_times(path: Path, count: int = 500, seed: int = 7) -> list[float]:
    import kgpath

    taken = []
    with kgpath.open(path) as kg:
        for prefix in prefixes(kg, count, seed):
            started = time.perf_counter()
            kg.find(prefix)
            taken.append(time.perf_counter() - started)
    return taken


def measure(path: Path, times: int) -> dict:
    starts = [fresh(FIRST_ANSWER, path) for _ in range(times)]
    finds = find_times(path)
    python = wall([sys.executable, "-c", "pass"], times)
    help_ = wall([*COMMAND, "--help"], times)
    return {
        "python_start": python,
        "help": help_,
        "help_ratio": help_ / python,
        "import": statistics.median(s["import"] for s in starts),
        "open_to_first_answer": statistics.median(s["answer"] for s in starts),
        "process_to_first_answer": statistics.median(s["wall"] for s in starts),
        "find_median": statistics.median(finds),
        "find_p95": statistics.quantiles(finds, n=20)[-1],
        "find_max": max(finds),
        "finds": len(finds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", type=Path, help="a built graph; else it is built first")
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kgpath-bench-") as folder:
        path = options.graph
        if path is None:
            import kgpath

            path = Path(folder) / "film.kg"
            kgpath.build(real_files(), path)
        elif not path.exists():
            sys.exit(f"There is no graph file {path}.")
        result = measure(path, options.times)

    def ms(name: str) -> str:
        return f"{result[name] * 1000:,.1f} ms"

    rows = [
        ("python -c pass", ms("python_start"), ""),
        ("kgpath --help", ms("help"), f"under 300 ms; {result['help_ratio']:.1f} × python"),
        ("import kgpath", ms("import"), ""),
        ("open to first answer, in process", ms("open_to_first_answer"), "under 500 ms"),
        ("new process to first answer", ms("process_to_first_answer"), "under 500 ms"),
        (f"find, median of {result['finds']} prefixes", ms("find_median"), "under 10 ms"),
        ("find, 95th percentile", ms("find_p95"), ""),
        ("find, slowest", ms("find_max"), ""),
    ]
    report(result, rows, options.json)


if __name__ == "__main__":
    main()
