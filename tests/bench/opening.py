"""Opening a graph and asking the first question in a new process, against another checkout.

python tests/bench/opening.py --graph film.kg --before ../kgpath-before [--times 15]

Both checkouts get a copy of the graph and a cache of their own, are warmed up once (a file that is
not known is checked, and its index made), and then take turns. Times are of the processor: imports
are not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
STEPS = ("open", "index", "first query", "all")
PROGRAM = """
import json, sys, time
import kgpath, kgpath.retriever, kgpath.paths.finder, kgpath.storage.index
import kgpath.rankers.zero_shot
path, head, tail, text = sys.argv[1:]
times = [time.process_time()]
kg = kgpath.open(path)
times.append(time.process_time())
kg.index
times.append(time.process_time())
kg.query(head, tail, text)
times.append(time.process_time())
print(json.dumps([b - a for a, b in zip(times, times[1:])] + [times[-1] - times[0]]))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--before", required=True, help="another checkout")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--head", default="http://dbpedia.org/resource/Uma_Thurman")
    parser.add_argument("--tail", default="http://dbpedia.org/resource/Quentin_Tarantino")
    parser.add_argument("--text", default="Uma Thurman was in Pulp Fiction by Quentin Tarantino.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        trees = {"before": Path(given.before).resolve(), "now": ROOT}
        for name in trees:
            (Path(work) / name).mkdir()
            shutil.copyfile(given.graph, Path(work) / name / "graph.kg")
        asked = (given.head, given.tail, given.text)
        for name, tree in trees.items():
            timed(tree, Path(work) / name, asked)
        times: dict[str, list[list[float]]] = {name: [] for name in trees}
        for _ in range(given.times):
            for name, tree in trees.items():
                times[name].append(timed(tree, Path(work) / name, asked))
    print(f"{'ms, medians':12}{'before':>9}{'now':>9}{'ratio':>7}")
    for number, step in enumerate(STEPS):
        old, new = (median(row[number] for row in times[name]) for name in ("before", "now"))
        print(f"{step:12}{1000 * old:9.1f}{1000 * new:9.1f}{new / old:7.2f}")


def timed(tree: Path, folder: Path, asked: tuple[str, str, str]) -> list[float]:
    """The steps in a new process of a checkout, in seconds."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, folder / "graph.kg", *asked],
        env={**os.environ, "PYTHONPATH": str(tree), "KGPATH_CACHE": str(folder / "cache")},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
