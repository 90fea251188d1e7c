"""What the benchmarks share: the real data, fresh processes, medians, small tables."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"


def real_files() -> list[Path]:
    """The film graph of the issue: DBpedia's dumps, its ontology and the facts of WebNLG."""
    files = [
        *sorted((DATA / "dbpedia").glob("*.nt.gz")),
        DATA / "dbpedia" / "ontology.owl.gz",
        DATA / "cpr" / "webnlg-facts.nt.gz",
    ]
    missing = [path for path in files if not path.exists()]
    if missing or len(files) < 4:
        sys.exit(f"This benchmark reads the real data in {DATA}, which is not there. Skipped.")
    return files


def fresh(code: str, *arguments: object) -> dict[str, Any]:
    """Run code in a process of its own; it prints one JSON object as its last line."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )
    wall = time.perf_counter() - started
    if done.returncode:
        sys.exit(done.stderr)
    return {**json.loads(done.stdout.splitlines()[-1]), "wall": wall}


def wall(command: Sequence[str], times: int) -> float:
    """The median wall time of a command, in seconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def table(rows: Sequence[tuple[str, str, str]]) -> None:
    """Name, value and the figure to hold it against."""
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, value, target in rows:
        print(f"{name:<{widths[0]}}  {value:>{widths[1]}}  {target}".rstrip())


def report(result: dict[str, Any], rows: Sequence[tuple[str, str, str]], as_json: bool) -> None:
    if as_json:
        print(json.dumps({**result, **machine()}, indent=2))
    else:
        facts = machine()
        print(f"Python {facts['python']}, {facts['machine']}, {facts['cores']} cores\n")
        table(rows)
